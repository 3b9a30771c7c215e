"""The frontier: every known URL, and which of the waiting ones is next.

In memory there are only numbers: the ledger of known URLs, a heap of waiting ones for each host, and a
heap of the hosts that may be asked. About 100 bytes a URL that waits, 35 once it is finished. The text of a
URL and the strategy's memo stay in the store and are looked up when the URL is leased.

Heaps are never searched or reordered. A better priority is pushed a second time, and an entry that no
longer says the truth is thrown away when it comes to the top.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice, pairwise

import numpy as np
from msgspec import Struct

from homing.frontier.hosts import HostQueue, Hosts
from homing.frontier.known import KnownUrls
from homing.frontier.ledger import DELAYED, LEASED, REFUSED, UNFINISHED, WAITING
from homing.frontier.rank import age, pack, pack_all
from homing.model import Entry, Host, Known, Priority, Proposal, Ranking, Standing, keep_better
from homing.urls import host as host_name


class Lease(Struct, frozen=True, kw_only=True):
    """A URL handed out, and the earliest moment its host may be asked."""

    seq: int
    not_before: float


@dataclass(slots=True)
class Changes:
    """What an offer has changed, for the store to keep."""

    new: list[tuple[int, int, Proposal]] = field(default_factory=list)
    """(seq, number of the host, proposal) of URLs never seen before."""
    changed: list[tuple[int, Proposal, Entry | None]] = field(default_factory=list)
    """(seq, merged proposal, old entry) of known URLs; no old entry where the proposal simply won."""
    revisits: list[int] = field(default_factory=list)
    """seq of finished URLs that wait again."""
    hosts: list[Host] = field(default_factory=list)
    """Hosts never seen before."""


class Frontier(KnownUrls):
    """Known URLs in order of their priority, among hosts that may be asked now.

    Parameters
    ----------
    delay
        Seconds between two requests to one host.
    pages_per_host, pages_per_domain
        How many pages a host, and all hosts of a registered domain, may give at most.
    patient
        Lease the best URL of all and say when its host may be asked, instead of the best among hosts
        that may be asked now. With one request in flight the crawl is then the same whatever the clock.
    """

    def __init__(
        self,
        *,
        delay: float = 1.0,
        pages_per_host: int | None = None,
        pages_per_domain: int | None = None,
        patient: bool = False,
    ) -> None:
        super().__init__(
            Hosts(
                delay=delay,
                pages_per_host=pages_per_host,
                pages_per_domain=pages_per_domain,
                patient=patient,
            )
        )
        self.waiting = 0
        """URLs that wait, those that are delayed or rest with their host among them."""
        self.leased = 0
        self.overwritten = False
        """Priorities have been replaced as a whole: the store does not know them (see ``ranking``)."""
        self.last_tier: int | None = None
        """Nothing of a higher tier is leased, if this is set: it waits for another day."""
        self._ready: list[tuple[int, int]] = []
        self._delayed: list[tuple[float, int]] = []

    # -- waking up

    def load(self, known: Known, hosts: list[Host], delayed: list[tuple[int, float]], now: float) -> None:
        """Take over what an earlier run knew; ``delayed`` in the time of ``now``."""
        self.hosts.load(hosts, now)
        self._urls.load(known)
        for seq, until in delayed:
            self._urls.standings[seq] = DELAYED
            heapq.heappush(self._delayed, (until, seq))
        self.waiting = len(self._delayed)
        self._rebuild()

    def _rebuild(self) -> None:
        """All heaps anew from the arrays."""
        seqs = self.waiting_seqs()
        hosts = self._urls.hosts_of(seqs)
        by_host = np.argsort(hosts, kind="stable")
        seqs, hosts = seqs[by_host], hosts[by_host]
        ranks = pack_all(*self._urls.priorities_of(seqs), seqs)
        for host in self.hosts:
            host.ranks, host.waiting = [], 0
        starts = [*np.flatnonzero(np.diff(hosts, prepend=-1)).tolist(), len(seqs)]
        for start, end in pairwise(starts):
            host = self.hosts[int(hosts[start])]
            host.ranks = list(islice(ranks, end - start))
            host.waiting = end - start
            heapq.heapify(host.ranks)
        self.waiting = len(seqs) + len(self._urls.standing_as(DELAYED))
        self._ready = []
        for host in self.hosts:
            self._announce(host)

    # -- asking

    def is_stuck(self, before: float = math.inf) -> bool:
        """URLs wait, but their hosts have given all they may; no time, or none ``before``, changes that."""
        next_time = self.next_time()
        return not self._ready and (next_time is None or next_time > before)

    def head(self, count: int) -> list[int]:
        """The numbers of the best waiting URLs over all hosts, best first, may they be asked now or not.

        The heaps are walked from their tops down and nothing is taken out of them.
        """
        ways = [(host.ranks[0], 0, host.number) for host in self.hosts if host.ranks]
        heapq.heapify(ways)
        found: dict[int, None] = {}
        while ways and len(found) < count:
            rank, place, number = heapq.heappop(ways)
            ranks = self.hosts[number].ranks
            for below in range(2 * place + 1, min(2 * place + 3, len(ranks))):
                heapq.heappush(ways, (ranks[below], below, number))
            if self._is_true(rank):
                found[age(rank)] = None  # one that was pushed twice counts once
        return list(found)

    # -- leasing

    def lease(self, now: float) -> Lease | None:
        """The best URL among hosts that may be asked, or nothing."""
        self._wake(now)
        while self._ready:
            announced, number = heapq.heappop(self._ready)
            host = self.hosts[number]
            best = self._best(host) if self.hosts.is_free(host) else None
            if best is None or announced > best:
                continue  # busy, empty, or announced again since with something better
            if announced < best:  # what was announced is gone
                heapq.heappush(self._ready, (best, number))
                continue
            heapq.heappop(host.ranks)
            return self._hand_out(age(best), host)
        return None

    def next_time(self) -> float | None:
        """When a lease may succeed that fails now, if time alone can bring that about."""
        awake = self.hosts.next_awake()
        times = [until for until, _ in self._delayed[:1]] + ([] if awake is None else [awake])
        return min(times, default=None)

    def _hand_out(self, seq: int, host: HostQueue) -> Lease:
        self.hosts.ask(host)
        host.waiting -= 1
        self.waiting -= 1
        self.leased += 1
        self._urls.standings[seq] = LEASED
        return Lease(seq=seq, not_before=host.ready_at)

    def _wake(self, now: float) -> None:
        while self._delayed and self._delayed[0][0] <= now:
            _, seq = heapq.heappop(self._delayed)
            if self._urls.standings[seq] == DELAYED:  # it was not withdrawn meanwhile
                self.waiting -= 1
                self._queue(seq)
        for host in self.hosts.awake(now):
            self._announce(host)

    def _best(self, host: HostQueue) -> int | None:
        """The host's best rank that is still true."""
        ranks = host.ranks
        while ranks:
            if self._is_true(ranks[0]):
                later = self.last_tier is not None and self._urls.tiers[age(ranks[0])] > self.last_tier
                return None if later else ranks[0]
            heapq.heappop(ranks)
        return None

    def _is_true(self, rank: int) -> bool:
        """Does the URL wait, and with this rank?"""
        seq = age(rank)
        return self._urls.standings[seq] == WAITING and self._rank(seq) == rank

    def _announce(self, host: HostQueue) -> None:
        """A free host stands in the queue of hosts with its best URL."""
        if self.hosts.is_free(host):
            best = self._best(host)
            if best is not None:
                heapq.heappush(self._ready, (best, host.number))

    # -- after the fetch

    def release(self, seq: int, now: float, *, rest: float | None = None, counted: bool = False) -> None:
        """The request is over: the host is no longer busy, and rests."""
        host = self.host_of(seq)
        self.hosts.count(host, counted)
        self.hosts.rest(host, now, rest)
        self.free(seq)

    def free(self, seq: int) -> None:
        """No request was sent, or it is over: another may be."""
        for host in self.hosts.free(self.host_of(seq)):
            self._announce(host)

    def settle(self, seq: int, standing: Standing) -> None:
        """The URL is finished; its priority is spent."""
        self._let_go(seq)
        self._urls.standings[seq] = standing
        self._urls.set_priority(seq, Priority())

    def put_back(self, seq: int) -> None:
        """The URL was not asked for after all: it waits as before."""
        self._let_go(seq)
        self._queue(seq)

    def postpone(self, seq: int, until: float) -> None:
        """The URL waits, and not before ``until`` is it tried again."""
        self._let_go(seq)
        self._urls.standings[seq] = DELAYED
        self.waiting += 1
        heapq.heappush(self._delayed, (until, seq))

    def withdraw(self, seq: int) -> None:
        """A URL that waits is refused without having been leased; its priority is spent."""
        standing = self._urls.standings[seq]
        if not self.waits(seq):
            raise ValueError(f"URL {seq} does not wait")
        self._urls.standings[seq] = REFUSED
        self._urls.set_priority(seq, Priority())
        self.waiting -= 1
        if standing == WAITING:
            host = self.host_of(seq)
            host.waiting -= 1
            self._tidy(host)

    def _let_go(self, seq: int) -> None:
        if self._urls.standings[seq] != LEASED:
            raise ValueError(f"URL {seq} is not leased")
        self.leased -= 1

    def _queue(self, seq: int) -> None:
        """Put a URL among the waiting ones of its host."""
        self._urls.standings[seq] = WAITING
        self.waiting += 1
        host = self.host_of(seq)
        host.waiting += 1
        self._push(host, seq)

    def _push(self, host: HostQueue, seq: int) -> None:
        rank = self._rank(seq)
        ranks = host.ranks
        heapq.heappush(ranks, rank)
        if ranks[0] == rank and self.hosts.is_free(host):
            heapq.heappush(self._ready, (rank, host.number))
        self._tidy(host)

    def _tidy(self, host: HostQueue) -> None:
        """Throw away what is stale where it is more than half, so that memory follows the URLs that wait."""
        if len(host.ranks) <= 64 + 2 * host.waiting:
            return
        waiting = {age(rank) for rank in host.ranks if self._urls.standings[age(rank)] == WAITING}
        host.ranks = [self._rank(seq) for seq in waiting]
        heapq.heapify(host.ranks)

    def _rank(self, seq: int) -> int:
        return pack(self._urls.tiers[seq], self._urls.scores[seq], seq)

    # -- offers

    def offer(
        self,
        proposals: Iterable[tuple[int, Proposal]],
        merge: Callable[[Entry, Proposal], Proposal],
        look_up: Callable[[int], Entry],
    ) -> Changes:
        """Take in (key of the URL, proposal); ``look_up`` reads a known URL's entry from the store."""
        changes = Changes()
        for key, proposal in proposals:
            if not math.isfinite(proposal.priority.score):
                raise ValueError(f"priority {proposal.priority.score} for {proposal.url}: must be finite")
            seq = self._urls.seqs.get(key)
            if seq is None:
                self._add(key, proposal, changes)
            else:
                self._merge(seq, proposal, merge, look_up, changes)
        return changes

    def _add(self, key: int, proposal: Proposal, changes: Changes) -> None:
        name = host_name(proposal.url)
        host = self.hosts.named(name)
        if host is None:
            host = self.hosts.add(name)
            changes.hosts.append(Host(number=host.number, name=name))
        seq = self._urls.add(key, host.number, proposal.priority)
        self._queue(seq)
        changes.new.append((seq, host.number, proposal))

    def _merge(
        self,
        seq: int,
        proposal: Proposal,
        merge: Callable[[Entry, Proposal], Proposal],
        look_up: Callable[[int], Entry],
        changes: Changes,
    ) -> None:
        standing = self._urls.standings[seq]
        finished = standing not in UNFINISHED
        old = None
        if merge is keep_better:
            # The usual case, thirty times a page: decided by two numbers, without a look at the disk.
            wanted = proposal.revisit if finished else self._urls.is_better(proposal.priority, seq)
            if not wanted:
                return
            merged = proposal  # also of a finished URL: it has spent what it held
            if finished:
                old = look_up(seq)
        else:
            old = self.as_it_stands(look_up(seq))
            merged = merge(old, proposal)
            unchanged = merged.priority == old.priority and merged.memo == old.memo
            if unchanged and not (finished and proposal.revisit):
                return
        self._urls.set_priority(seq, merged.priority)
        changes.changed.append((seq, merged, old))
        if finished and proposal.revisit:
            changes.revisits.append(seq)
            self._queue(seq)
        elif standing == WAITING:
            self._push(self.host_of(seq), seq)

    def overwrite(self, ranking: Ranking) -> None:
        """Replace the priorities of waiting URLs; others, and keys never seen, are passed over."""
        self._urls.overwrite(ranking)
        self.overwritten = True
        self._rebuild()
