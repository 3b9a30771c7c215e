"""Hosts: which may be requested, and when.

One request at a time to a host, and its delay between two. That is all of politeness here: a host that is
busy or resting is not in the queue of hosts at all. It need not be skipped at the head of the queue, so a
thousand resting hosts cost nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from homing.model import Host
from homing.urls import site


class HostQueue:
    """The queued URLs of one host as a heap of ranks, and when the host may be requested."""

    __slots__ = (
        "busy",
        "delay",
        "domain",
        "failures",
        "name",
        "number",
        "pages",
        "queued",
        "ranks",
        "ready_at",
        "resting",
    )

    def __init__(self, number: int, name: str, delay: float | None = None, pages: int = 0) -> None:
        self.number = number
        self.name = name
        self.delay = delay
        """The host's own Crawl-delay, if it has one."""
        self.pages = pages
        self.ranks: list[int] = []
        self.queued = 0
        """Number of ``ranks`` that are not stale."""
        self.busy = False
        self.failures = 0
        """Requests that failed in a row, in this run."""
        self.domain: Domain | None = None
        self.resting = False
        self.ready_at = 0.0


class Domain:
    """All hosts of one registered domain, and the pages they may still give together."""

    def __init__(self, left: int) -> None:
        self.left = left
        """Every request in flight may bring a page, so it is deducted already."""
        self.hosts: list[HostQueue] = []


class Hosts:
    """All hosts of a crawl, by number in order of discovery."""

    def __init__(
        self, *, delay: float, pages_per_host: int | None, pages_per_domain: int | None, patient: bool
    ) -> None:
        self.delay = delay
        self.pages_per_host = pages_per_host
        self.pages_per_domain = pages_per_domain
        self.patient = patient
        """Wait for the best URL's host rather than take another's (see ``Frontier``)."""
        self.by_number: list[HostQueue] = []
        self._by_name: dict[str, HostQueue] = {}
        self._resting: list[tuple[float, int]] = []
        self._domains: dict[str, Domain] = {}
        self._has_quotas = pages_per_host is not None or pages_per_domain is not None

    def __len__(self) -> int:
        return len(self.by_number)

    def __iter__(self) -> Iterator[HostQueue]:
        return iter(self.by_number)

    def named(self, name: str) -> HostQueue | None:
        return self._by_name.get(name)

    def add(self, name: str) -> HostQueue:
        host = HostQueue(len(self.by_number), name)
        self.by_number.append(host)
        self._by_name[name] = host
        if self.pages_per_domain is not None:
            host.domain = self._domains.setdefault(site(name), Domain(self.pages_per_domain))
            host.domain.hosts.append(host)
        return host

    def load(self, remembered: list[Host], now: float) -> None:
        """Take over the hosts of an earlier run; each first rests: it may just have been requested."""
        for record in sorted(remembered, key=lambda record: record.number):
            host = self.add(record.name)
            host.delay, host.pages = record.delay, record.pages
            if host.domain:
                host.domain.left -= record.pages
            self.rest(host, now, None)

    def is_free(self, host: HostQueue) -> bool:
        """May it be requested, as far as the host is concerned?"""
        return not (host.busy or host.resting or (self._has_quotas and self._is_full(host)))

    def is_full(self, number: int) -> bool:
        """Has a host, or its domain, given as many pages as it may?"""
        return self._is_full(self.by_number[number])

    def _is_full(self, host: HostQueue) -> bool:
        full = self.pages_per_host is not None and host.pages >= self.pages_per_host
        return full or (host.domain is not None and host.domain.left <= 0)

    def lift_quotas(self) -> None:
        """Let every host give any number of pages."""
        self.pages_per_host = self.pages_per_domain = None
        self._has_quotas = False
        for host in self.by_number:
            host.domain = None

    def ask(self, host: HostQueue) -> None:
        """Note that a request is sent."""
        host.busy = True
        if host.domain:
            host.domain.left -= 1

    def free(self, host: HostQueue, pages: int) -> list[HostQueue]:
        """End a request; return the hosts that may be requested because of that. ``pages`` it has brought."""
        host.busy = False
        host.pages += pages
        if host.domain is None:
            return [host]
        host.domain.left += 1 - pages
        return host.domain.hosts if host.domain.left == 1 else [host]

    def delay_of(self, number: int) -> float:
        """Return the longer of our delay and the host's own."""
        return max(self.delay, self.by_number[number].delay or 0.0)

    def rest(self, host: HostQueue, now: float, rest: float | None) -> None:
        """Let a host rest after a request: its delay, or as long as it requested if that is longer."""
        pause = max(self.delay, host.delay or 0.0, rest or 0.0)
        host.ready_at = now + pause
        # A patient frontier waits out an ordinary delay with the URL leased; only a host that requested more,
        # or that failed, steps aside.
        host.resting = pause > 0 and (rest is not None or not self.patient)
        if host.resting:
            heapq.heappush(self._resting, (host.ready_at, host.number))

    def awake(self, now: float) -> list[HostQueue]:
        """Return the hosts whose rest is over by now; each is named once."""
        rested = []
        while self._resting and self._resting[0][0] <= now:
            ready_at, number = heapq.heappop(self._resting)
            host = self.by_number[number]
            if host.resting and host.ready_at == ready_at:
                host.resting = False
                rested.append(host)
        return rested

    def next_awake(self) -> float | None:
        """Return when the next host's rest is over, if one rests."""
        while self._resting:
            ready_at, number = self._resting[0]
            host = self.by_number[number]
            if host.resting and host.ready_at == ready_at:
                return ready_at
            heapq.heappop(self._resting)
        return None
