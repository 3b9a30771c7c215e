"""The similarity of pages: cosines of tf-idf vectors over a whole recorded web.

It is for measures only: a crawl cannot know how rare a word is on pages it has not seen.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.extras import check_installed
from homing.files import whole_file
from homing.lab.web.recorded import RecordedWeb
from homing.text.hashing import BUCKETS, hashed

_TEXT = 20_000
"""Maximum characters of a page that are read."""


class PageSimilarity:
    """The vectors of all pages of a web; computed once and stored beside it."""

    def __init__(self, web: RecordedWeb) -> None:
        self._web = web
        path = web.folder / f"vectors-{web.digest[:8]}-{str(web.facts['parser'])[:8]}.npz"
        if not path.exists():
            with whole_file(path) as file:
                _sparse().save_npz(file, _vectors(web))
        self._vectors = _sparse().load_npz(path).tocsr()

    def to(self, urls: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each page of the web, by its number, and a column for each of these pages."""
        models = self._vectors[[self._web.numbers[url] for url in urls]]
        cosines: NDArray[np.float32] = (self._vectors @ models.T).toarray()
        return cosines


def _vectors(web: RecordedWeb) -> Any:
    """Return unit vectors of (1 + ln tf) · idf, terms hashed."""
    rows: list[NDArray[np.int64]] = []
    columns: list[NDArray[np.int64]] = []
    counts: list[NDArray[np.int64]] = []
    for url in filter(web.has_page, web):
        page = web.page(url)
        terms, times = np.unique(hashed([page.text[:_TEXT]], page.language)[0], return_counts=True)
        rows.append(np.full(len(terms), web.numbers[url]))
        columns.append(terms.astype(np.int64))
        counts.append(times)
    shape = (max(web.numbers.values(), default=0) + 1, BUCKETS)
    column, row = np.concatenate(columns), np.concatenate(rows)
    rarity = np.log(1 + len(rows) / np.maximum(np.bincount(column, minlength=BUCKETS), 1))
    weights = (1 + np.log(np.concatenate(counts))) * rarity[column]
    lengths = np.sqrt(np.bincount(row, weights**2, minlength=shape[0]))
    return _sparse().csr_array(((weights / lengths[row]).astype(np.float32), (row, column)), shape=shape)


def _sparse() -> Any:
    check_installed("scipy", extra="lab", purpose="the lab")
    return importlib.import_module("scipy.sparse")
