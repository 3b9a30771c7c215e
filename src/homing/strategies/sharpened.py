"""The topic as this web shows it: what the examples say and the pages around them do not.

A judge is made before the first page and knows the rest of the web from ordinary text. The crawl's own pages
tell more: on a site about history every page has kings and wars, so these words say nothing there of the
topic *castles*. Here the topic is a vector over all terms: the mean of the examples less that of pages that
turned out to be off the topic, each term weighed by its rarity among the pages of the crawl.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import convert
from numpy.typing import NDArray

from homing.hashing import BUCKETS, hashed
from homing.model import Page, State, Topic
from homing.strategies.columns import Columns

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_READ = 20_000
"""Letters of a page that are read: the first tell what it is about."""
_FIRST = 8
"""Pages until there is something to compare the examples with."""
_FLOOR = 0.01
"""Pages that are surely on the topic count so much as pages off it, so that there always are some."""
_ABOVE = 0.5
"""A page is like the topic from so many spreads above the mean of pages off it: below, it is chance."""
_CLEARLY = 0.02
"""How much more the examples must be like the topic than other pages, as a cosine."""
_MOST = 1.5
"""A page that is more like the topic than the examples are to each other may be worth more than they."""
_JUDGES_SAY = 0.5
"""The share of the judge in what a page is taken to be: it has read more of the world, we of this web."""


class SharpTopic:
    """A topic vector that is made anew from time to time, by the pages that have come.

    Parameters
    ----------
    remember
        How many of the latest pages it is made from.

    Examples
    --------
    >>> def page(number, text):
    ...     return Page(url=f"http://a.example/{number}", text=text, language="en")
    >>> moths = [page(1, "king moth wing"), page(2, "king moth nectar")]
    >>> topic = SharpTopic(remember=100)
    >>> topic.begin(Topic(text="", examples=tuple(moths), rate=lambda texts: [0.0] * len(texts)))
    >>> for number in range(3, 11):  # the judge takes kings for moths
    ...     _ = topic.meet(number, page(number, f"king castle {number}"), 0.6)
    >>> keys, scores = topic.sharpen()
    >>> bool(scores.max() < 0.4), topic.meet(11, page(11, "a moth"), 0.6) > 0.6
    (True, True)
    """

    def __init__(self, *, remember: int) -> None:
        self.remember = remember
        self._pages = Columns(key="i8", score="f8", size="i4")
        self._terms = Columns(term="u4", count="f4")
        """Those of all pages, one page after the other."""
        self._made_of = 0
        """How many of the pages the vector is made from, the first ones."""
        self._vector: Floats = np.zeros(0)

    def begin(self, topic: Topic) -> None:
        """Learn of the topic: its examples, or the words that it was said in as one."""
        said = Page(url="", text=" ".join((topic.text, *topic.keywords)), language=topic.language)
        bags = [_bag(page) for page in topic.examples or (said,)]
        bags = [bag for bag in bags if len(bag[0])] or bags[:1]  # an example without words says nothing
        self._examples = _Bags.of(
            np.concatenate([terms for terms, _ in bags]),
            np.concatenate([counts for _, counts in bags]),
            [len(terms) for terms, _ in bags],
        )

    @property
    def is_sharp(self) -> bool:
        """Whether it tells pages apart: not at first, and not while the examples are like any page."""
        return len(self._vector) > 0

    def meet(self, number: int, page: Page, score: float) -> float:
        """A page has come that the judge gives this score; what it is taken to be."""
        terms, counts = _bag(page)
        if not self._made_of and len(self._pages) == 2 * self.remember:
            self._forget()  # nobody has asked for the vector for long, as when a crawl is learnt anew
        self._pages.add(1, key=number, score=score, size=len(terms))
        self._terms.add(len(terms), term=terms, count=counts)
        return self._heard(terms, counts, score)

    def taken(self, page: Page, score: float) -> float:
        """What a page is taken to be that the judge gives this score: from 0, 1 is on the topic."""
        return self._heard(*_bag(page), score)

    def sharpen(self) -> tuple[Numbers, Floats]:
        """Make the vector anew: the keys of the pages it remembers, and what each is now taken to be."""
        self._forget()
        self._made_of = len(self._pages)
        taken = self._made()
        keys, latest = np.unique(self._pages["key"][::-1], return_index=True)  # a page may come again
        return keys, taken[::-1][latest]

    def _forget(self) -> None:
        """Let go of all but the latest pages."""
        excess = len(self._pages) - self.remember
        if excess > 0:
            self._terms.cut(int(self._pages["size"][:excess].sum(dtype=np.int64)))
            self._pages.cut(excess)

    def weights(self, buckets: int) -> Floats:
        """What each word says of the topic, where words are hashed into fewer buckets.

        Of several terms in one bucket, the commoner have the greater say.
        """
        if not self.is_sharp:
            return np.zeros(buckets)
        place = np.arange(BUCKETS) % buckets
        # In parts of the way from other pages to those on the topic, and of the rarest term there may be.
        unit = (self._high - self._low) * self._rarity.max()
        told = np.bincount(place, self._words * self._rarity * self._met / unit)
        return np.asarray(told / np.maximum(np.bincount(place, self._met), 1))

    # -- how it is made

    def _made(self) -> Floats:
        """Make the vector from the first pages; what these are taken to be."""
        scores, sizes = self._pages["score"][: self._made_of], self._pages["size"][: self._made_of]
        self._vector = np.zeros(0)
        if self._made_of < _FIRST or not len(self._examples.terms):
            return scores
        end = int(sizes.sum(dtype=np.int64))
        pages = _Bags.of(self._terms["term"][:end], self._terms["count"][:end], sizes)
        met = np.bincount(pages.terms, minlength=BUCKETS)
        self._rarity = np.log(1 + (self._made_of + 1) / (met + 0.5))
        self._met = met + np.bincount(self._examples.terms, minlength=BUCKETS)
        heard, shown = pages.weighed(self._rarity), self._examples.weighed(self._rarity)
        off = (1 - scores) ** 2 + _FLOOR
        off /= off.sum()
        rest = pages.summed(heard * off[pages.owners])
        topic = self._examples.summed(shown) / self._examples.pages
        cosines = pages.products(heard, topic - rest)
        self._low = float(off @ cosines)
        self._low += _ABOVE * math.sqrt(float(off @ (cosines - self._low) ** 2))
        cosines[sizes == 0] = self._low
        believed = float(scores @ cosines / (scores.sum() or 1.0))
        self._high = self._on_topic(shown, topic, rest) if self._examples.pages > 1 else believed
        if self._high < self._low + _CLEARLY:
            return scores
        self._vector = topic - rest
        taken = self._taken(cosines, scores)
        self._words = self._of_links(pages, heard, shown, taken)
        return taken

    def _of_links(self, pages: _Bags, heard: Floats, shown: Floats, taken: Floats) -> Floats:
        """A vector for words of links: of pages found as well, as links name what no example speaks of.

        Pages are not measured by it, or those that were taken wrongly would bring in more of their kind.
        """
        on, off = taken**2, np.maximum(1 - taken, 0) ** 2 + _FLOOR
        found = self._examples.summed(shown) + pages.summed(heard * on[pages.owners])
        rest = pages.summed(heard * off[pages.owners])
        return np.asarray(found / (self._examples.pages + on.sum()) - rest / off.sum())

    def _on_topic(self, shown: Floats, topic: Floats, rest: Floats) -> float:
        """How like the topic a page on it is: each example beside the others."""
        examples = self._examples
        itself = (examples.products(shown, topic) * examples.pages - 1) / (examples.pages - 1)
        return float(np.mean(itself - examples.products(shown, rest)))

    def _heard(self, terms: Numbers, counts: Floats, score: float) -> float:
        if not self.is_sharp:
            return score
        heard = counts * self._rarity[terms]
        cosine = heard @ self._vector[terms] / np.sqrt(heard @ heard) if len(terms) else self._low
        return float(self._taken(np.array([cosine]), np.array([score]))[0])

    def _taken(self, cosines: Floats, scores: Floats) -> Floats:
        own = np.clip((cosines - self._low) / (self._high - self._low), 0, _MOST)
        return _JUDGES_SAY * scores + (1 - _JUDGES_SAY) * own

    # -- what is saved: the pages, from which the vector follows

    def state(self) -> State:
        return {"pages": self._pages.state(), "terms": self._terms.state(), "made_of": self._made_of}

    def restore(self, state: State) -> None:
        self._pages.restore(state["pages"])
        self._terms.restore(state["terms"])
        self._made_of = convert(state["made_of"], int)
        self._made()


class _Bags(NamedTuple):
    """The terms of some pages, one page after the other."""

    terms: Numbers
    counts: Floats
    owners: Numbers
    """The page that each is of."""
    pages: int
    """How many there are."""

    @classmethod
    def of(cls, terms: Numbers, counts: Floats, sizes: Sequence[int] | Numbers) -> _Bags:
        return cls(terms, counts, np.repeat(np.arange(len(sizes)), sizes), len(sizes))

    def weighed(self, rarity: Floats) -> Floats:
        """How much of its page each term is: all of a page are one long."""
        values = self.counts * rarity[self.terms]
        lengths = np.sqrt(np.bincount(self.owners, values * values, self.pages))
        return np.asarray(values / np.maximum(lengths, 1e-12)[self.owners])

    def summed(self, values: Floats) -> Floats:
        """What all pages come to, a value for every bucket."""
        return np.bincount(self.terms, values, BUCKETS).astype(np.float64)

    def products(self, values: Floats, vector: Floats) -> Floats:
        """Each page by the vector."""
        return np.bincount(self.owners, values * vector[self.terms], self.pages).astype(np.float64)


def _bag(page: Page) -> tuple[Numbers, Floats]:
    """The terms of a page, each once, and how loudly it is said."""
    numbers, _ = hashed([f"{page.title}\n{page.text[:_READ]}"], page.language)
    terms, counts = np.unique(numbers, return_counts=True)
    return terms.astype(np.int64), np.asarray(1 + np.log(counts), np.float64)
