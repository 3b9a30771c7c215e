"""What memm and crf see of a page and of a link: the features of the paper's table 1, as numbers.

Each page, and each link in each of its parts, is a row: the numbers of its features, and their values. A link
may play three parts, with features of their own, as the same word means different things in them: the link
that led to a page now read, a link to a page not read yet, and a link on the page at hand.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from heapq import nlargest
from typing import Self

import numpy as np
from msgspec import Struct

from homing.model import Page, Topic
from homing.strategies.trained.sequence.belief import Floats
from homing.text.vectors import dot, unit
from homing.text.words import bag, terms

_TEXT = 1_500
_LINKS = 100
"""How much is read of a page. As much is remembered of pages to fit on: both must look alike."""
_TARGETS = 12
_TARGET_TERMS = 150
_RAREST = 3
"""Least pages, or anchors, with a word for it to be a feature."""

Row = tuple[list[int], list[float]]
"""The numbers of the features a page or link has, never none, and their values."""

_PAGE_FEATURES = 6  # constant, text, description, title, best link, links' URLs
_LINK_FEATURES = 3  # constant, words around it, URL


class Part(IntEnum):
    """What a link is to a step."""

    LED_HERE = 0
    NOT_FOLLOWED_YET = 1
    LEADS_ON = 2


class Target(Struct, frozen=True):
    """A page on the topic, by its heaviest terms; as a vector it has length one."""

    url: str
    terms: dict[str, float]


class Observer(Struct, frozen=True, kw_only=True):
    """Reads pages and links. Plain data: it is part of the model.

    ``words`` and ``anchor_words`` are those that count, with their numbers; ``description`` holds the words
    for the topic, the paper's target keywords, as a vector of length one.
    """

    words: dict[str, int]
    anchor_words: dict[str, int]
    description: dict[str, float]
    targets: tuple[Target, ...]
    counted: bool
    words_only: bool

    @classmethod
    def of(
        cls,
        topic: Topic,
        pages: Sequence[Page],
        targets: Iterable[Page],
        *,
        vocabulary: int,
        counted: bool,
        words_only: bool,
    ) -> Self:
        """Create an observer that knows the topic and the words these pages have in common."""
        anchors = {link.anchor: page.language for page in pages for link in page.links[:_LINKS]}
        said = " ".join([topic.text, *topic.keywords])
        language = next((page.language for page in pages if page.language), "")
        return cls(
            words=_most_common((_important(page) for page in pages), vocabulary),
            anchor_words=_most_common((bag(anchor, code) for anchor, code in anchors.items()), vocabulary),
            description=_damped(bag(said, language)),
            targets=tuple(_target(page) for page, _ in zip(targets, range(_TARGETS), strict=False)),
            counted=counted,
            words_only=words_only,
        )

    def __post_init__(self) -> None:
        for known in (self.words, self.anchor_words):
            if sorted(known.values()) != list(range(len(known))):
                raise ValueError("words are numbered from 0")

    def __len__(self) -> int:
        """Return how many features there are."""
        return self._start_of(Part.LEADS_ON) + _LINK_FEATURES + len(self.anchor_words)

    def are_words(self) -> Floats:
        """Return 1 for features that are words, 0 for those that are relative to the topic."""
        flags = np.ones(len(self))
        flags[:_PAGE_FEATURES] = 0
        for part in Part:
            flags[self._start_of(part) :][:_LINK_FEATURES] = 0
        return flags

    def page(self, page: Page, ratings: Sequence[float]) -> Row:
        """Observe a page; ``ratings`` are those of its title, then of the words around each link."""
        places, values = [0], [1.0]
        if not self.words_only:
            linked = ratings[1 : 1 + _LINKS]
            places += range(1, _PAGE_FEATURES)
            values += [
                self._likeness(page),
                dot(_damped(bag(page.description, page.language)), self.description),
                ratings[0],
                max(linked, default=0.0),
                float(any(self._is_called(link.url, page.language) for link in page.links[:_LINKS])),
            ]
        self._add_words(_important(page), self.words, _PAGE_FEATURES, places, values)
        return places, values

    def anchors(self, page: Page) -> Row:
        """Observe all links of a page at once, as it is not known which of them is followed.

        Their words share the weight of one, or in pages of many links they would drown all else.
        """
        start = self._start_of(Part.LEADS_ON)
        said = bag(" ".join(link.anchor for link in page.links[:_LINKS]), page.language)
        places = [
            start + _LINK_FEATURES + self.anchor_words[word] for word in said if word in self.anchor_words
        ]
        return [start, *places], [1.0, *[1 / math.sqrt(len(places))] * len(places)] if places else [1.0]

    def link(self, part: Part, url: str, anchor: str, language: str, rating: float) -> Row:
        """Observe a link in one of its parts."""
        start = self._start_of(part)
        places, values = [start], [1.0]
        if not self.words_only:
            places += [start + 1, start + 2]
            values += [rating, float(self._is_called(url, language))]
        if anchor:
            self._add_words(bag(anchor, language), self.anchor_words, start + _LINK_FEATURES, places, values)
        return places, values

    def _start_of(self, part: Part) -> int:
        return _PAGE_FEATURES + len(self.words) + part * (_LINK_FEATURES + len(self.anchor_words))

    def _add_words(
        self,
        found: Mapping[str, int],
        known: Mapping[str, int],
        start: int,
        places: list[int],
        values: list[float],
    ) -> None:
        for word in found:
            number = known.get(word)
            if number is not None:
                places.append(start + number)
                values.append(1 + math.log(found[word]) if self.counted else 1.0)

    def _is_called(self, url: str, language: str) -> bool:
        return not self.description.keys().isdisjoint(terms(url, language))

    def _likeness(self, page: Page) -> float:
        """Return the highest cosine to a target other than the page itself."""
        vector = _damped(bag(page.text[:_TEXT], page.language))
        others = (target for target in self.targets if target.url != page.url)
        return max((dot(vector, target.terms) for target in others), default=0.0)


def windows(page: Page) -> list[str]:
    """Return what must be rated of a page: its title, then the words around each link."""
    return [page.title, *(link.around for link in page.links)]


def weigh(rows: Sequence[Row], weights: Floats) -> Floats:
    """Return for each row the sum of its features' weights, each times its value."""
    places = np.concatenate([places for places, _ in rows]).astype(np.intp)
    values = np.concatenate([values for _, values in rows])
    starts = np.cumsum([0, *(len(places) for places, _ in rows[:-1])])
    summed: Floats = np.add.reduceat(weights[places] * values[:, None], starts, axis=0)
    return summed


def _important(page: Page) -> Counter[str]:
    """Return the words of title, headings and meta data (the paper's important words)."""
    said = " ".join([page.title, *page.headings[:20], page.keywords, page.description, page.alts[:300]])
    return bag(said, page.language)


def _most_common(bags: Iterable[Mapping[str, int]], most: int) -> dict[str, int]:
    count = Counter(word for each in bags for word in each)
    shared = ((word, times) for word, times in count.items() if times >= _RAREST)
    chosen = nlargest(most, shared, key=lambda each: each[1])
    return {word: number for number, (word, _) in enumerate(chosen)}


def _target(page: Page) -> Target:
    vector = _damped(bag(page.text[:_TEXT], page.language))
    heaviest = nlargest(_TARGET_TERMS, vector.items(), key=lambda each: each[1])
    return Target(page.url, {term: round(value, 6) for term, value in heaviest})


def _damped(counts: Mapping[str, int]) -> dict[str, float]:
    """Return counts as a vector of unit length in which repetition matters less and less."""
    return unit({term: 1 + math.log(count) for term, count in counts.items()})
