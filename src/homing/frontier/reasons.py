"""Why URLs stand where a re-rank has put them.

A re-rank gives new priorities to a million URLs at once. To write a million reasons to the disk as well
would take a minute, so they stay here until the URL is taken or its priority changes again. Of the many
names that parts may have, each URL has a few: so a row holds which they are, one byte each, and how much.
Strategies that never re-rank have no rows, and pay nothing.
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
        self._which = np.zeros((0, 0), np.uint8)
        """A row a URL, as far as the last re-rank reached: the places of its parts in ``_names``."""
        self._values = np.zeros((0, 0), np.float32)

    def replace(self, seqs: NDArray[np.int64], parts: Mapping[str, Floats]) -> None:
        """These URLs have these parts now, and no others."""
        numbers = [self._number(name) for name in parts]
        columns = np.column_stack(list(parts.values())) if parts else np.zeros((len(seqs), 0))
        rows, names = np.nonzero(np.isfinite(columns))
        counts = np.bincount(rows, minlength=len(seqs))
        nth = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        self._reach(int(seqs.max(initial=-1)) + 1, int(counts.max(initial=0)))
        self._which[seqs] = _NONE
        self._which[seqs[rows], nth] = np.array(numbers, np.uint8)[names]
        self._values[seqs[rows], nth] = columns[rows, names]

    def forget(self, seq: int) -> None:
        """The URL has another priority, and the store knows why."""
        if seq < len(self._which):
            self._which[seq] = _NONE

    def why(self, seq: int) -> Why:
        """The parts of a URL's priority; none where no re-rank gave it."""
        if seq >= len(self._which):
            return ()
        parts = zip(self._which[seq].tolist(), self._values[seq].tolist(), strict=True)
        return tuple((self._names[number], value) for number, value in parts if number != _NONE)

    def of(self, seqs: NDArray[np.int64]) -> dict[str, Floats]:
        """The parts of many, as ``replace`` takes them."""
        reached = np.flatnonzero(seqs < len(self._which))
        which, values = self._which[seqs[reached]], self._values[seqs[reached]]
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

    def _reach(self, rows: int, width: int) -> None:
        """Make room for so many URLs, and for so many parts of each."""
        missing = [
            (0, max(0, size - old)) for size, old in zip((rows, width), self._which.shape, strict=True)
        ]
        if np.any(missing):
            self._which = np.pad(self._which, missing, constant_values=_NONE)
            self._values = np.pad(self._values, missing)
