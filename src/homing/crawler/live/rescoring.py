"""What a strategy says of all URLs when it meets the pages of a crawl again: priorities in the making."""

from __future__ import annotations

import math
from array import array

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from homing.frontier import Frontier
from homing.model import Entry, Priority, Proposal, Ranking, Why, keep_better
from homing.ports import Strategy


class Words:
    """A strategy's word on each URL, by its number, merged as the frontier would merge them.

    Held as columns of numbers: a million proposals as they are would take half a gigabyte.
    """

    def __init__(self) -> None:
        self.memos: dict[int, bytes] = {}
        self._tiers = array("i")
        self._scores = array("d")
        """NaN where nothing was said."""
        self._parts: dict[str, array[float]] = {}

    def __contains__(self, seq: int) -> bool:
        return seq < len(self._scores) and not math.isnan(self._scores[seq])

    def hear(self, strategy: Strategy, seq: int, proposal: Proposal) -> None:
        """The strategy proposes a URL, perhaps not for the first time."""
        if seq in self:
            old = self.as_said(Entry(key=0, url=proposal.url, priority=Priority(), seq=seq))
            if strategy.merge is keep_better and not proposal.priority.better_than(old.priority):
                return
            proposal = strategy.merge(old, proposal)
        self._reach(seq)
        self._tiers[seq], self._scores[seq] = proposal.priority.tier, proposal.priority.score
        self._forget(seq)
        if proposal.memo:
            self.memos[seq] = proposal.memo
        for name, value in proposal.why:
            column = self._parts.setdefault(name, array("d"))
            _reach(column, seq)
            column[seq] = value

    def as_said(self, entry: Entry) -> Entry:
        """The entry with what was said of it, if anything was."""
        seq = entry.seq
        if seq not in self:
            return entry
        priority = Priority(tier=self._tiers[seq], score=self._scores[seq])
        return replace(entry, priority=priority, memo=self.memos.get(seq, b""), why=self._why(seq))

    def spend(self, seq: int) -> None:
        """The page is visited: what was said of it is used up."""
        if seq in self:
            self._scores[seq] = math.nan
            self._forget(seq)

    def ranking(self, frontier: Frontier) -> tuple[NDArray[np.int64], Ranking]:
        """The URLs that wait and that something was said of, and their new priorities."""
        seqs = frontier.unfinished_seqs()
        seqs = seqs[seqs < len(self._scores)]
        scores = np.array(self._scores, dtype=np.float64)
        seqs = seqs[~np.isnan(scores[seqs])]
        parts = {}
        for name, column in self._parts.items():
            whole = np.full(max(len(scores), len(column)), np.nan)
            whole[: len(column)] = column
            parts[name] = whole[seqs]
        tiers = np.array(self._tiers, dtype=np.int32)[seqs]
        return seqs, Ranking(keys=frontier.keys_of(seqs), tiers=tiers, scores=scores[seqs], parts=parts)

    def _why(self, seq: int) -> Why:
        reached = ((name, column[seq]) for name, column in self._parts.items() if seq < len(column))
        return tuple((name, value) for name, value in reached if not math.isnan(value))

    def _forget(self, seq: int) -> None:
        self.memos.pop(seq, None)
        for column in self._parts.values():
            if seq < len(column):
                column[seq] = math.nan

    def _reach(self, seq: int) -> None:
        _reach(self._scores, seq)
        if seq >= len(self._tiers):
            self._tiers.extend([0] * (len(self._scores) - len(self._tiers)))


def _reach(column: array[float], seq: int) -> None:
    """Make room for that number, and for some more: growing costs little if it is done seldom."""
    if seq >= len(column):
        column.extend([math.nan] * (seq + 1_000 - len(column)))
