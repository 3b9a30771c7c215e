"""The words of links, and their fitted weights: which lead to the topic, whatever they mean."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from homing.model import Link
from homing.strategies.adaptive.co_occurrence import WORDS
from homing.text.hashing import hashed

BUCKETS = 2**16
"""Words are numbered below this, so that two bytes hold one."""

_FIRST = (0, WORDS, WORDS + 2**14)
"""Where the numbers begin of words around a link, of its anchor and of the folders it leads to: each kind
has its own range, so a number also tells where the word stood."""
FOLDERS = BUCKETS - _FIRST[-1]
"""Folders are numbered below this."""
_MOST_AROUND, _MOST_IN_ANCHOR, MOST_FOLDERS = 16, 6, 4
_STEPS = 12

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint16]


def words_of_links(links: Sequence[Link], language: str) -> tuple[Words, Numbers]:
    """Return the numbers of the words of each link, one link after the other, and how many each has.

    Those around it, those of its anchor, and the host and folders that it leads to, as a word each.

    >>> words, counts = words_of_links([Link(url="http://a.example/garden/moths", anchor="Moths")], "en")
    >>> len(words), counts.tolist()
    (3, [3])
    """
    kinds = (
        _first_words([link.around for link in links], language, _MOST_AROUND),
        _first_words([link.anchor for link in links], language, _MOST_IN_ANCHOR),
        _folders([link.url for link in links]),
    )
    ends = (*_FIRST[1:], BUCKETS)
    found = [
        first + words % (end - first) for (words, _), first, end in zip(kinds, _FIRST, ends, strict=True)
    ]
    owners = np.concatenate([owners for _, owners in kinds])
    order = np.argsort(owners, kind="stable")
    return np.concatenate(found)[order].astype(np.uint16), np.bincount(owners, minlength=len(links))


def _first_words(texts: Sequence[str], language: str, most: int) -> tuple[Numbers, Numbers]:
    """Return the numbers of the first words of each text, and the text each is of."""
    found, borders = hashed(texts, language)
    owners = np.repeat(np.arange(len(texts)), np.diff(borders))
    few = np.arange(len(found)) - borders[owners] < most
    return found[few].astype(np.int64), owners[few]


def _folders(urls: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Return the numbers of the hosts of URLs and of the folders below, and the URL each is of."""
    found = [_folder_numbers(url[: url.rfind("/") + 1]) for url in urls]
    owners = np.repeat(np.arange(len(urls)), [len(each) for each in found])
    return np.array(list(chain.from_iterable(found)), np.int64), owners


def folders_of(url: str) -> Numbers:
    """Return the number of the host of a URL, and those of the folders that it lies in.

    >>> len(folders_of("http://a.example/garden/moths")), len(folders_of("http://a.example/"))
    (2, 1)
    """
    return _folders([url])[0]


@lru_cache(maxsize=4_096)
def _folder_numbers(folder: str) -> tuple[int, ...]:
    """Return a number for each folder on the path to this one, its host first."""
    ends = [place for place, letter in enumerate(folder) if letter == "/"][2 : 2 + MOST_FOLDERS]
    return tuple(crc32(folder[:end].encode("utf-8", "replace")) % FOLDERS for end in ends)


def leading_to(words: Words, owners: Numbers) -> tuple[Words, Numbers]:
    """Return the words that are folders, as ``folders_of`` numbers them, and the link each is of."""
    stands = words >= _FIRST[2]
    return words[stands] - np.uint16(_FIRST[2]), owners[stands]


def around(words: Words, owners: Numbers) -> tuple[Words, Numbers]:
    """Return the words that stand around links, anchors included, and the link each is of."""
    stands = words < _FIRST[1]
    return words[stands], owners[stands]


def shares(words: Words, owners: Numbers) -> Floats:
    """Return how much each word of a link counts: each kind of words is a vector of length one."""
    bags = len(_FIRST) * owners + np.searchsorted(_FIRST, words, side="right") - 1
    return np.asarray(1 / np.sqrt(np.bincount(bags))[bags])


def summed(words: Words, owners: Numbers, weights: Floats, *, count: int) -> Floats:
    """Return the sum of the words' weights for each of ``count`` links."""
    return np.bincount(owners, shares(words, owners) * weights[words], count).astype(np.float64)


def weigh(words: Words, values: Floats, owners: Numbers, scores: Floats, *, pull: float) -> Floats:
    """Return the weight of every word that best predicts, from bags of words, the scores of their pages.

    A ridge regression, by a few steps of conjugate gradients on its dual: there are more words than pages.

    Parameters
    ----------
    words, values, owners
        The words of all bags, how much of each there is, and which bag it is in.
    scores
        One a bag.
    pull
        How strongly weights are shrunk to 0.

    Examples
    --------
    >>> words, owners, scores = np.array([7, 9], np.uint16), np.array([0, 1]), np.array([1.0, 0.0])
    >>> weights = weigh(words, np.ones(2), owners, scores, pull=1.0)
    >>> weights[[7, 8, 9]].tolist()
    [0.25, 0.0, -0.25]
    """

    def gathered(pages: Floats) -> Floats:
        return np.bincount(words, values * pages[owners], BUCKETS).astype(np.float64)

    def spread(weights: Floats) -> Floats:
        return np.bincount(owners, values * weights[words], len(scores)).astype(np.float64)

    solution, rest = np.zeros(len(scores)), scores - scores.mean()
    direction, size = rest, float(rest @ rest)
    for _ in range(_STEPS):
        if size < 1e-12:
            break
        onward = spread(gathered(direction)) + pull * direction
        step = size / float(direction @ onward)
        solution, rest = solution + step * direction, rest - step * onward
        size, before = float(rest @ rest), size
        direction = rest + size / before * direction
    return gathered(solution)
