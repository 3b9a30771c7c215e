"""Pages as bags of terms: text, title, headings and URL, each a field of its own."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from homing.model import Page
from homing.strategies.adaptive.co_occurrence import WORDS
from homing.text.hashing import BUCKETS, bucket, hashed

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

FIELDS = ("text", "title", "headings", "address")
"""The parts of a page; the same term in two fields is two terms."""
_ADDRESS = re.compile(r"[^\W\d_]+|\d+")
_APART = 65_537
"""Distance between the numbers of a term in one field and in the next."""
_FIELD = 0.3
"""The weight of each of the last three beside the text. They tell the home page of a project from that of a
person, which the text does not."""
_HEADINGS = 8
"""Maximum headings read of a page."""
_READ = 20_000
"""Maximum letters read of a page: its beginning tells what it is about."""


class Bag(NamedTuple):
    """The terms of a page, each once a field."""

    terms: Numbers
    counts: Floats
    """How much each occurs: one plus the logarithm of its count."""
    sizes: tuple[int, ...]
    """How many terms each field has."""


class Bags(NamedTuple):
    """The terms of some pages, one page after the other."""

    terms: Numbers
    counts: Floats
    fields: NDArray[np.int32]
    """The field that each is of, those of all pages numbered on."""
    owners: NDArray[np.int32]
    """The page that each is of."""
    pages: int
    """How many there are."""

    @classmethod
    def of(cls, terms: Numbers, counts: Floats, sizes: Numbers) -> Bags:
        fields = np.repeat(np.arange(sizes.size, dtype=np.int32), sizes.ravel())
        return cls(terms, counts, fields, fields // len(FIELDS), len(sizes))

    def weighed(self, rarity: Floats) -> Floats:
        """Return the weight of each term in its page: a text is a vector of length one, other fields less."""
        values = self.counts * rarity[self.terms]
        lengths = np.sqrt(np.bincount(self.fields, values * values, self.pages * len(FIELDS)))
        lengths[np.arange(len(lengths)) % len(FIELDS) > 0] /= _FIELD
        return np.asarray(values / np.maximum(lengths, 1e-12)[self.fields])

    def summed(self, values: Floats) -> Floats:
        """Return the sum of all pages, a value for every bucket."""
        return np.bincount(self.terms, values, BUCKETS).astype(np.float64)

    def spoken(self, values: Floats | float) -> Floats:
        """Return the same for words of texts alone, in as few buckets as the words of links."""
        in_text = np.where(self.fields % len(FIELDS) == 0, values, 0.0)
        return np.bincount(self.terms % WORDS, in_text, WORDS).astype(np.float64)

    def products(self, values: Floats, vector: Floats) -> Floats:
        """Return the product of each page and the vector."""
        return np.bincount(self.owners, values * vector[self.terms], self.pages).astype(np.float64)


def bag_of(page: Page) -> Bag:
    """Return the terms of a page.

    >>> page = Page(url="http://a.example/moths", title="Moths", text="A moth, a moth", language="en")
    >>> bag = bag_of(page)
    >>> bag.sizes, len(set(bag.terms.tolist())), bag.counts.round(1).tolist()
    ((1, 1, 0, 3), 5, [2.1, 1.0, 1.0, 1.0, 1.0])
    """
    numbers, borders = hashed(
        [f"{page.title}\n{page.text[:_READ]}", page.title, " ".join(page.headings[:_HEADINGS])], page.language
    )
    address = [bucket(part.lower()) for part in _ADDRESS.findall(page.url.partition("//")[2])]
    fields = [*np.split(numbers.astype(np.int64), borders[1:-1]), np.array(address, np.int64)]
    counted = [
        np.unique((field + place * _APART) % BUCKETS, return_counts=True)
        for place, field in enumerate(fields)
    ]
    counts = np.concatenate([counts for _, counts in counted])
    return Bag(
        np.concatenate([terms for terms, _ in counted]),
        np.asarray(1 + np.log(counts), np.float64),
        tuple(len(terms) for terms, _ in counted),
    )


def rarity_of(met: Numbers | Floats, pages: int) -> Floats:
    """Return the weight of terms by how many of the pages have them."""
    return np.asarray(np.log(1 + (pages + 1) / (met + 0.5)))
