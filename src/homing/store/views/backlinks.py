"""Which pages link to a URL, according to a crawl's catalog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


class CatalogBacklinks:
    """``ports.Backlinks`` among the pages that a crawl has fetched.

    Parameters
    ----------
    pages
        URL of every page by its number.
    sources, targets
        Every link, as numbers.
    """

    def __init__(
        self, pages: Mapping[int, str], sources: NDArray[np.int64], targets: NDArray[np.int64]
    ) -> None:
        order = np.lexsort((sources, targets))
        self._sources, self._targets = sources[order], targets[order]
        self._urls = pages
        self._numbers = {url: number for number, url in pages.items()}

    def parents(self, url: str) -> Sequence[str]:
        number = self._numbers.get(url)
        if number is None:
            return []
        first, last = np.searchsorted(self._targets, [number, number + 1])
        return [self._urls[seq] for seq in self._sources[first:last].tolist() if seq in self._urls]
