"""The company that words keep: a word is about the topic if the pages are that have it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

WORDS = 2**15
"""Words are numbered below this where it is told what company they keep: those of links take less room so."""


class Company(NamedTuple):
    """How relevant the pages are that have each word.

    A link to *Chaffinch* on a page about Norway says little. But other pages have that word too, and those
    are about birds.

    Examples
    --------
    >>> relevance, rarity = np.zeros(WORDS), np.zeros(WORDS)
    >>> relevance[[7, 8]], rarity[[7, 8]] = (0.4, -0.2), (2.0, 1.0)
    >>> words, links = np.array([7, 8, 8], np.uint16), np.array([0, 0, 1])
    >>> Company(relevance, rarity).of(words, links, count=3).round(2).tolist()
    [0.2, -0.2, 0.0]
    """

    relevance: NDArray[np.float64]
    """Of the pages with each word, above that of all pages."""
    rarity: NDArray[np.float64]
    """By how much a word counts."""

    def of(self, words: NDArray[np.uint16], owners: NDArray[np.int64], *, count: int) -> NDArray[np.float64]:
        """The mean over the words of each of so many links."""
        rarity = self.rarity[words]
        kept = np.bincount(owners, rarity * self.relevance[words], count)
        return np.asarray(kept / np.maximum(np.bincount(owners, rarity, count), 1e-9))


NO_COMPANY = Company(np.zeros(WORDS), np.zeros(WORDS))
"""Before it is known."""
