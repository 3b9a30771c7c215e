"""A table of numbers in columns that grow, for numpy."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
from isal import isal_zlib
from numpy.typing import ArrayLike, DTypeLike, NDArray

from homing.bounded import allowance, inflate
from homing.model import State

_ROOM = 256
_COMPRESSED = "deflate:"
"""Prefix of a compressed array; base64 has no colon."""
FREELY = 64 * 1024 * 1024
"""Bytes that any array may become, such as eight million zeros; a strategy has a dozen."""


class Columns:
    """Columns of the same length, each of its own type; rows are added at the end and cut from the front.

    A type may be of several numbers, such as ``"3f4"``.

    Examples
    --------
    >>> table = Columns(page="i4", score="f4")
    >>> table.add(3, page=[7, 8, 9], score=0.5)
    >>> table.cut(1)
    >>> len(table), table["page"].tolist(), table["score"].tolist()
    (2, [8, 9], [0.5, 0.5])
    >>> again = Columns(page="i4", score="f4")
    >>> again.restore(table.state())
    >>> again["page"].tolist()
    [8, 9]
    """

    def __init__(self, **types: DTypeLike) -> None:
        self._columns = {name: np.empty(_ROOM, kind) for name, kind in types.items()}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column, as a view that may be written to."""
        return self._columns[name][: self._count]

    def add(self, rows: int, **values: ArrayLike) -> None:
        """Append rows, with a value for every column."""
        count = self._count + rows
        for name, column in self._columns.items():
            if count > len(column):
                room = (max(count, 3 * len(column) // 2), *column.shape[1:])
                self._columns[name] = grown = np.empty(room, column.dtype)
                grown[: self._count] = column[: self._count]
            self._columns[name][self._count : count] = values[name]
        self._count = count

    def cut(self, rows: int) -> None:
        """Remove rows at the front."""
        self._columns = {name: self[name][rows:].copy() for name in self._columns}
        self._count -= rows

    def state(self) -> State:
        """Return the rows as plain data."""
        return {name: packed(self[name]) for name in self._columns}

    def restore(self, state: object, former_names: Mapping[str, str] | None = None) -> None:
        """Replace the rows by those of ``state``, in which columns may still have their former names."""
        saved = dict(state) if isinstance(state, Mapping) else {}
        for name, former in (former_names or {}).items():
            if former in saved:
                saved[name] = saved.pop(former)
        self._columns = {
            name: unpacked(saved[name], column.dtype).reshape(-1, *column.shape[1:])
            for name, column in self._columns.items()
        }
        self._count = min(map(len, self._columns.values()))


def revise(table: Columns, keys: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
    """Put new scores into the rows of a table that have these keys.

    >>> table = Columns(key="i8", score="f4")
    >>> table.add(2, key=[7, 8], score=0.5)
    >>> revise(table, np.array([9, 8]), np.array([0.25, 1.0]))
    >>> table["score"].tolist()
    [0.5, 1.0]
    """
    order = np.argsort(keys, kind="stable")
    places = np.minimum(np.searchsorted(keys, table["key"], sorter=order), len(keys) - 1)
    found = keys[order[places]] == table["key"]
    table["score"][found] = scores[order[places[found]]]


def packed(numbers: NDArray[Any]) -> str:
    """Encode an array as text."""
    # Compressed, because a strategy's state is in memory again as text and as JSON while it is saved. Of 14
    # MB that leaves 5, in 20 ms.
    return _COMPRESSED + base64.b64encode(isal_zlib.compress(np.ascontiguousarray(numbers), 1)).decode()


def unpacked(text: object, kind: DTypeLike) -> NDArray[Any]:
    """Decode the array of ``packed``, as one that may be written to.

    >>> unpacked(packed(np.arange(3, dtype="i4")), "i4").tolist()
    [0, 1, 2]
    """
    saved = str(text)
    content = base64.b64decode(saved.removeprefix(_COMPRESSED))
    if saved.startswith(_COMPRESSED):  # older crawls have uncompressed arrays
        content = inflate(content, most=allowance(len(content), freely=FREELY))
    return np.frombuffer(content, kind).copy()
