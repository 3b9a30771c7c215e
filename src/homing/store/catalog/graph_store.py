"""The link graph of a catalog: ``ports.GraphStore``."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from homing.store.catalog.base import CatalogBase
from homing.store.catalog.rows import unpack_seqs


class CatalogGraph(CatalogBase):
    """Reads who links to whom, and how the pages were judged."""

    def targets(self, seq: int) -> Sequence[int]:
        """Return the URLs that a page or a redirect led to when it was last visited."""
        with self._errors:
            return select_targets(self._db, seq)

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return every link as (from, to)."""
        with self._errors:
            return select_links(self._db)

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return ``seq`` and score of every judged page."""
        with self._errors:
            rows = self._db.execute(
                "SELECT seq, score FROM visits WHERE kind = 'page' AND score IS NOT NULL ORDER BY id DESC"
            ).fetchall()
        table = np.array(rows, dtype="i8, f8")
        # Newest first: of a page that was visited twice, the first row found holds.
        seqs, places = np.unique(table["f0"], return_index=True)
        return seqs, table["f1"][places]


def select_targets(db: sqlite3.Connection, seq: int) -> list[int]:
    """Return the URLs that a page or a redirect leads to."""
    row = db.execute("SELECT targets FROM links WHERE seq = ?", (seq,)).fetchone()
    return [] if row is None else unpack_seqs(row[0]).tolist()


def select_links(db: sqlite3.Connection) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every link as (from, to)."""
    rows = db.execute("SELECT seq, targets FROM links ORDER BY seq").fetchall()
    pages = np.fromiter((seq for seq, _ in rows), dtype=np.int64, count=len(rows))
    counts = np.fromiter((len(packed) // 4 for _, packed in rows), dtype=np.int64, count=len(rows))
    return np.repeat(pages, counts), unpack_seqs(b"".join([packed for _, packed in rows]))
