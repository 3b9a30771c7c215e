"""Hashed features: the terms of a text as numbers below a fixed bound, without a vocabulary.

A model over hashed features has one weight a bucket, whatever the words. Two terms may share a bucket; with
2**18 of them the loss is negligible. The bucket of a term is the same in every process, on every machine and
in every version, so that models can be saved.

The hashes of a chunk are cached as bytes, ready to be joined: a third less time than a bag of the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from homing.text.words import ChunkCache, chunk_terms, chunks, primary

BUCKETS = 2**18

_NUMBER = np.dtype("<u4")


def bucket(term: str) -> int:
    """Return the bucket of a term.

    >>> bucket("butterfli"), bucket("蝴蝶")
    (17272, 221654)
    """
    return term_hash(term) % BUCKETS


def term_hash(term: str) -> int:
    """Return 32 bits for a term, where buckets are too few to distinguish two."""
    return crc32(term.encode())


def hashed(texts: Sequence[str], language: str = "en") -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the buckets of the terms of several texts, in order, and the borders between the texts.

    Those of text ``i`` are ``numbers[borders[i] : borders[i + 1]]``. This is how scipy lays out the rows of
    a sparse matrix: ``csr_array((ones, numbers, borders), shape=(len(texts), BUCKETS))``.

    >>> numbers, borders = hashed(["The gardens", "", "a butterfly garden"])
    >>> borders.tolist(), numbers.tolist() == [bucket(term) for term in ("garden", "butterfli", "garden")]
    ([0, 1, 1, 3], True)
    """
    found, borders = term_hashes(texts, language)
    return (found % BUCKETS).astype(np.int32), borders


def term_hashes(texts: Sequence[str], language: str = "en") -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Return the same as whole hashes, which differ for different terms.

    The latest two results are cached, as a judge and a strategy often read the same links one after the
    other: their anchors and the words around them.
    """
    return _term_hashes(tuple(texts), primary(language))


@lru_cache(maxsize=2)
def _term_hashes(texts: tuple[str, ...], code: str) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    packed = _packed(code)
    rows = [b"".join(map(packed.__getitem__, chunks(text))) for text in texts]
    borders = np.zeros(len(texts) + 1, np.int32)
    np.cumsum([len(row) // _NUMBER.itemsize for row in rows], out=borders[1:])
    borders.flags.writeable = False
    return np.frombuffer(b"".join(rows), _NUMBER), borders


class _Packed(ChunkCache[bytes]):
    """Chunk to the hashes of its terms."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._terms = chunk_terms(language)

    def compute(self, chunk: bytes) -> bytes:
        return np.array([term_hash(term) for term in self._terms[chunk]], _NUMBER).tobytes()


@lru_cache(maxsize=16)
def _packed(code: str) -> _Packed:
    return _Packed(code)
