"""What the three ports of the catalog share: the open transaction, the archive and the lock."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from homing.store.archive.warc import Archive
from homing.store.catalog.database import ErrorTranslator
from homing.store.lock import Lock

Keep = Literal["all", "relevant"]


class CatalogBase:
    """One connection to ``crawl.db`` with a transaction that is always open, and the archive beside it.

    Parameters
    ----------
    db, path
        A writer's connection to a catalog of the present schema, and its path.
    archive
        The WARC files that belong to it.
    lock
        The lock on the crawl folder.
    strategy
        Name of the strategy, for the metadata records.
    keep
        ``relevant``: only bodies of relevant pages are archived.
    wall
        Returns the seconds since 1970.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        path: Path,
        archive: Archive,
        lock: Lock,
        *,
        strategy: str,
        keep: Keep,
        wall: Callable[[], float],
    ) -> None:
        self._db = db
        self._archive = archive
        self._lock = lock
        self._strategy = strategy
        self._keep = keep
        self._wall = wall
        self._errors = ErrorTranslator(path, db)
        with self._errors:
            self._db.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Write the archive to the disk, then commit what points at it."""
        with self._errors:
            sizes = self._archive.flush()
            self._db.executemany("INSERT OR REPLACE INTO archive (file, size) VALUES (?, ?)", sizes.items())
            self._db.execute("COMMIT")
            self._db.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        """Release the crawl; what was not committed is rolled back."""
        try:
            self._db.close()
        finally:
            self._archive.close()
            self._lock.release()
