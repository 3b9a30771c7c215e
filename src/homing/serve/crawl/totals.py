"""Running totals of a crawl: each URL is counted once, however often it was fetched."""

from __future__ import annotations

from collections import Counter, deque

from homing.serve.crawl.series import Series
from homing.store.views.browsing import PORTION, Browser, VisitCounts

NOW = 10.0
"""Seconds that the current rate of pages is taken over."""


class Totals:
    """The counts of ``homing report``, updated with what is new in the catalog."""

    def __init__(self) -> None:
        self.series = Series()
        self.fetches = 0
        """Final replies, those to revisits included."""
        self.redirects = 0
        self.bytes = 0
        self.fetched_by_host: Counter[int] = Counter()
        self.relevant_by_host: Counter[int] = Counter()
        self.failures_by_host: Counter[int] = Counter()
        self._visit = 0
        self._failure = 0
        self._lately: deque[float] = deque()
        """Request times of the pages of the last seconds."""
        self._pages, self._relevant = Bits(), Bits()
        """By ``seq``, what has been counted."""

    def advance(self, browser: Browser) -> None:
        """Count the visits and failures since the last call."""
        while arrived := browser.arrived(self._visit):
            for visit in arrived:
                self.bytes += visit.bytes
                self.fetches += visit.kind in ("page", "unchanged")
                if visit.kind == "page":
                    self._count(visit)
                    self._lately.append(visit.asked_at)
                elif visit.kind == "redirect":
                    self.redirects += 1
                    self._uncount(visit)
            self._visit = arrived[-1].number
            self._forget(self._lately[-1] if self._lately else 0.0)
            if len(arrived) < PORTION:
                break
        for number, host in browser.missed(self._failure):
            self.failures_by_host[host] += 1
            self._failure = number

    def _count(self, visit: VisitCounts) -> None:
        """Count a page: for the first time, or as what its URL holds now."""
        is_relevant = bool(visit.relevant)
        if visit.seq in self._pages:
            self.series.correct(relevant=is_relevant - (visit.seq in self._relevant))
        else:
            self.series.add(visit.asked_at, relevant=is_relevant)
            self.fetched_by_host[visit.host] += 1
        self.relevant_by_host[visit.host] += is_relevant - (visit.seq in self._relevant)
        self._pages.put(visit.seq, True)
        self._relevant.put(visit.seq, is_relevant)

    def _uncount(self, visit: VisitCounts) -> None:
        """Take back a page whose URL leads to another now."""
        if visit.seq in self._pages:
            was_relevant = visit.seq in self._relevant
            self.series.correct(fetched=-1, relevant=-was_relevant)
            self.fetched_by_host[visit.host] -= 1
            self.relevant_by_host[visit.host] -= was_relevant
            self._pages.put(visit.seq, False)
            self._relevant.put(visit.seq, False)

    def pages_per_second(self, wall: float) -> float:
        """Return the rate over the last ten seconds."""
        self._forget(wall)
        return len(self._lately) / NOW

    def _forget(self, wall: float) -> None:
        while self._lately and self._lately[0] < wall - NOW:
            self._lately.popleft()


class Bits:
    """A set of numbers, each an eighth of a byte: a crawl of a million pages knows sixty million URLs.

    >>> bits = Bits()
    >>> bits.put(1_000, True)
    >>> 1_000 in bits, 1_001 in bits, 7_000 in bits
    (True, False, False)
    """

    def __init__(self) -> None:
        self._bytes = bytearray()

    def __contains__(self, number: int) -> bool:
        place = number >> 3
        return place < len(self._bytes) and bool(self._bytes[place] >> (number & 7) & 1)

    def put(self, number: int, value: bool) -> None:
        """Put a number in, or take it out."""
        place, bit = number >> 3, 1 << (number & 7)
        if place >= len(self._bytes):
            self._bytes.extend(bytes(place + 1 - len(self._bytes)))
        self._bytes[place] = self._bytes[place] | bit if value else self._bytes[place] & ~bit
