"""What may be asked about known URLs: where they stand, what they are worth, whose they are."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from homing.frontier.hosts import HostQueue, Hosts
from homing.frontier.ledger import DELAYED, LEASED, REFUSED, WAITING, Ledger
from homing.model import Entry, Priority, Ranking, Standing


class KnownUrls:
    """All URLs that a crawl has heard of, by ``seq``: the half of the frontier that changes nothing."""

    def __init__(self, hosts: Hosts) -> None:
        self.hosts = hosts
        self._urls = Ledger()

    def __len__(self) -> int:
        return len(self._urls)

    def seq_of(self, key: int) -> int | None:
        """The number of a URL, if it is known."""
        return self._urls.seqs.get(key)

    def standing_of(self, seq: int) -> Standing:
        """Where a URL stands; leased and delayed ones wait."""
        standing = self._urls.standings[seq]
        return Standing.WAITING if standing in (LEASED, DELAYED) else Standing(standing)

    def waits(self, seq: int) -> bool:
        """Is the URL in the queue, be it that it was delayed?"""
        return self._urls.standings[seq] in (WAITING, DELAYED)

    def is_refused(self, seq: int) -> bool:
        """Was the URL turned down for good? Asked of every link, so it is quicker than ``standing_of``."""
        return self._urls.standings[seq] == REFUSED

    def priority_of(self, seq: int) -> Priority:
        return self._urls.priority_of(seq)

    def as_it_stands(self, entry: Entry) -> Entry:
        """The store's entry with the priority it has by now, and why, where a re-rank gave it."""
        why = self._urls.reasons.why(entry.seq) or entry.why
        return replace(entry, priority=self.priority_of(entry.seq), why=why)

    def host_of(self, seq: int) -> HostQueue:
        return self.hosts[self._urls.hosts[seq]]

    def waiting_seqs(self) -> NDArray[np.int64]:
        """The numbers of all URLs that may be leased, oldest first."""
        return self._urls.standing_as(WAITING)

    def unfinished_seqs(self, hosts: Collection[int] | None = None) -> NDArray[np.int64]:
        """The same with those that are delayed; only of these hosts, if any are named."""
        seqs = self._urls.standing_as(WAITING, DELAYED)
        return seqs if hosts is None else seqs[np.isin(self._urls.hosts_of(seqs), list(hosts))]

    def keys_of(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        """The keys of these URLs."""
        return self._urls.keys_of(seqs)

    def priorities_of(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Tiers and scores of these URLs."""
        return self._urls.priorities_of(seqs)

    def ranking(self) -> Ranking:
        """The priorities of all URLs that wait, delayed ones too, as ``overwrite`` takes them."""
        seqs = self._urls.standing_as(WAITING, DELAYED)
        tiers, scores = self._urls.priorities_of(seqs)
        parts = self._urls.reasons.of(seqs)
        return Ranking(keys=self.keys_of(seqs), tiers=tiers, scores=scores, parts=parts)
