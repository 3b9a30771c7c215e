"""What words and names mean: a vector for each of 396,000 in English, near for those of like meaning.

A chaffinch and a sparrow share no letters, and no page of a crawl need have both. But people have written of
both in the same way, often enough for it to be counted: these are the GloVe vectors of Pennington, Socher and
Manning (2014), made from six billion words and given to the public domain. And somebody has written down that
both are birds, that a bird is an animal, and what kinds of things a hundred thousand other nouns name,
*Battle of Hastings* among them: that is WordNet (Princeton University; its licence lies beside the table).
And a model that was taught which sentences go together, all-MiniLM-L6-v2 (Reimers and Gurevych 2019), was
asked what it makes of each name and of how WordNet explains it; it is not asked again while a crawl runs.
Here all that is one vector, in the 64 directions in which names differ most, four bits each: see
``experiments/word_vectors.py``. Names are known by numbers made of the fingerprints of their words, in order;
stop words alone are left out.

Nothing is read before the first word is asked for, and then only as much of the file as is looked at.
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

from homing.text.hashing import fingerprint
from homing.text.words import words

DIRECTIONS = 64
"""Numbers of a vector."""
LONGEST = 4
"""Words of a name, at the most."""
MIDDLE = 8
"""What is written for 0: four bits hold 0 to 15."""

_JOIN = np.uint32(2_654_435_761)
"""An odd number without a pattern, so that the same words in another order get another number."""

FOLDER = Path(__file__).parent

Numbers = NDArray[np.int64]
Rows = NDArray[np.uint32]
Vectors = NDArray[np.float32]
Number = TypeVar("Number", np.uint32, np.int64)


def known(texts: Sequence[str], *, most: int) -> tuple[Rows, Numbers]:
    """The words and names in several texts that are known, as rows of the table, and how many each text has.

    A name of several words is one, and its words are not counted again. ``most`` are taken of each text, the
    first.

    >>> rows, counts = known(["A chaffinch, a sparrow!", "the battle of Hastings", "xyzzyx of the"], most=6)
    >>> len(rows), counts.tolist()
    (3, [2, 1, 0])
    """
    found = [words(text) for text in texts]
    numbers = np.array([fingerprint(word) for word in chain.from_iterable(found)], np.uint32)
    owners = np.repeat(np.arange(len(texts)), [len(each) for each in found])
    rows = _rows_of(joined(_ahead(numbers, beyond=0)))
    rows[_ahead(owners, beyond=-1) != owners[:, None]] = -1  # a name does not go on in the next text
    longest = LONGEST - 1 - np.argmax(rows[:, ::-1] >= 0, axis=1)
    rows = rows[np.arange(len(rows)), longest]
    kept = _one_after_the_other(np.where(rows >= 0, longest + 1, 1))
    kept = kept[rows[kept] >= 0]
    rows, owners = rows[kept], owners[kept]
    counts = np.bincount(owners, minlength=len(texts))
    few = np.arange(len(rows)) - (np.cumsum(counts) - counts)[owners] < most
    return rows[few].astype(np.uint32), np.minimum(counts, most)


def joined(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The numbers of names from those of their words, a row each: of the first word, the first two, so on.

    >>> joined(np.array([[7, 0]], np.uint32)).tolist()
    [[7, 1401181143]]
    """
    names = numbers.copy()
    for length in range(1, names.shape[1]):
        names[:, length] += names[:, length - 1] * _JOIN  # what does not fit into four bytes is let go
    return names


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


def _ahead(values: NDArray[Number], *, beyond: int) -> NDArray[Number]:
    """From every place on, as many values as a name has words at the most; ``beyond`` is behind the last.

    >>> _ahead(np.array([7, 8]), beyond=0).tolist()
    [[7, 8, 0, 0], [8, 0, 0, 0]]
    """
    padded = np.append(values, np.full(LONGEST, beyond, values.dtype))  # a quarter of the time of ``np.pad``
    return sliding_window_view(padded, LONGEST)[:-1]


def _one_after_the_other(spans: Numbers) -> Numbers:
    """The places at which words or names begin, where each takes so many places.

    >>> _one_after_the_other(np.array([1, 2, 2, 1])).tolist()
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
    """The rows of these numbers; -1 where there is none.

    Looked up in order, which takes half of the time: the next is found near the one before.
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
    """The numbers of all words and names, in order."""
    return np.asarray(open_memmap(FOLDER / "words.npy", mode="r"))


@lru_cache(maxsize=1)
def _pairs() -> NDArray[np.uint8]:
    """Their vectors, two numbers a byte."""
    return np.asarray(open_memmap(FOLDER / "vectors.npy", mode="r"))
