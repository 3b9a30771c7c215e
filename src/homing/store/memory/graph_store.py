"""The link graph, from memory: ``ports.GraphStore``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from homing.store.memory.tables import MemoryTables


class MemoryGraph(MemoryTables):
    """Reads who links to whom, and how the pages were judged."""

    def targets(self, seq: int) -> Sequence[int]:
        return self._links.get(seq, ())

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        pages = sorted(self._links)
        counts = [len(self._links[page]) for page in pages]
        targets = list(chain.from_iterable(self._links[page] for page in pages))
        return np.repeat(np.array(pages, dtype=np.int64), counts), np.array(targets, dtype=np.int64)

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        pages = sorted(self._scores)
        scores = [self._scores[page] for page in pages]
        return np.array(pages, dtype=np.int64), np.array(scores, dtype=np.float64)
