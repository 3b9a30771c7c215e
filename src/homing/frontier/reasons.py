"""Why URLs stand where a re-rank has put them.

A re-rank gives new priorities to a million URLs at once. To write a million reasons to the disk as well
would take a minute, so they stay here as a column of numbers for each part, until the URL is taken or its
priority changes again. Strategies that never re-rank have no columns, and pay nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from homing.model import Why

Floats = NDArray[np.float64]


class Reasons:
    """The named parts of priorities that re-ranks gave, by the URL's number."""

    def __init__(self) -> None:
        self._columns: dict[str, Floats] = {}
        """At place ``seq``, as far as the last re-rank reached; NaN where there is no such part."""

    def replace(self, seqs: NDArray[np.int64], parts: Mapping[str, Floats]) -> None:
        """These URLs have these parts now, and no others."""
        size = int(seqs.max(initial=-1)) + 1
        for name in (*self._columns, *(each for each in parts if each not in self._columns)):
            column = _reaching(size, self._columns.get(name))
            column[seqs] = parts.get(name, np.nan)
            self._columns[name] = column

    def forget(self, seq: int) -> None:
        """The URL has another priority, and the store knows why."""
        for column in self._columns.values():
            if seq < len(column):
                column[seq] = np.nan

    def why(self, seq: int) -> Why:
        """The parts of a URL's priority; none where no re-rank gave it."""
        reached = ((name, float(column[seq])) for name, column in self._columns.items() if seq < len(column))
        return tuple((name, value) for name, value in reached if np.isfinite(value))

    def of(self, seqs: NDArray[np.int64]) -> dict[str, Floats]:
        """The parts of many, as ``replace`` takes them."""
        size = int(seqs.max(initial=-1)) + 1
        return {name: _reaching(size, column)[seqs] for name, column in self._columns.items()}


def _reaching(size: int, column: Floats | None) -> Floats:
    """The column, with room for so many URLs."""
    if column is None:
        return np.full(size, np.nan)
    return np.pad(column, (0, size - len(column)), constant_values=np.nan) if len(column) < size else column
