"""Labels: what people say of a crawl's pages, for judges to relearn from."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from homing import urls
from homing.errors import FolderError, UsageError
from homing.store.catalog import schema
from homing.store.catalog.database import ErrorTranslator, open_for_writing
from homing.store.lock import Lock

_INSERT = "INSERT OR REPLACE INTO labels (seq, relevant, at) VALUES (?, ?, ?)"
_SELECT = "SELECT seq, url, relevant, at FROM labels JOIN urls USING (seq) ORDER BY seq"


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A person's verdict on one page."""

    seq: int
    url: str
    relevant: bool
    at: float
    """Seconds since 1970."""


def insert_label(db: sqlite3.Connection, seq: int, relevant: bool, *, at: float) -> None:
    """Write a label; it replaces an earlier one of the same page."""
    db.execute(_INSERT, (seq, int(relevant), at))


def select_labels(db: sqlite3.Connection) -> list[Label]:
    """Return every label."""
    rows = db.execute(_SELECT).fetchall()
    return [Label(seq=seq, url=url, relevant=bool(relevant), at=at) for seq, url, relevant, at in rows]


def label_pages(folder: Path, labels: Mapping[str, bool], *, wall: Callable[[], float]) -> None:
    """Label pages of a crawl that is not running, by their URLs: all of them, or none.

    Parameters
    ----------
    folder
        The crawl folder. It is locked meanwhile.
    labels
        Whether each page is on the topic.
    wall
        Returns the seconds since 1970.
    """
    path = folder / "crawl.db"
    if not path.is_file():
        raise FolderError(f"{folder} holds no crawl; name the folder that `homing crawl` wrote to")
    with ExitStack() as undo:
        undo.enter_context(ErrorTranslator(path))
        schema.recognise(path)
        lock = Lock(folder / "lock", command="labelling")
        undo.callback(lock.release)
        db = open_for_writing(path)
        undo.callback(db.close)  # rolls back what is open
        schema.migrate(db, path)
        db.execute("BEGIN IMMEDIATE")
        for url, relevant in labels.items():
            known = urls.key(urls.canonical(url) or url)
            found = db.execute("SELECT seq FROM urls WHERE key = ?", (known,)).fetchone()
            if found is None:
                raise UsageError(f"{url} is unknown to the crawl in {folder}")
            insert_label(db, found[0], relevant, at=wall())
        db.execute("COMMIT")
