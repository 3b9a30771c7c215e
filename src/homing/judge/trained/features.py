"""The features of a page: its terms, each with a weight.

A page becomes one vector of unit length. A term that occurs n times counts 1 + ln n (after ten mentions
another adds little), and a term of the title counts as several mentions. Terms keep their names, so that
every judgement can name the words that decided.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from homing.judge.words.background import guess_language
from homing.model import Page
from homing.text.hashing import term_hashes
from homing.text.languages import primary, stem
from homing.text.words import bag, terms, words

Numbers = NDArray[np.int64]
Vector = dict[str, float]
"""Terms with their weights; a term that is missing has none."""

# Mentions in the text that one in these parts is worth. Of no effect on the development topics, where every
# article names itself in its first sentence anyway; they are for pages that do not.
TITLE = 3
HEADINGS = 1
DESCRIPTION = 1

WINDOW = 11
"""Terms in the twenty running words around a link; the others are stop words."""
ANCHOR = 2
WINDOWS = 20
"""Maximum of short texts that are cut from a page, for calibration."""

SHORT = 8
"""Least number of terms that a short text counts as: a single word may be chance, and must not rate like a
whole window."""

_DAMPED = [0.0, *(1 + math.log(count) for count in range(1, 1000))]
_LEAST_SHARE = 0.2
"""Least share of the examples in a language of the topic; one with fewer was probably misidentified."""
_SAMPLE = 2000


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pages and short texts into vectors, in the languages of the topic.

    A page in any other language is read in the first of them: the language of short pages is often
    misidentified (one in ten of a university's pages), and where it is right, the words of a foreign page
    match nothing either way.

    >>> Reader(("en",)).vector(Page(url="", text="Gardens and a garden; moths"))
    {'garden': 0.861..., 'moth': 0.508...}
    """

    languages: tuple[str, ...]
    plainly: bool = False
    """Count every mention of a term equally."""

    @classmethod
    def of(cls, pages: Iterable[Page], language: str = "", *, plainly: bool = False) -> Reader:
        """Return a reader for a topic with these examples, ``language`` first if it is given."""
        pages = list(pages)
        counted = Counter(primary(page.language) for page in pages if page.language)
        least = _LEAST_SHARE * counted.total()
        found = [primary(language)] if language else []
        found += [code for code, count in counted.most_common() if count >= least and code not in found]
        if not found:
            found.append(guess_language(" ".join(f"{page.title} {page.text}" for page in pages)[:_SAMPLE]))
        return cls(tuple(found), plainly)

    def language_of(self, page: Page) -> str:
        code = primary(page.language)
        return code if code in self.languages else self.languages[0]

    def counts(self, page: Page) -> Counter[str]:
        """Count the terms of a page."""
        language = self.language_of(page)
        found = bag(page.text, language)
        for text, weight in (
            (page.title, TITLE),
            ("\n".join(page.headings), HEADINGS),
            (page.description, DESCRIPTION),
        ):
            if text:
                for term in terms(text, language):
                    found[term] += weight
        return found

    def vector(self, page: Page) -> Vector:
        return self.shape(self.counts(page))

    def shape(self, counts: Counter[str]) -> Vector:
        """Return the vector of a page with these counts."""
        return plain(counts) if self.plainly else damped(counts)

    def short(self, text: str) -> Vector:
        """Return the vector of an anchor or a window: every term once."""
        said = terms(text, self.languages[0])
        for language in self.languages[1:]:
            said += terms(text, language)
        return _short(said)

    def short_terms(self, texts: Sequence[str]) -> tuple[Numbers, Numbers, Numbers]:
        """Return the same of many texts at once, as numbers.

        Returns
        -------
        tuple
            Every term of every text once, in two columns: which text, and the hash of the term. And how
            many terms each text has, repetitions too.
        """
        found = [term_hashes(texts, language) for language in self.languages]
        lengths = sum(np.diff(borders).astype(np.int64) for _, borders in found)
        texts_of = [np.repeat(np.arange(len(texts)), np.diff(borders)) for _, borders in found]
        said = np.concatenate([numbers for numbers, _ in found]).astype(np.int64)
        distinct = np.unique(np.concatenate(texts_of) << 32 | said)
        return distinct >> 32, distinct & 0xFFFFFFFF, np.asarray(lengths)

    def windows(self, page: Page) -> list[Vector]:
        """Cut short texts from all over a page, some as long as a window, some as an anchor."""
        whole = "\n".join((page.title, *page.headings, page.description, page.text))
        said = terms(whole, self.language_of(page))
        stride = max(WINDOW, len(said) // WINDOWS)
        sizes = cycle((WINDOW, ANCHOR))
        starts = range(0, len(said), stride)
        return [_short(said[start : start + size]) for start, size in zip(starts, sizes, strict=False)]


def damped(counts: Counter[str]) -> Vector:
    """Return counts as a vector of unit length, in which each further mention adds less."""
    known = len(_DAMPED)
    weights = [_DAMPED[count] if count < known else 1 + math.log(count) for count in counts.values()]
    length = math.hypot(*weights) or 1.0
    return dict(zip(counts, [each / length for each in weights], strict=True))


def plain(counts: Counter[str]) -> Vector:
    """Return plain counts as a vector of unit length."""
    length = math.hypot(*counts.values()) or 1.0
    return {term: count / length for term, count in counts.items()}


def _short(said: Sequence[str]) -> Vector:
    return dict.fromkeys(said, 1 / math.sqrt(max(len(said), SHORT)))


def surface_forms(roots: Iterable[str], pages: Iterable[Page], reader: Reader) -> dict[str, str]:
    """Return for each term the word that the pages use for it most often, unless that is the term itself.

    >>> pages = [Page(url="", text="Butterflies: one butterfly, two butterflies")]
    >>> surface_forms(["butterfli", "moth"], pages, Reader(("en",)))
    {'butterfli': 'butterflies'}
    """
    wanted = set(roots)
    said: dict[str, Counter[str]] = {code: Counter() for code in reader.languages}
    for page in pages:
        said[reader.language_of(page)].update(words(f"{page.title}\n{page.text}"))
    best: dict[str, tuple[int, str]] = {}
    for code, counts in said.items():
        for word, count in counts.items():
            root = stem(word, code)
            if root in wanted:
                best[root] = max(best.get(root, (0, "")), (count, word))
    return {root: word for root, (_, word) in best.items() if word != root}
