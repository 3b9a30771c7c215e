"""Why URLs stand where a re-rank has put them.

A re-rank gives new priorities to a million URLs at once. Writing a million reasons to disk as well would take
a minute, so they stay here until the URL is leased or its priority changes again. There may be many names of
parts, but each URL has a few of them: a row holds which they are, one byte each, and their values. A finished
URL keeps only four bytes. Strategies that never re-rank have no rows and cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from homing.model import Why

Floats = NDArray[np.float64]

_NONE = 255


class Reasons:
    """The named parts of priorities that re-ranks gave, by the URL's number.

    Examples
    --------
    >>> reasons = Reasons()
    >>> reasons.replace(np.array([0, 2]), {"rank": np.array([3.0, 2.0]), "context": np.array([np.nan, 0.5])})
    >>> [reasons.why(seq) for seq in range(3)]
    [(('rank', 3.0),), (), (('rank', 2.0), ('context', 0.5))]
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._rows = np.zeros(0, np.int32)
        """Which row each URL has, as far as the last re-rank reached; -1 for none."""
        self._which = np.zeros((0, 0), np.uint8)
        """Positions in ``_names`` of a URL's parts. Rows no longer in use go at the next re-rank."""
        self._values = np.zeros((0, 0), np.float32)
        self.reach = 0
        """No URL from this number on has a row: before the first re-rank, none has."""

    def replace(self, seqs: NDArray[np.int64], parts: Mapping[str, Floats]) -> None:
        """Give these URLs these parts, and no others."""
        numbers = [self._number(name) for name in parts]
        columns = np.column_stack(list(parts.values())) if parts else np.zeros((len(seqs), 0))
        rows, names = np.nonzero(np.isfinite(columns))
        counts = np.bincount(rows, minlength=len(seqs))
        nth = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        first = self._make_room(seqs, int(counts.max(initial=0)))
        self._which[first + rows, nth] = np.array(numbers, np.uint8)[names]
        self._values[first + rows, nth] = columns[rows, names]

    def forget(self, seq: int) -> None:
        """Drop the parts of a URL: it has another priority, and the store knows why."""
        if seq < self.reach:
            self._rows[seq] = -1

    def why(self, seq: int) -> Why:
        """Return the parts of a URL's priority; none where no re-rank gave it."""
        row = int(self._rows[seq]) if seq < self.reach else -1
        if row < 0:
            return ()
        parts = zip(self._which[row].tolist(), self._values[row].tolist(), strict=True)
        return tuple((self._names[number], value) for number, value in parts if number != _NONE)

    def of(self, seqs: NDArray[np.int64]) -> dict[str, Floats]:
        """Return the parts of many URLs, as ``replace`` takes them."""
        reached = np.flatnonzero(seqs < len(self._rows))
        reached = reached[self._rows[seqs[reached]] >= 0]
        there = self._rows[seqs[reached]]
        which, values = self._which[there], self._values[there]
        rows, nth = np.nonzero(which != _NONE)
        columns = np.full((len(self._names), len(seqs)), np.nan)
        columns[which[rows, nth], reached[rows]] = values[rows, nth]
        return dict(zip(self._names, columns, strict=True))

    def _number(self, name: str) -> int:
        if name not in self._names:
            if len(self._names) == _NONE:
                raise ValueError(
                    f"a strategy may name {_NONE} parts of its priorities, and {name!r} is one more"
                )
            self._names.append(name)
        return self._names.index(name)

    def _make_room(self, seqs: NDArray[np.int64], width: int) -> int:
        """Append rows of at least that width for these URLs; return the position of the first."""
        reach = max(len(self._rows), int(seqs.max(initial=-1)) + 1)
        self._rows = np.pad(self._rows, (0, reach - len(self._rows)), constant_values=-1)
        self.reach = reach
        self._rows[seqs] = -1
        others = np.flatnonzero(self._rows >= 0)
        kept = self._rows[others]
        shape = len(others) + len(seqs), max(width, self._which.shape[1])
        which, values = np.full(shape, _NONE, np.uint8), np.zeros(shape, np.float32)
        which[: len(others), : self._which.shape[1]] = self._which[kept]
        values[: len(others), : self._values.shape[1]] = self._values[kept]
        self._which, self._values = which, values
        self._rows[others] = np.arange(len(others))
        self._rows[seqs] = len(others) + np.arange(len(seqs))
        return len(others)
