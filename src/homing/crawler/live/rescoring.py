"""The next ranking: a new strategy visits the pages of a crawl again and proposes priorities for all URLs."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from typing import TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from homing.model import Entry, Priority, Proposal, Ranking, Visit, Why
from homing.ports import Strategy, UrlTable
from homing.steps import learn_and_score, merged
from homing.urls import key

Number = TypeVar("Number", int, float)


class Rescoring:
    """A strategy that learns from archived pages, and the priorities it gives, merged as the frontier merges.

    Priorities are columns of numbers: a million proposals as they are would take half a gigabyte.

    Parameters
    ----------
    strategy
        As it was before the first page.
    urls
        The crawl's known URLs; no others are given a priority.
    """

    def __init__(self, strategy: Strategy, urls: UrlTable) -> None:
        self.strategy = strategy
        self.memos: dict[int, bytes] = {}
        self._urls = urls
        self._tiers = array("i")
        self._scores = array("d")
        """NaN where nothing was proposed."""
        self._parts: dict[str, array[float]] = {}

    def begin(self, seeds: Iterable[str]) -> None:
        """Offer the seeds."""
        for url in seeds:
            self._offer(self.strategy.start(url))

    def visit(self, visit: Visit) -> None:
        """Visit a page again: learn from it, and score its links."""
        entry = self.current(visit.entry)
        self._spend(entry.seq)
        page = replace(
            visit.page, links=tuple(link for link in visit.page.links if self._led_to(link.url, visit))
        )
        learn_and_score(self.strategy, replace(visit, entry=entry, page=page), self._take)

    def current(self, entry: Entry) -> Entry:
        """Return the entry with the priority it has here, if it has one."""
        seq = entry.seq
        if seq not in self:
            return entry
        return replace(entry, priority=self._priority(seq), memo=self.memos.get(seq, b""), why=self._why(seq))

    def ranking(self) -> tuple[NDArray[np.int64], Ranking]:
        """Return the queued URLs that have a priority here, and these priorities."""
        seqs = self._urls.unfinished_seqs()
        seqs = seqs[seqs < len(self._scores)]
        scores = np.array(self._scores, dtype=np.float64)
        seqs = seqs[~np.isnan(scores[seqs])]
        parts = {}
        for name, column in self._parts.items():
            whole = np.full(max(len(scores), len(column)), np.nan)
            whole[: len(column)] = column
            parts[name] = whole[seqs]
        tiers = np.array(self._tiers, dtype=np.int32)[seqs]
        return seqs, Ranking(keys=self._urls.keys_of(seqs), tiers=tiers, scores=scores[seqs], parts=parts)

    def __contains__(self, seq: int) -> bool:
        return seq < len(self._scores) and not math.isnan(self._scores[seq])

    def _led_to(self, url: str, visit: Visit) -> bool:
        """Tell whether this link leads to a URL that is known and was not refused."""
        seq = None if visit.page.nofollow else self._urls.seq_of(key(url))
        return seq is not None and seq != visit.entry.seq and not self._urls.is_refused(seq)

    def _take(self, proposals: Iterable[Proposal], visit: Visit) -> None:
        for proposal in proposals:
            self._offer(proposal)

    def _offer(self, proposal: Proposal) -> None:
        """Merge a proposal, which need not be the first for its URL."""
        seq = self._urls.seq_of(key(proposal.url))
        if seq is None:
            return
        if seq in self:
            old = Entry(key=0, url=proposal.url, priority=self._priority(seq), seq=seq)
            remains = merged(
                self.strategy, proposal, old.priority, finished=False, read=lambda: self.current(old)
            )
            if remains is None:
                return
            proposal, _ = remains
        self._set(seq, proposal)

    def _set(self, seq: int, proposal: Proposal) -> None:
        _reach(self._scores, seq, math.nan)
        _reach(self._tiers, seq, 0)
        self._spend(seq)
        self._tiers[seq], self._scores[seq] = proposal.priority.tier, proposal.priority.score
        if proposal.memo:
            self.memos[seq] = proposal.memo
        for name, value in proposal.why:
            column = self._parts.setdefault(name, array("d"))
            _reach(column, seq, math.nan)
            column[seq] = value

    def _spend(self, seq: int) -> None:
        """Forget what was proposed for a URL: it is visited, or has something better."""
        if seq in self:
            self._scores[seq] = math.nan
            self.memos.pop(seq, None)
            for column in self._parts.values():
                if seq < len(column):
                    column[seq] = math.nan

    def _priority(self, seq: int) -> Priority:
        return Priority(tier=self._tiers[seq], score=self._scores[seq])

    def _why(self, seq: int) -> Why:
        reached = ((name, column[seq]) for name, column in self._parts.items() if seq < len(column))
        return tuple((name, value) for name, value in reached if not math.isnan(value))


def _reach(column: array[Number], seq: int, filler: Number) -> None:
    """Make room for that number, and for more: growing costs little if it is rare."""
    if seq >= len(column):
        column.extend([filler] * (seq + 1_000 - len(column)))
