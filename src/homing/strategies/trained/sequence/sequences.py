"""Trails as the arrays that memm and crf are fitted on.

The same pages and links come again in many trails. So each is read once, as a row, and a step of a trail is
a sum of rows: the page, the link that led there and, as the paper has it, the link by which the trail
continues.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.model import Link, Page
from homing.strategies.trained.sequence.belief import START, STATES
from homing.strategies.trained.sequence.observations import Observer, Part, Row, windows
from homing.trails import LocalGraph, Step, Trail

Ints = NDArray[np.intp]
Rate = Callable[[list[str]], list[float]]

SEEN, UNSEEN = 0, 1
"""Whether the page of a step has been read, or only the link to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequences:
    """Steps of many trails, one trail after the other, short ones first."""

    rows: Any
    """What was observed, a row each (scipy's sparse matrix, which has no types)."""
    made_of: Any
    """Which rows make up which step."""
    kinds: Ints
    """Of each step: ``SEEN`` or ``UNSEEN``."""
    before: Ints
    """The state it comes from."""
    states: Ints
    """Its own state."""
    groups: list[tuple[int, int, int]]
    """Trails of one length: the number of their first step, how many trails, how many steps each."""

    @property
    def repetition(self) -> float:
        """How often a step is repeated, on average, among the trails."""
        return max(1.0, len(self.states) / int(self.made_of.shape[1]))


def trails_of(graph: LocalGraph, count: int, seed: int) -> list[Trail]:
    """Return walks to targets and past them, and as many again that stray.

    A walk knows only pages from which a way leads to a target. What lies elsewhere looks different: each
    walk that can gets a copy with another end, a page from which no way is known, four links off or more.
    """
    walks = graph.trails(count, seed=seed)
    chance = random.Random(seed)  # noqa: S311  (a sample, not a secret)
    return [*walks, *(strayed for walk in walks if (strayed := _strayed(walk, graph, chance)))]


def _strayed(walk: Trail, graph: LocalGraph, chance: random.Random) -> Trail | None:
    at = chance.randrange(len(walk))
    ends = [link for link in graph.links[walk[at].page.url] if link.url not in graph.distances]
    if not ends:
        return None
    link = chance.choice(ends)
    return (*walk[: at + 1], Step(page=graph.pages[link.url], link=link, distance=STATES - 1))


def lay_out(
    trails: Sequence[Trail], observer: Observer, rate: Rate, *, lookahead: bool, seed: int
) -> Sequences:
    """Return the trails as arrays.

    With ``lookahead`` each trail is there twice: as it is, and up to a page that has not been read yet, as
    this is what a crawl has to foresee. Else a page is seen together with the link by which the trail
    continues.
    """
    reader = _Reader(observer, rate)
    chance = random.Random(seed)  # noqa: S311  (a sample, not a secret)
    paths = []
    for trail in trails:
        paths.append(list(reader.steps(trail, leading_on=not lookahead)))
        if lookahead:
            cut = chance.randrange(1, len(trail))
            paths.append([*paths[-1][:cut], reader.unseen(trail[cut - 1], trail[cut])])
    paths.sort(key=len)
    steps = [step for each in paths for step in each]
    states = np.array([step.state for step in steps])
    before = np.concatenate([[START], states[:-1]])
    before[np.cumsum([0, *map(len, paths[:-1])])] = START
    return Sequences(
        rows=sparse(reader.rows, len(observer)),
        made_of=sparse([(step.rows, [1.0] * len(step.rows)) for step in steps], len(reader.rows)),
        kinds=np.array([step.kind for step in steps]),
        before=before,
        states=states,
        groups=_groups([len(each) for each in paths]),
    )


def sparse(rows: Sequence[Row], width: int) -> Any:
    """Return rows as one matrix."""
    # Takes 0.2 s to import, for fitting alone.
    matrices = importlib.import_module("scipy.sparse")
    ends = np.cumsum([0, *(len(places) for places, _ in rows)])
    places = np.concatenate([places for places, _ in rows])
    values = np.concatenate([values for _, values in rows])
    return matrices.csr_matrix((values, places, ends), shape=(len(rows), width))


@dataclass(frozen=True, slots=True)
class _Step:
    state: int
    kind: int
    rows: list[int]


class _Reader:
    """Reads each page and each link once."""

    def __init__(self, observer: Observer, rate: Rate) -> None:
        self.rows: list[Row] = []
        self._observer = observer
        self._rate = rate
        self._ratings: dict[str, list[float]] = {}
        self._numbers: dict[object, int] = {}

    def steps(self, trail: Trail, *, leading_on: bool) -> Iterator[_Step]:
        for place, step in enumerate(trail):
            rows = [self._page(step.page)]
            if step.link:
                rows.append(self._link(trail[place - 1].page, step.link, Part.LED_HERE))
            if not leading_on:
                rows.append(self._anchors(step.page))
            elif place + 1 < len(trail):
                rows.append(self._link(step.page, trail[place + 1].link, Part.LEADS_ON))
            yield _Step(state_of(step), SEEN, rows)

    def unseen(self, parent: Step, step: Step) -> _Step:
        return _Step(state_of(step), UNSEEN, [self._link(parent.page, step.link, Part.NOT_FOLLOWED_YET)])

    def _page(self, page: Page) -> int:
        return self._number(page.url, lambda: self._observer.page(page, self._rated(page)))

    def _anchors(self, page: Page) -> int:
        return self._number((page.url, Part.LEADS_ON), lambda: self._observer.anchors(page))

    def _link(self, page: Page, link: Link | None, part: Part) -> int:
        assert link, "only the first step of a trail has no link"

        def read() -> Row:
            rating = self._rated(page)[1 + page.links.index(link)]
            return self._observer.link(part, link.url, link.anchor, page.language, rating)

        return self._number((page.url, link.place, link.url, part), read)

    def _rated(self, page: Page) -> list[float]:
        if page.url not in self._ratings:
            self._ratings[page.url] = self._rate(windows(page))
        return self._ratings[page.url]

    def _number(self, key: object, read: Callable[[], Row]) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.rows)
            self.rows.append(read())
        return self._numbers[key]


def state_of(step: Step) -> int:
    """Return the hidden state of a page on a trail; the last one is "this far off, or more"."""
    return min(step.distance, STATES - 1)


def _groups(lengths: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return runs of equal length."""
    groups: list[tuple[int, int, int]] = []
    begin = 0
    for length in sorted(set(lengths)):
        count = lengths.count(length)
        groups.append((begin, count, length))
        begin += count * length
    return groups
