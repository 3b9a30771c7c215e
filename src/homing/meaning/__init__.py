"""What words mean: a vector for each of 317,000 English words and names, near for words of like meaning.

A chaffinch and a sparrow share no letters, and no page of a crawl need have both. But people have written of
both in the same way, often enough for it to be counted: these are the GloVe vectors of Pennington, Socher and
Manning (2014), made from six billion words and given to the public domain. Here they have the 48 directions
in which words differ most, without what all words have in common, in four bits each: see
``experiments/word_vectors.py``. Words are known by their fingerprints, in order; stop words are left out.

Nothing is read before the first word is asked for, and then only as much of the file as is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from homing.hashing import fingerprint
from homing.text import words

DIRECTIONS = 48
"""Numbers of a vector."""
MIDDLE = 8
"""What is written for 0: four bits hold 0 to 15."""

FOLDER = Path(__file__).parent

Numbers = NDArray[np.int64]
Rows = NDArray[np.uint32]
Vectors = NDArray[np.float32]


def known(texts: Sequence[str], *, most: int) -> tuple[Rows, Numbers]:
    """The words of several texts that are known, as rows of the table, and how many each text has.

    ``most`` are taken of each, the first.

    >>> rows, counts = known(["A chaffinch, a sparrow!", "xyzzyx of the"], most=6)
    >>> len(rows), counts.tolist()
    (2, [2, 0])
    """
    found = [words(text) for text in texts]
    numbers = np.array([fingerprint(word) for word in chain.from_iterable(found)], np.uint32)
    owners = np.repeat(np.arange(len(texts)), [len(each) for each in found])
    listed = _words()
    rows = np.minimum(np.searchsorted(listed, numbers), len(listed) - 1)
    is_known = listed[rows] == numbers
    rows, owners = rows[is_known], owners[is_known]
    counts = np.bincount(owners, minlength=len(texts))
    few = np.arange(len(rows)) - (np.cumsum(counts) - counts)[owners] < most
    return rows[few].astype(np.uint32), np.minimum(counts, most)


def summed(rows: Rows, owners: Numbers, *, count: int) -> Vectors:
    """What the words of each of so many owners mean together: one vector each, one long, 0 where it has none.

    ``owners`` are in order.

    >>> rows, counts = known(["chaffinch", "sparrow", "bicycle"], most=1)
    >>> bird, other, machine = summed(rows, np.arange(3), count=3)
    >>> bool(bird @ other > 0.25 > 0.1 > bird @ machine)
    True
    """
    total = np.zeros((count, DIRECTIONS), np.float32)
    if len(rows):
        met, places = np.unique(rows, return_inverse=True)
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        total[owners[starts]] = np.add.reduceat(_vectors_of(met)[places], starts, axis=0)
    return one_long(total)


def one_long(vectors: Vectors) -> Vectors:
    """Each vector at length 1; what is 0 stays so."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors / np.maximum(lengths, 1e-9)[:, None], np.float32)


def _vectors_of(rows: Rows) -> Vectors:
    pairs = _pairs()[rows]
    unpacked = np.empty((len(rows), DIRECTIONS), np.float32)
    unpacked[:, 0::2], unpacked[:, 1::2] = pairs >> 4, pairs & 15
    return one_long(unpacked - MIDDLE)


@lru_cache(maxsize=1)
def _words() -> NDArray[np.uint32]:
    """The fingerprints of all words, in order."""
    return np.asarray(open_memmap(FOLDER / "words.npy", mode="r"))


@lru_cache(maxsize=1)
def _pairs() -> NDArray[np.uint8]:
    """Their vectors, two numbers a byte."""
    return np.asarray(open_memmap(FOLDER / "vectors.npy", mode="r"))
