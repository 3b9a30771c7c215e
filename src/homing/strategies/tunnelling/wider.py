"""What a topic is part of, level by level, and how much a text speaks of that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from math import ceil
from typing import Protocol

from msgspec import Struct, convert

from homing.model import Page, State, Topic, Visit
from homing.taxonomy import Focus, Taxonomy
from homing.taxonomy import Term as SubjectTerm
from homing.text.words import chunk_terms, chunks, terms

_HEAD = 1_500
"""Maximum characters read of a page: its beginning says what it is about."""
_COMMON = 0.25
"""In how many of the pages on the topic a term stands that is part of the topic ..."""
_LIFT = 2.0
"""... and how much more often than in all pages."""
_TERMS = 200
_COUNTED = 5_000
"""Maximum terms of the topic, and maximum counted at once to find them."""
_EVERY = 25
"""Pages between two choices of the topic's terms."""


class WiderTopic(Protocol):
    """The topics above a topic, the nearest first."""

    levels: int

    def learn(self, visit: Visit) -> None: ...
    def rate(self, texts: Sequence[str], language: str) -> list[list[float]]:
        """Return for each level how much these short texts speak of it, 0 to 1."""

    def rate_page(self, page: Page) -> list[float]:
        """Return for each level how much a page speaks of it."""

    def state(self) -> State: ...
    def restore(self, state: State) -> None: ...


class WiderSubjects:
    """The subjects above a topic's codes in a taxonomy.

    >>> from homing.taxonomy import Subject, Taxonomy
    >>> animals = Subject(code="59", label="Animals", terms=("animal", "beast"))
    >>> insects = Subject(code="595", label="Insects", terms=("insect", "butterfly"))
    >>> trains = Subject(code="62", label="Trains", terms=("train",))
    >>> wider = WiderSubjects(Focus(Taxonomy([animals, insects, trains])), ("595",), levels=2)
    >>> wider.levels, wider.rate(["a beast of an insect", "animals in a train"], "en")
    (1, [[0.8, 0.4]])
    """

    def __init__(self, focus: Focus, keys: tuple[str, ...], *, levels: int) -> None:
        self._lexicon = focus.lexicon
        self._shares: list[dict[SubjectTerm, float]] = []
        for _ in range(levels):
            above = tuple(dict.fromkeys(_parent(key, focus.taxonomy) for key in keys))
            if above == keys:  # what lies above the highest subjects is everything
                break
            keys = above
            shares = {term: _share(term, keys) for term in self._lexicon.terms()}
            self._shares.append({term: share for term, share in shares.items() if share})
        self.levels = len(self._shares)

    def learn(self, visit: Visit) -> None:
        pass

    def rate(self, texts: Sequence[str], language: str) -> list[list[float]]:
        parts = [self._parts(text) for text in texts]
        return [[part[level] for part in parts] for level in range(self.levels)]

    def rate_page(self, page: Page) -> list[float]:
        return self._parts(_head(page))

    def _parts(self, text: str) -> list[float]:
        """Return for each level what share of the terms lies in it; one term alone may be chance."""
        found = self._lexicon.find(text)
        whole = sum(found.values()) + 0.5
        return [
            0.0
            if share.keys().isdisjoint(found)  # true of most texts, and quick to check
            else sum([times * share[term] for term, times in found.items() if term in share]) / whole
            for share in self._shares
        ]

    def state(self) -> State:
        return {}

    def restore(self, state: State) -> None:
        pass


class WiderWords:
    """What pages on a topic have in common, without its most specific terms.

    The topic's terms are those the user gave, and those that a quarter of the pages on it share: the examples
    first, then what the crawl finds. A term is the more specific, the fewer pages of the crawl have it. The
    first level leaves out the more specific half, the next one half of the rest.
    """

    def __init__(self, topic: Topic, *, levels: int) -> None:
        self.levels = levels
        self._own = frozenset(terms(" ".join((topic.text, *topic.keywords))))
        self._pages = 0
        self._everywhere: Counter[str] = Counter()
        self._relevant = len(topic.examples)
        self._among: Counter[str] = Counter()
        for page in topic.examples:
            self._among.update(_terms_of(page))
        self._read: tuple[Page | None, set[str]] = None, set()
        self._choose()

    def learn(self, visit: Visit) -> None:
        found = _terms_of(visit.page)
        self._read = visit.page, found
        self._pages += 1
        self._everywhere = _counted(self._everywhere, found)
        if visit.judgement.relevant:
            self._relevant += 1
            self._among = _counted(self._among, found)
        if self._pages % _EVERY == 0:
            self._choose()

    def rate(self, texts: Sequence[str], language: str) -> list[list[float]]:
        if not self.levels:
            return []
        # What the first level has not, none has. Sixty texts a page: only the terms that count are collected.
        terms_of, first = chunk_terms(language).__getitem__, self._kept[0]
        found = [first.intersection(chain.from_iterable(map(terms_of, chunks(text)))) for text in texts]
        hits = [[len(each & kept) if each else 0 for each in found] for kept in self._kept]
        return [[number / (number + 2) for number in row] for row in hits]

    def rate_page(self, page: Page) -> list[float]:
        last, found = self._read
        if last is not page:
            found = _terms_of(page)
        # Half of the terms is as much as a page can be expected to have at its beginning.
        return [min(1.0, 2 * len(found & kept) / max(1, len(kept))) for kept in self._kept]

    def _choose(self) -> None:
        """Choose the terms of each level."""
        least = max(min(2, self._relevant), ceil(_COMMON * self._relevant))
        lift = _LIFT * self._relevant / max(1, self._pages)
        common = [
            term
            for term, count in self._among.items()
            if count >= least and count >= lift * self._everywhere[term]
        ]
        common.sort(key=lambda term: (-self._among[term], term))
        chosen = sorted({*self._own, *common[:_TERMS]}, key=lambda term: (self._everywhere[term], term))
        self._kept = []
        for _ in range(self.levels):
            chosen = chosen[len(chosen) // 2 :]
            self._kept.append(frozenset(chosen))

    def state(self) -> State:
        return {
            "pages": self._pages,
            "relevant": self._relevant,
            "everywhere": self._everywhere,
            "among": self._among,
            "kept": [sorted(kept) for kept in self._kept],
        }

    def restore(self, state: State) -> None:
        saved = convert(dict(state), _Saved)
        self._pages, self._relevant = saved.pages, saved.relevant
        self._everywhere, self._among = Counter(saved.everywhere), Counter(saved.among)
        self._kept = list(map(frozenset, saved.kept))


class _Saved(Struct):
    pages: int
    relevant: int
    everywhere: dict[str, int]
    among: dict[str, int]
    kept: list[list[str]]


def _head(page: Page) -> str:
    return f"{page.title} {page.text[:_HEAD]}"


def _terms_of(page: Page) -> set[str]:
    return set(terms(_head(page), page.language))


def _counted(counts: Counter[str], found: Iterable[str]) -> Counter[str]:
    """Count terms; drop rare ones, among which the terms of many pages cannot be."""
    counts.update(found)
    if len(counts) <= _COUNTED:
        return counts
    return Counter({term: count - 1 for term, count in counts.items() if count > 1})


def _parent(key: str, taxonomy: Taxonomy) -> str:
    """Return the subject above another; a topmost one stays itself."""
    above = (key[:end] for end in range(len(key) - 1, 0, -1))
    return next((each for each in above if taxonomy.get(each)), key)


def _share(term: SubjectTerm, keys: tuple[str, ...]) -> float:
    """Return what share of a term's places lies in these subjects."""
    return sum(place.key.startswith(keys) for place in term.places) / len(term.places)
