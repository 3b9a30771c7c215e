"""The limit: a crawl that knows where all targets are."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.extras import check_installed
from homing.lab.web.recorded import RecordedWeb
from homing.model import Priority, Proposal, Ranking, Visit
from homing.ports import View
from homing.strategies.base import Strategy
from homing.urls import key


class Oracle(Strategy):
    """Fetches the URL with the fewest hops to a target that has not been found yet.

    Of several, it takes the one that links to most such targets, then the older. It knows labels and links of
    the whole web, which no strategy can.
    """

    name = "oracle"
    rerank_every = 1

    def __init__(self, web: RecordedWeb, targets: Collection[str]) -> None:
        self._numbers = web.numbers
        self._size = max(web.numbers.values(), default=0) + 1
        sources, heads = web.links()
        links = np.ones(len(sources), np.float32), (sources, heads)
        check_installed("scipy", extra="lab", purpose="the oracle")
        sparse: Any = importlib.import_module("scipy.sparse")
        self._links = sparse.csr_array(links, shape=(self._size, self._size))
        self._by_key = {key(url): number for url, number in web.numbers.items()}
        self._unfound = {web.numbers[url] for url in targets}
        self._has_changed = True
        self._look()

    def learn(self, visit: Visit) -> None:
        number = self._numbers.get(visit.entry.url)
        if number in self._unfound:
            self._unfound.discard(number)
            self._look()
            self._has_changed = True

    def score(self, visit: Visit) -> Iterable[Proposal]:
        for link in visit.page.links:
            yield Proposal(url=link.url, priority=self._priority(self._numbers.get(link.url)))

    def rerank(self, view: View) -> Ranking | None:
        """Re-rank the frontier after a target was found, which changes the worth of every URL."""
        if not self._has_changed:
            return None
        self._has_changed = False
        keys = view.keys(view.waiting())
        numbers = [self._by_key.get(number) for number in keys.tolist()]
        found = [self._priority(number) for number in numbers]
        return Ranking(
            keys=keys,
            tiers=np.array([each.tier for each in found], np.int32),
            scores=np.array([each.score for each in found], np.float64),
            parts={},
        )

    def _priority(self, number: int | None) -> Priority:
        if number is None:
            return Priority(tier=self._size)
        return Priority(tier=int(self._hops[number]), score=float(self._linked[number]))

    def _look(self) -> None:
        """Count the hops from every page to the nearest unfound target, level by level against the links."""
        here = np.zeros(self._size, np.float32)
        here[list(self._unfound)] = 1
        self._linked: NDArray[np.float32] = self._links @ here
        self._hops: NDArray[np.int32] = np.full(self._size, self._size, np.int32)
        distance = 0
        while here.any():
            self._hops[here > 0] = distance
            here = ((self._links @ here > 0) & (self._hops == self._size)).astype(np.float32)
            distance += 1
