"""What a learnt judge sees of a page: its terms, and how loudly each is said.

A page becomes one vector of unit length. A term that is said n times counts 1 + ln n (after the tenth
time, the eleventh says little), and a title counts as if it were said several times. Terms keep their names,
so that every judgement can say which words decided.
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
"""Terms with their weights; no term, no key."""

# Worth so many mentions in the text. Flat on the development topics, where every article names itself in
# its first sentence anyway; pages that do not are the reason for them.
TITLE = 3
HEADINGS = 1
DESCRIPTION = 1

WINDOW = 11
"""Terms in the twenty running words around a link: the others say nothing."""
ANCHOR = 2
WINDOWS = 20
"""Short texts that are cut from a page to see what they are like."""

SHORT = 8
"""Terms of a short text, at least: one word alone may be chance, and must not look like a whole window."""

_DAMPED = [0.0, *(1 + math.log(count) for count in range(1, 1000))]
_SPEAKERS = 0.2
"""A language is one of the topic's if this share of the examples is in it; below, it was guessed wrongly."""
_SAMPLE = 2000


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pages and short texts into vectors, in the languages of the topic.

    A page that says it is in another language is read in the first of them: short pages are often
    guessed wrongly (one in ten of a university's pages), and where the guess is right, the words of a
    foreign page match nothing either way.

    >>> Reader(("en",)).vector(Page(url="", text="Gardens and a garden; moths"))
    {'garden': 0.861..., 'moth': 0.508...}
    """

    languages: tuple[str, ...]
    plainly: bool = False
    """Count every mention of a term the same."""

    @classmethod
    def of(cls, pages: Iterable[Page], language: str = "", *, plainly: bool = False) -> Reader:
        """A reader for a topic with these examples, ``language`` first if it is given."""
        pages = list(pages)
        spoken = Counter(primary(page.language) for page in pages if page.language)
        least = _SPEAKERS * spoken.total()
        found = [primary(language)] if language else []
        found += [code for code, count in spoken.most_common() if count >= least and code not in found]
        if not found:
            found.append(guess_language(" ".join(f"{page.title} {page.text}" for page in pages)[:_SAMPLE]))
        return cls(tuple(found), plainly)

    def language_of(self, page: Page) -> str:
        code = primary(page.language)
        return code if code in self.languages else self.languages[0]

    def counts(self, page: Page) -> Counter[str]:
        """How often the page says each term."""
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
        """The vector of a page that says each term so often."""
        return plain(counts) if self.plainly else damped(counts)

    def short(self, text: str) -> Vector:
        """The vector of an anchor or a window: every term once."""
        said = terms(text, self.languages[0])
        for language in self.languages[1:]:
            said += terms(text, language)
        return _short(said)

    def short_terms(self, texts: Sequence[str]) -> tuple[Numbers, Numbers, Numbers]:
        """The same of many texts at once, as numbers.

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
        """Short texts from all over a page, some as long as a window, some as an anchor."""
        whole = "\n".join((page.title, *page.headings, page.description, page.text))
        said = terms(whole, self.language_of(page))
        stride = max(WINDOW, len(said) // WINDOWS)
        sizes = cycle((WINDOW, ANCHOR))
        starts = range(0, len(said), stride)
        return [_short(said[start : start + size]) for start, size in zip(starts, sizes, strict=False)]


def damped(counts: Counter[str]) -> Vector:
    """Counts as a vector of unit length in which repetition matters less and less."""
    known = len(_DAMPED)
    felt = [_DAMPED[count] if count < known else 1 + math.log(count) for count in counts.values()]
    length = math.hypot(*felt) or 1.0
    return dict(zip(counts, [each / length for each in felt], strict=True))


def plain(counts: Counter[str]) -> Vector:
    """Counts as a vector of unit length, as they are."""
    length = math.hypot(*counts.values()) or 1.0
    return {term: count / length for term, count in counts.items()}


def _short(said: Sequence[str]) -> Vector:
    return dict.fromkeys(said, 1 / math.sqrt(max(len(said), SHORT)))


def spoken(roots: Iterable[str], pages: Iterable[Page], reader: Reader) -> dict[str, str]:
    """For each term the word that the pages use for it most often; left out where that is the term itself.

    >>> pages = [Page(url="", text="Butterflies: one butterfly, two butterflies")]
    >>> spoken(["butterfli", "moth"], pages, Reader(("en",)))
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
