"""Word embeddings: a vector for each of 396,000 English words and names, similar for similar meanings.

A chaffinch and a sparrow share no letters, and no page of a crawl need have both. Three sources relate them:
the GloVe vectors of Pennington, Socher and Manning (2014), in the public domain, from the contexts of words
in six billion; WordNet (Princeton University; its licence lies beside the table), which says that both are
birds, and classifies a hundred thousand other nouns, *Battle of Hastings* among them; and the sentence model
all-MiniLM-L6-v2 (Reimers and Gurevych 2019), applied to each name and its WordNet gloss. The model itself is
not needed while a crawl runs: ``experiments/word_vectors/table.py`` merged all three into one vector in the
64 directions in which names differ most, four bits each. A name is looked up by a number made of the hashes
of its words, in order; stop words alone are left out.

Nothing is read before the first lookup, and then only the part of the file that is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.lib.format import open_memmap
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from homing.text.hashing import term_hash
from homing.text.words import words

DIRECTIONS = 64
"""Numbers of a vector."""
LONGEST = 4
"""Maximum words of a name."""
MIDDLE = 8
"""The encoding of 0: four bits hold 0 to 15."""

_JOIN = np.uint32(2_654_435_761)
"""An odd number without a pattern, so that the same words in another order get another number."""

FOLDER = Path(__file__).parent

Numbers = NDArray[np.int64]
Rows = NDArray[np.uint32]
Vectors = NDArray[np.float32]
Number = TypeVar("Number", np.uint32, np.int64)


def known(texts: Sequence[str], *, most: int) -> tuple[Rows, Numbers]:
    """Return the known words and names in several texts, as rows of the table, and their count in each text.

    A name of several words is one, and its words are not counted again. Of each text the first ``most`` are
    returned.

    >>> rows, counts = known(["A chaffinch, a sparrow!", "the battle of Hastings", "xyzzyx of the"], most=6)
    >>> len(rows), counts.tolist()
    (3, [2, 1, 0])
    """
    found = [words(text) for text in texts]
    numbers = np.array([term_hash(word) for word in chain.from_iterable(found)], np.uint32)
    owners = np.repeat(np.arange(len(texts)), [len(each) for each in found])
    rows = _rows_of(joined(_ahead(numbers, beyond=0)))
    rows[_ahead(owners, beyond=-1) != owners[:, None]] = -1  # a name does not go on in the next text
    longest = LONGEST - 1 - np.argmax(rows[:, ::-1] >= 0, axis=1)
    rows = rows[np.arange(len(rows)), longest]
    kept = _without_overlap(np.where(rows >= 0, longest + 1, 1))
    kept = kept[rows[kept] >= 0]
    rows, owners = rows[kept], owners[kept]
    counts = np.bincount(owners, minlength=len(texts))
    few = np.arange(len(rows)) - (np.cumsum(counts) - counts)[owners] < most
    return rows[few].astype(np.uint32), np.minimum(counts, most)


def joined(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the numbers of names from those of their words, a row each: the first word, the first two, ...

    >>> joined(np.array([[7, 0]], np.uint32)).tolist()
    [[7, 1401181143]]
    """
    names = numbers.copy()
    for length in range(1, names.shape[1]):
        names[:, length] += names[:, length - 1] * _JOIN  # overflow beyond four bytes is dropped
    return names


def summed(rows: Rows, owners: Numbers, *, count: int) -> Vectors:
    """Return the sum of the vectors of each of ``count`` owners at length 1; 0 for an owner without rows.

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
    """Return each vector at length 1; 0 stays 0."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors / np.maximum(lengths, 1e-9)[:, None], np.float32)


def _ahead(values: NDArray[Number], *, beyond: int) -> NDArray[Number]:
    """Return the next ``LONGEST`` values from every place; ``beyond`` fills the places behind the last.

    >>> _ahead(np.array([7, 8]), beyond=0).tolist()
    [[7, 8, 0, 0], [8, 0, 0, 0]]
    """
    padded = np.append(values, np.full(LONGEST, beyond, values.dtype))  # a quarter of the time of ``np.pad``
    return sliding_window_view(padded, LONGEST)[:-1]


def _without_overlap(spans: Numbers) -> Numbers:
    """Return the places at which words or names begin, given the span of each.

    >>> _without_overlap(np.array([1, 2, 2, 1])).tolist()
    [0, 1, 3]
    """
    if spans.max(initial=1) == 1:
        return np.arange(len(spans))
    kept, free = [], 0
    for place, span in enumerate(spans.tolist()):
        if place >= free:
            kept.append(place)
            free = place + span
    return np.array(kept)


def _rows_of(numbers: NDArray[np.uint32]) -> Numbers:
    """Return the rows of these numbers; -1 where there is none.

    Sorted first, which halves the time: each is found near the one before.
    """
    wanted, places = np.unique(numbers, return_inverse=True)
    listed = _words()
    rows = np.minimum(np.searchsorted(listed, wanted), len(listed) - 1)
    return np.where(listed[rows] == wanted, rows, -1)[places].reshape(numbers.shape)


def _vectors_of(rows: Rows) -> Vectors:
    pairs = _pairs()[rows]
    unpacked = np.empty((len(rows), DIRECTIONS), np.float32)
    unpacked[:, 0::2], unpacked[:, 1::2] = pairs >> 4, pairs & 15
    return one_long(unpacked - MIDDLE)


@lru_cache(maxsize=1)
def _words() -> NDArray[np.uint32]:
    """Open the numbers of all words and names, in order."""
    return np.asarray(open_memmap(FOLDER / "words.npy", mode="r"))


@lru_cache(maxsize=1)
def _pairs() -> NDArray[np.uint8]:
    """Open their vectors, two numbers a byte."""
    return np.asarray(open_memmap(FOLDER / "vectors.npy", mode="r"))
