"""The whole crawl as arrays, for strategies that rank by the graph."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from homing.model import Priority
from homing.ports import Frontier, GraphStore

SITEMAPS_FIRST = Priority(tier=-2_000_000_000)
"""Sitemaps cost no budget and show the way: they are fetched before the host's pages. No strategy has such a
tier, and none is shown them: a re-rank would take them for pages without a link to them."""
DUE = -2_140_000_000
LAST_DUE = -2_100_000_000
"""Between these are the tiers of pages that are fetched again (``live/refresh.py``), likewise not shown."""


class CrawlView:
    """``ports.View`` over a frontier and a store.

    Links and judgements are read from the store when they are first needed, and kept up to date from then on:
    ten million are read in seconds, and a strategy may need them every few pages.
    """

    def __init__(self, frontier: Frontier, store: GraphStore) -> None:
        self._frontier = frontier
        self._store = store
        self._sources = array("q")
        self._targets = array("q")
        self._linked: set[int] | None = None
        self._scores: dict[int, float] | None = None

    def waiting(self) -> NDArray[np.int64]:
        seqs = self._frontier.urls.queued_seqs()
        tiers, _ = self._frontier.urls.priorities_of(seqs)
        pages: NDArray[np.int64] = seqs[tiers > SITEMAPS_FIRST.tier]
        return pages

    def keys(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._frontier.urls.keys_of(seqs)

    def priorities(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        return self._frontier.urls.priorities_of(seqs)

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if self._linked is None:
            sources, targets = self._store.links()
            self._sources, self._targets = array("q", sources.tobytes()), array("q", targets.tobytes())
            self._linked = set(np.unique(sources).tolist())
        # Copies: an array cannot grow while numpy looks at it.
        return np.array(self._sources, dtype=np.int64), np.array(self._targets, dtype=np.int64)

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if self._scores is None:
            seqs, scores = self._store.judged()
            self._scores = dict(zip(seqs.tolist(), scores.tolist(), strict=True))
        count = len(self._scores)
        return (
            np.fromiter(self._scores, dtype=np.int64, count=count),
            np.fromiter(self._scores.values(), dtype=np.float64, count=count),
        )

    def judge(self, seq: int, score: float) -> None:
        """Note how a page was judged; the store has it already."""
        if self._scores is not None:
            self._scores[seq] = score

    def link(self, seq: int, targets: Sequence[int]) -> None:
        """Note where a page leads; the store has it already."""
        if self._linked is None:
            return
        if seq in self._linked:  # visited again: what it linked to before no longer counts
            self._linked = None
            return
        self._linked.add(seq)
        self._sources.extend([seq] * len(targets))
        self._targets.extend(targets)
