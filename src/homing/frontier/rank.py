"""A priority and a URL's age as one integer: the smaller, the sooner.

A heap of a million tuples costs 150 bytes an entry; a heap of integers costs 50, and comparing two of
them is one C call. From the high bits down: the tier, the negated score as 64 bits that sort like the
number they stand for, and the URL's number in order of discovery (so that the older wins a tie).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_AGE_BITS = 32
_SCORE_BITS = 64
_AGE = (1 << _AGE_BITS) - 1
_SIGN = 1 << 63
_ALL = (1 << _SCORE_BITS) - 1
_TIER_OFFSET = 1 << 31
"""Tiers are 32-bit and may be negative; in the rank they are not."""
_PORTION = 4_096
"""Ranks made at once: what each is made of takes three times its room."""

_as_bytes = struct.Struct(">d").pack
_as_integer = struct.Struct(">Q").unpack


def pack(tier: int, score: float, seq: int) -> int:
    """The rank of a URL.

    >>> pack(0, 0.9, 7) < pack(0, 0.5, 3) < pack(0, 0.5, 4) < pack(0, -1.0, 0) < pack(1, 9.0, 0)
    True
    """
    # Adding zero turns -0.0 into 0.0: equal scores must have equal bits. IEEE doubles sort like their
    # bits if negative ones are inverted and positive ones get the sign bit.
    bits: int = _as_integer(_as_bytes(0.0 - score))[0]
    bits = bits ^ _ALL if bits & _SIGN else bits | _SIGN
    return ((tier + _TIER_OFFSET) << (_SCORE_BITS + _AGE_BITS)) | (bits << _AGE_BITS) | seq


def pack_all(tiers: NDArray[np.int32], scores: NDArray[np.float64], seqs: NDArray[np.int64]) -> Iterator[int]:
    """``pack`` over arrays."""
    for start in range(0, len(seqs), _PORTION):
        part = slice(start, start + _PORTION)
        bits = (0.0 - scores[part]).view(np.uint64)
        negative = (bits & np.uint64(_SIGN)) != 0
        bits = np.where(negative, ~bits, bits | np.uint64(_SIGN))
        heads = (tiers[part].astype(np.int64) + _TIER_OFFSET).tolist()
        for head, score, seq in zip(heads, bits.tolist(), seqs[part].tolist(), strict=True):
            yield (head << (_SCORE_BITS + _AGE_BITS)) | (score << _AGE_BITS) | seq


def age(rank: int) -> int:
    """The URL's number that a rank ends in."""
    return rank & _AGE
