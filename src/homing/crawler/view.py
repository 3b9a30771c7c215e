"""The whole crawl as arrays, for strategies that rank by the graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from homing.frontier import Frontier
from homing.ports import Store


class CrawlView:
    """``ports.View`` over a frontier and a store."""

    def __init__(self, frontier: Frontier, store: Store) -> None:
        self._frontier = frontier
        self._store = store

    def waiting(self) -> NDArray[np.int64]:
        return self._frontier.waiting_seqs()

    def keys(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._frontier.keys_of(seqs)

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self._store.links()

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        return self._store.judged()
