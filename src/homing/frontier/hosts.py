"""Hosts: which may be requested, and when.

One request at a time to a host, and its delay between two. That is all of politeness here: a host that is
busy or resting is not in the queue of hosts at all. It need not be skipped at the head of the queue, so a
thousand resting hosts cost nothing.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Collection, Iterator, Mapping

from homing.frontier.domains import ALLOWANCE, PROBE_EVERY, Domain
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


class Hosts:
    """All hosts of a crawl, by number in order of discovery."""

    def __init__(
        self,
        *,
        delay: float,
        pages_per_host: int | None,
        pages_per_domain: int | None,
        patient: bool,
        trusted: Collection[str] | None,
    ) -> None:
        self.delay = delay
        self.pages_per_host = pages_per_host
        self.pages_per_domain = pages_per_domain
        self.patient = patient
        """Wait for the best URL's host rather than take another's (see ``Frontier``)."""
        self.by_number: list[HostQueue] = []
        self._by_name: dict[str, HostQueue] = {}
        self._resting: list[tuple[float, int]] = []
        self.trusted = trusted
        """Registered domains without an allowance (see ``domains.py``); ``None``: no domain has one."""
        self._domains: dict[str, Domain] = {}
        self._held_back: deque[Domain] = deque()
        """Those that get the next probes."""
        self._pages_since_probe = 0

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
        if self.pages_per_domain is not None or self.trusted is not None:
            host.domain = self._domain(site(name))
            host.domain.hosts.add(host.number)
        return host

    def _domain(self, name: str) -> Domain:
        if name not in self._domains:
            has_allowance = self.trusted is not None and name not in self.trusted
            self._domains[name] = Domain(name, quota=self.pages_per_domain, has_allowance=has_allowance)
        return self._domains[name]

    def load(self, remembered: list[Host], now: float) -> None:
        """Take over the hosts of an earlier run; each first rests: it may just have been requested."""
        for record in sorted(remembered, key=lambda record: record.number):
            host = self.add(record.name)
            host.delay, host.pages = record.delay, record.pages
            if host.domain:
                host.domain.left -= record.pages
                host.domain.spend(0)
            self.rest(host, now, None)

    def is_free(self, host: HostQueue) -> bool:
        """May it be requested, as far as the host is concerned?"""
        if host.busy or host.resting or (host.domain is not None and host.domain.is_full):
            return False
        return self.pages_per_host is None or host.pages < self.pages_per_host

    def is_full(self, number: int) -> bool:
        """Has a host, or its domain, given as many pages as it may?"""
        host = self.by_number[number]
        full = self.pages_per_host is not None and host.pages >= self.pages_per_host
        return full or (host.domain is not None and host.domain.is_full)

    def lift_quotas(self) -> None:
        """Let every host give any number of pages."""
        self.pages_per_host = self.pages_per_domain = self.trusted = None
        for host in self.by_number:
            host.domain = None

    def ask(self, host: HostQueue) -> None:
        """Note that a request is sent."""
        host.busy = True
        if host.domain:
            host.domain.spend(1)
            if host.domain.is_full and host.domain.is_held_back:
                self._held_back.append(host.domain)

    def free(self, host: HostQueue, pages: int) -> list[HostQueue]:
        """End a request; return the hosts that may be requested because of that. ``pages`` it has brought."""
        host.busy = False
        host.pages += pages
        if host.domain is None:
            return [host]
        was_full = host.domain.is_full
        host.domain.spend(pages - 1)
        freed = self._hosts_of(host.domain) if was_full and not host.domain.is_full else [host]
        self._pages_since_probe += pages
        if self._held_back and self._pages_since_probe >= PROBE_EVERY:
            freed += self.probe()
        return freed

    def earn(self, host: HostQueue, pages: int) -> list[HostQueue]:
        """Raise the allowance of a host's domain; return the hosts that may be requested because of that."""
        if host.domain is None:
            return []
        was_full = host.domain.is_full
        host.domain.earn(pages)
        return self._hosts_of(host.domain) if was_full and not host.domain.is_full else []

    def probe(self) -> list[HostQueue]:
        """Let a domain that is held back give one page; return its hosts, none if no domain may be probed."""
        self._pages_since_probe = 0
        while self._held_back:
            domain = self._held_back.popleft()
            if domain.is_held_back and domain.probes:
                domain.probe()
                return self._hosts_of(domain)
        return []

    def _hosts_of(self, domain: Domain) -> list[HostQueue]:
        return [self.by_number[number] for number in sorted(domain.hosts)]

    def allowances(self) -> dict[str, float]:
        """Return the allowances that differ from that of a new domain, for ``restore_allowances``."""
        spent = (each for each in self._domains.values() if each.allowance not in (ALLOWANCE, math.inf))
        return {each.name: each.allowance for each in spent}

    def restore_allowances(self, saved: Mapping[str, float]) -> None:
        """Give the domains of an earlier run the allowances they had."""
        for name, allowance in saved.items():
            domain = self._domains.get(name)
            if domain is not None and domain.allowance != math.inf:
                domain.allowance = allowance
                domain.spend(0)
                if domain.is_held_back:
                    self._held_back.append(domain)

    def held_back(self) -> dict[str, int]:
        """Return how many URLs are queued on domains that are held back, by domain, the most first."""
        held = (each for each in self._domains.values() if each.is_held_back)
        queued = {each.name: sum(host.queued for host in self._hosts_of(each)) for each in held}
        return dict(sorted(queued.items(), key=lambda item: -item[1]))

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
