"""Running totals of a crawl: each visit is counted once, however often they are read."""

from __future__ import annotations

from collections import Counter, deque

from homing.serve.crawl.series import Series
from homing.store.views.browsing import PORTION, Browser

NOW = 10.0
"""Seconds that the current rate of pages is taken over."""


class Totals:
    """The counts of ``homing report``, updated with what is new in the catalog."""

    def __init__(self) -> None:
        self.series = Series()
        self.redirects = 0
        self.bytes = 0
        self.fetched_by_host: Counter[int] = Counter()
        self.relevant_by_host: Counter[int] = Counter()
        self.failures_by_host: Counter[int] = Counter()
        self._visit = 0
        self._failure = 0
        self._lately: deque[float] = deque()
        """Request times of the pages of the last seconds."""

    def advance(self, browser: Browser) -> None:
        """Count the visits and failures since the last call."""
        while arrived := browser.arrived(self._visit):
            for visit in arrived:
                self.bytes += visit.bytes
                if visit.kind == "page":
                    self.series.add(visit.asked_at, relevant=bool(visit.relevant))
                    self.fetched_by_host[visit.host] += 1
                    self.relevant_by_host[visit.host] += visit.relevant
                    self._lately.append(visit.asked_at)
                elif visit.kind == "redirect":
                    self.redirects += 1
            self._visit = arrived[-1].number
            self._forget(self._lately[-1] if self._lately else 0.0)
            if len(arrived) < PORTION:
                break
        for number, host in browser.missed(self._failure):
            self.failures_by_host[host] += 1
            self._failure = number

    def pages_per_second(self, wall: float) -> float:
        """Return the rate over the last ten seconds."""
        self._forget(wall)
        return len(self._lately) / NOW

    def _forget(self, wall: float) -> None:
        while self._lately and self._lately[0] < wall - NOW:
            self._lately.popleft()
