"""Co-occurrence: a word is about the topic if the pages that have it are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

WORDS = 2**15
"""Words are numbered below this in counts of co-occurrence, which takes less room."""


class CoOccurrence(NamedTuple):
    """How relevant the pages with each word are.

    A link to *Chaffinch* on a page about Norway says little. But other pages have that word too, and those
    are about birds.

    Examples
    --------
    >>> relevance, rarity = np.zeros(WORDS), np.zeros(WORDS)
    >>> relevance[[7, 8]], rarity[[7, 8]] = (0.4, -0.2), (2.0, 1.0)
    >>> words, links = np.array([7, 8, 8], np.uint16), np.array([0, 0, 1])
    >>> CoOccurrence(relevance, rarity).of(words, links, count=3).round(2).tolist()
    [0.2, -0.2, 0.0]
    """

    relevance: NDArray[np.float64]
    """The mean score of the pages with each word, less that of all pages."""
    rarity: NDArray[np.float64]
    """How much each word counts."""

    def of(self, words: NDArray[np.uint16], owners: NDArray[np.int64], *, count: int) -> NDArray[np.float64]:
        """Return the mean over the words of each of ``count`` links."""
        rarity = self.rarity[words]
        kept = np.bincount(owners, rarity * self.relevance[words], count)
        return np.asarray(kept / np.maximum(np.bincount(owners, rarity, count), 1e-9))


NO_CO_OCCURRENCE = CoOccurrence(np.zeros(WORDS), np.zeros(WORDS))
"""Before anything is known."""
