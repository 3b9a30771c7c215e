"""A table from 64-bit keys to consecutive numbers, in 13 bytes an entry.

A crawl never forgets a URL, so this is what its memory grows by. A dictionary of integers takes 150 bytes an
entry. Here keys are in a sorted array with their numbers beside them; the latest ones are in a small
dictionary, until there are enough of them to merge. Keys are hashes and evenly distributed, so that their
first bits give the place within sixteen or so: a lookup takes twice the time of a dictionary.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

_LATEST = 4_096
_SHARE = 64
"""The latest keys are merged when they are one in 64 of all: each key then moves at most 64 times for every
doubling of the table."""

_BUCKET_BITS = 4
"""Two to this power keys begin with the same bits."""


class Keys:
    """The number of each key; both are 64-bit integers, and numbers count from 0.

    Examples
    --------
    >>> known = Keys()
    >>> for number, key in enumerate([70, -5, 12]):
    ...     known.add(key, number)
    >>> known.get(-5), known.get(13), known.of(np.array([12, 13, 70])).tolist()
    (1, None, [2, -1, 0])
    >>> known.in_order().tolist()
    [70, -5, 12]
    """

    def __init__(self, keys: NDArray[np.int64] | None = None) -> None:
        keys = np.zeros(0, np.int64) if keys is None else keys
        order = np.argsort(keys, kind="stable")
        self._latest: dict[int, int] = {}
        self._use(keys[order], order.astype(np.uint32))

    def __len__(self) -> int:
        return len(self._sorted) + len(self._latest)

    def get(self, key: int) -> int | None:
        """Return the number of a key, if it is known."""
        if key in self._latest:
            return self._latest[key]
        bucket = (key >> self._shift) + self._half
        end = self._borders[bucket + 1]
        place = bisect_left(self._keys_seen, key, self._borders[bucket], end)
        return self._numbers_seen[place] if place < end and self._keys_seen[place] == key else None

    def add(self, key: int, number: int) -> None:
        """Add a key that is not known yet."""
        self._latest[key] = number
        self._merge_if_many()

    def of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of each of many keys; -1 for unknown ones."""
        found = np.full(len(keys), -1, np.int64)
        if len(self._sorted):
            place = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
            is_here = self._sorted[place] == keys
            found[is_here] = self._numbers[place[is_here]]
        missing = np.flatnonzero(found < 0)
        found[missing] = [self._latest.get(key, -1) for key in keys[missing].tolist()]
        return found

    def enter(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of each of many keys; unknown ones are added."""
        found = self.of(keys)
        unknown = keys[found < 0].tolist()
        entered = {key: number for number, key in enumerate(dict.fromkeys(unknown), start=len(self))}
        found[found < 0] = [entered[key] for key in unknown]
        self._latest.update(entered)
        self._merge_if_many()
        return found

    def in_order(self) -> NDArray[np.int64]:
        """Return all keys in the order of their numbers."""
        keys = np.zeros(len(self), np.int64)
        keys[self._numbers] = self._sorted
        keys[list(self._latest.values())] = list(self._latest)
        return keys

    def _merge_if_many(self) -> None:
        if len(self._latest) < max(_LATEST, len(self._sorted) // _SHARE):
            return
        keys = np.array(list(self._latest), np.int64)
        order = np.argsort(keys)
        numbers = np.array(list(self._latest.values()), np.uint32)[order]
        places = np.searchsorted(self._sorted, keys[order])
        self._latest = {}
        self._use(np.insert(self._sorted, places, keys[order]), np.insert(self._numbers, places, numbers))

    def _use(self, keys: NDArray[np.int64], numbers: NDArray[np.uint32]) -> None:
        bits = max(1, len(keys).bit_length() - _BUCKET_BITS)
        self._shift, self._half = 64 - bits, 1 << (bits - 1)  # keys have a sign
        edges = np.arange(-self._half, self._half + 1)
        self._sorted, self._numbers = keys, numbers
        # Plain integers of the same arrays: ``bisect`` takes a fifth of the time over these.
        self._keys_seen, self._numbers_seen = keys.data, numbers.data
        self._borders = np.searchsorted(keys >> self._shift, edges).astype(np.uint32).data
