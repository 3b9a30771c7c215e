"""Hashed features: the terms of a text as numbers below a fixed bound, with no vocabulary to keep.

A model over hashed features has one weight a bucket, whatever words it meets. Two terms may share a bucket;
among 2**18 of them that costs next to nothing. The number of a term is the same in every process, on every
machine and in every version, so that models can be kept.

A chunk's numbers are kept as bytes, ready to be joined: a third less time than a bag of the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from homing.text.words import Remembered, chunks, finished, primary

BUCKETS = 2**18

_NUMBER = np.dtype("<u4")


def bucket(term: str) -> int:
    """The number of a term.

    >>> bucket("butterfli"), bucket("蝴蝶")
    (17272, 221654)
    """
    return fingerprint(term) % BUCKETS


def fingerprint(term: str) -> int:
    """Four bytes that stand for a term where buckets are too few to tell two apart."""
    return crc32(term.encode())


def hashed(texts: Sequence[str], language: str = "en") -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The numbers of the terms of several texts, in order, and the borders between the texts.

    Those of text ``i`` are ``numbers[borders[i] : borders[i + 1]]``. This is how scipy lays out the rows of
    a sparse matrix: ``csr_array((ones, numbers, borders), shape=(len(texts), BUCKETS))``.

    >>> numbers, borders = hashed(["The gardens", "", "a butterfly garden"])
    >>> borders.tolist(), numbers.tolist() == [bucket(term) for term in ("garden", "butterfli", "garden")]
    ([0, 1, 1, 3], True)
    """
    found, borders = fingerprints(texts, language)
    return (found % BUCKETS).astype(np.int32), borders


def fingerprints(texts: Sequence[str], language: str = "en") -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """The same, but whole: those of different terms differ.

    The latest two answers are kept, as a judge and a strategy often read the same links one after the other,
    their anchors and what stands around them.
    """
    return _fingerprints(tuple(texts), primary(language))


@lru_cache(maxsize=2)
def _fingerprints(texts: tuple[str, ...], code: str) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    packed = _packed(code)
    rows = [b"".join(map(packed.__getitem__, chunks(text))) for text in texts]
    borders = np.zeros(len(texts) + 1, np.int32)
    np.cumsum([len(row) // _NUMBER.itemsize for row in rows], out=borders[1:])
    borders.flags.writeable = False
    return np.frombuffer(b"".join(rows), _NUMBER), borders


class _Packed(Remembered[bytes]):
    """Chunk to the fingerprints of its terms."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._terms = finished(language)

    def work_out(self, chunk: bytes) -> bytes:
        return np.array([fingerprint(term) for term in self._terms[chunk]], _NUMBER).tobytes()


@lru_cache(maxsize=16)
def _packed(code: str) -> _Packed:
    return _Packed(code)
