"""The frontier: which of the queued URLs is next.

In memory there are only numbers: the table of known URLs, a heap of queued ones for each host, and a heap of
the hosts that may be requested now. About 100 bytes a queued URL, 35 once it is finished. The text of a URL
and the strategy's memo stay in the store and are read when the URL is leased.

Heaps are never searched or reordered. A better priority is pushed a second time, and an entry that is out of
date is thrown away when it comes to the top.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterable
from itertools import islice, pairwise

import numpy as np

from homing.frontier.domains import earned
from homing.frontier.hosts import HostQueue, Hosts
from homing.frontier.url_table import AGE, DELAYED, LEASED, QUEUED, REFUSED, UNFINISHED, UrlTable
from homing.model import Changes, Entry, Host, Known, Lease, Priority, Proposal, Ranking, Standing
from homing.ports import Merges
from homing.steps import merged
from homing.urls import host as host_name

FEW = 64
"""Entries of a host that are kept, out of date or not."""


class Frontier:
    """Known URLs in order of their priority, among hosts that may be requested now.

    Parameters
    ----------
    delay
        Seconds between two requests to one host.
    pages_per_host, pages_per_domain
        How many pages a host, and all hosts of a registered domain, may give at most.
    patient
        Lease the best URL of all and say when its host may be requested, not the best among hosts that may
        be requested now. With one request in flight the crawl is then the same whatever the clock.
    trusted
        Registered domains without an allowance (``domains.py``). ``None``: no domain has one.
    """

    def __init__(
        self,
        *,
        delay: float = 1.0,
        pages_per_host: int | None = None,
        pages_per_domain: int | None = None,
        patient: bool = False,
        trusted: Collection[str] | None = None,
    ) -> None:
        self.urls = UrlTable()
        self.hosts = Hosts(
            delay=delay,
            pages_per_host=pages_per_host,
            pages_per_domain=pages_per_domain,
            patient=patient,
            trusted=trusted,
        )
        self.queued = 0
        """URLs in the queue, also those that are delayed or whose host rests."""
        self.leased = 0
        self.overwritten = False
        """Priorities have been replaced as a whole: the store does not know them (see ``ranking``)."""
        self.last_tier: int | None = None
        """Nothing of a higher tier is leased, if this is set (see ``crawler/live/refresh.py``)."""
        self._ready: list[tuple[int, int]] = []
        self._delayed: list[tuple[float, int]] = []

    # -- resuming

    def load(self, known: Known, hosts: list[Host], delayed: list[tuple[int, float]], now: float) -> None:
        """Take over what an earlier run knew; ``delayed`` in the time of ``now``."""
        self.hosts.load(hosts, now)
        self.urls.load(known)
        for seq, until in delayed:
            self.urls.standings[seq] = DELAYED
            heapq.heappush(self._delayed, (until, seq))
        self._rebuild()

    def _rebuild(self) -> None:
        """Build all heaps from the arrays."""
        seqs = self.urls.queued_seqs()
        hosts = self.urls.hosts_of(seqs)
        by_host = np.argsort(hosts, kind="stable")
        seqs, hosts = seqs[by_host], hosts[by_host]
        ranks = self.urls.ranks(seqs)
        for host in self.hosts:
            host.ranks, host.queued = [], 0
        starts = [*np.flatnonzero(np.diff(hosts, prepend=-1)).tolist(), len(seqs)]
        for start, end in pairwise(starts):
            host = self.hosts.by_number[int(hosts[start])]
            host.ranks = list(islice(ranks, end - start))
            host.queued = end - start
            heapq.heapify(host.ranks)
        self.queued = len(seqs) + len(self.urls.standing_as(DELAYED))
        self._ready = []
        for host in self.hosts:
            self._announce(host)

    # -- looking at the queue

    def is_stuck(self, before: float = math.inf) -> bool:
        """Are all queued URLs on hosts that may give no more? No time, or none ``before``, changes that."""
        next_time = self.next_time()
        return not self._ready and (next_time is None or next_time > before)

    def head(self, count: int) -> list[int]:
        """Return the best queued URLs over all hosts, best first. The heaps are walked, not changed."""
        ways = [(host.ranks[0], 0, host.number) for host in self.hosts if host.ranks]
        heapq.heapify(ways)
        found: dict[int, None] = {}
        while ways and len(found) < count:
            rank, place, number = heapq.heappop(ways)
            ranks = self.hosts.by_number[number].ranks
            for below in range(2 * place + 1, min(2 * place + 3, len(ranks))):
                heapq.heappush(ways, (ranks[below], below, number))
            if self._is_true(rank):
                found[rank & AGE] = None  # one that was pushed twice counts once
        return list(found)

    # -- leasing

    def lease(self, now: float) -> Lease | None:
        """Lease the best URL among hosts that may be requested, if there is one."""
        self._wake(now)
        while self._ready:
            announced, number = heapq.heappop(self._ready)
            host = self.hosts.by_number[number]
            best = self._best(host) if self.hosts.is_free(host) else None
            if best is None or announced > best:
                continue  # busy, empty, or announced again since with something better
            if announced < best:  # what was announced is gone
                heapq.heappush(self._ready, (best, number))
                continue
            heapq.heappop(host.ranks)
            seq = best & AGE
            self.urls.standings[seq] = LEASED
            self.hosts.ask(host)
            host.queued -= 1
            self.queued -= 1
            self.leased += 1
            return Lease(seq=seq, not_before=host.ready_at)
        return None

    def next_time(self) -> float | None:
        """Return when a lease may succeed that fails now, if time alone can bring that about."""
        times = [self.hosts.next_awake(), *(until for until, _ in self._delayed[:1])]
        return min((moment for moment in times if moment is not None), default=None)

    def _wake(self, now: float) -> None:
        while self._delayed and self._delayed[0][0] <= now:
            _, seq = heapq.heappop(self._delayed)
            if self.urls.standings[seq] == DELAYED:  # it was not withdrawn meanwhile
                self.queued -= 1
                self._queue(seq)
        for host in self.hosts.awake(now):
            self._announce(host)

    def _best(self, host: HostQueue) -> int | None:
        """Return the host's best rank that is not out of date."""
        ranks = host.ranks
        while ranks:
            if self._is_true(ranks[0]):
                later = self.last_tier is not None and self.urls.tiers[ranks[0] & AGE] > self.last_tier
                return None if later else ranks[0]
            heapq.heappop(ranks)
        return None

    def _is_true(self, rank: int) -> bool:
        """Is the URL queued, and with this rank?"""
        seq = rank & AGE
        return self.urls.standings[seq] == QUEUED and self.urls.rank(seq) == rank

    def _announce(self, host: HostQueue) -> None:
        """Enter a free host into the queue of hosts with its best URL."""
        if self.hosts.is_free(host):
            best = self._best(host)
            if best is not None:
                heapq.heappush(self._ready, (best, host.number))

    # -- after the fetch

    def host_of(self, seq: int) -> HostQueue:
        return self.hosts.by_number[self.urls.hosts[seq]]

    def delay_of(self, seq: int) -> float:
        """Return the seconds between two requests to a URL's host."""
        return self.hosts.delay_of(self.urls.hosts[seq])

    def rest(self, seq: int, now: float, seconds: float) -> None:
        """Let a URL's host rest, unless it rests longer in any case."""
        host = self.host_of(seq)
        if now + seconds > host.ready_at:
            self.hosts.rest(host, now, seconds)

    def release(
        self, seq: int, now: float, *, rest: float | None = None, counted: bool = False, failed: bool = False
    ) -> None:
        """End a request: the host is no longer busy, and rests.

        Parameters
        ----------
        rest
            Seconds that the host requested, if longer than its delay.
        counted
            It has given a page.
        failed
            It has given nothing at all.
        """
        host = self.host_of(seq)
        host.failures = host.failures + 1 if failed else 0
        self.hosts.rest(host, now, rest)
        for freed in self.hosts.free(host, pages=int(counted)):
            self._announce(freed)

    def linked(self, seq: int, targets: Iterable[int], first_new: int) -> None:
        """Let a page's domain earn what its links show; URLs from ``first_new`` on were unknown before."""
        if domain := self.host_of(seq).domain:
            self.earn(seq, earned(*self.urls.confirm(targets, first_new, domain.hosts)))

    def earn(self, seq: int, pages: int) -> None:
        """Let the domain of a URL give more pages."""
        for freed in self.hosts.earn(self.host_of(seq), pages):
            self._announce(freed)

    def probe(self) -> bool:
        """Let a domain that is held back give one page; return whether there is one that may."""
        probed = self.hosts.probe()
        for host in probed:
            self._announce(host)
        return bool(probed)

    def free(self, seq: int) -> None:
        """Let the host be requested again at once: no request was sent."""
        for freed in self.hosts.free(self.host_of(seq), pages=0):
            self._announce(freed)

    def settle(self, seq: int, standing: Standing) -> None:
        """Finish a URL; its priority is spent."""
        self._let_go(seq)
        self.urls.standings[seq] = standing
        self.urls.set_priority(seq, Priority())

    def put_back(self, seq: int) -> None:
        """Queue a leased URL as before: no request was sent."""
        self._let_go(seq)
        self._queue(seq)

    def postpone(self, seq: int, until: float) -> None:
        """Queue a leased URL, to be tried again not before ``until``."""
        self._let_go(seq)
        self.urls.standings[seq] = DELAYED
        self.queued += 1
        heapq.heappush(self._delayed, (until, seq))

    def withdraw(self, seq: int) -> None:
        """Refuse a queued URL without leasing it; its priority is spent."""
        standing = self.urls.standings[seq]
        if not self.urls.is_queued(seq):
            raise ValueError(f"URL {seq} is not queued")
        self.urls.standings[seq] = REFUSED
        self.urls.set_priority(seq, Priority())
        self.queued -= 1
        if standing == QUEUED:
            host = self.host_of(seq)
            host.queued -= 1
            if len(host.ranks) > FEW + 2 * host.queued:
                self._tidy(host)

    def _let_go(self, seq: int) -> None:
        if self.urls.standings[seq] != LEASED:
            raise ValueError(f"URL {seq} is not leased")
        self.leased -= 1

    def _queue(self, seq: int) -> None:
        """Enter a URL into the queue of its host."""
        self.urls.standings[seq] = QUEUED
        self.queued += 1
        host = self.host_of(seq)
        host.queued += 1
        self._push(host, seq)

    def _push(self, host: HostQueue, seq: int) -> None:
        rank = self.urls.rank(seq)
        ranks = host.ranks
        heapq.heappush(ranks, rank)
        if ranks[0] == rank and self.hosts.is_free(host):
            heapq.heappush(self._ready, (rank, host.number))
        if len(host.ranks) > FEW + 2 * host.queued:
            self._tidy(host)

    def _tidy(self, host: HostQueue) -> None:
        """Drop entries that are out of date once they are more than half: memory follows the queue."""
        waiting = {rank & AGE for rank in host.ranks if self.urls.standings[rank & AGE] == QUEUED}
        host.ranks = [self.urls.rank(seq) for seq in waiting]
        heapq.heapify(host.ranks)

    # -- offers

    def offer(
        self, proposals: Iterable[tuple[int, Proposal]], rule: Merges, look_up: Callable[[int], Entry]
    ) -> Changes:
        """Take in (key of the URL, proposal); ``look_up`` reads a known URL's entry from the store."""
        changes = Changes()
        for key, proposal in proposals:
            if not math.isfinite(proposal.priority.score):
                raise ValueError(f"priority {proposal.priority.score} for {proposal.url}: must be finite")
            seq = self.urls.seq_of(key)
            if seq is None:
                self._add(key, proposal, changes)
            else:
                self._merge(seq, proposal, rule, look_up, changes)
        return changes

    def _add(self, key: int, proposal: Proposal, changes: Changes) -> None:
        name = host_name(proposal.url)
        host = self.hosts.named(name)
        if host is None:
            host = self.hosts.add(name)
            changes.hosts.append(Host(number=host.number, name=name))
        seq = self.urls.add(key, host.number, proposal.priority)
        self._queue(seq)
        changes.new.append((seq, host.number, proposal))

    def _merge(
        self,
        seq: int,
        proposal: Proposal,
        rule: Merges,
        look_up: Callable[[int], Entry],
        changes: Changes,
    ) -> None:
        urls = self.urls
        standing = urls.standings[seq]
        finished = standing not in UNFINISHED
        held = Priority(tier=urls.tiers[seq], score=urls.scores[seq])
        remains = merged(rule, proposal, held, finished=finished, read=lambda: urls.current(look_up(seq)))
        if remains is None:
            return
        result, old = remains
        urls.set_priority(seq, result.priority)
        changes.changed.append((seq, result, old))
        if finished and proposal.revisit:
            changes.revisits.append(seq)
            self._queue(seq)
        elif standing == QUEUED:
            self._push(self.host_of(seq), seq)

    def overwrite(self, ranking: Ranking) -> None:
        """Replace the priorities of queued URLs; others, and keys never seen, are passed over."""
        self.urls.overwrite(ranking)
        self.overwritten = True
        self._rebuild()
