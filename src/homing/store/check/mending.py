"""Take back what is damaged: pages are queued again, the rest is built again from what is whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from homing.store.archive.mend import mend, write_off
from homing.store.archive.warc import file_name
from homing.store.catalog.database import ErrorTranslator, open_for_writing
from homing.store.catalog.ranking import take_ranking
from homing.store.catalog.strategy_state import take_state
from homing.store.check.finding import Part
from homing.store.folder import Layout, examine
from homing.store.index import clear_away
from homing.store.lock import Lock
from homing.store.set_aside import set_aside


class Mended(Struct, frozen=True, kw_only=True):
    """What was taken back."""

    pages: int
    """Replies whose records are damaged; their URLs are queued again."""
    aside: tuple[str, ...]
    """Files that were set aside, under their new names."""
    index: bool
    """Whether the index is built again by the next crawl or search."""


def mend_folder(folder: Path, visits: Iterable[int], parts: Iterable[Part]) -> Mended:
    """Mend a crawl folder that no crawl writes; one that is running is refused.

    Parameters
    ----------
    visits
        Those with damaged records.
    parts
        The parts of which something is wrong.
    """
    layout, parts, aside = Layout(folder), frozenset(parts), list[Path]()
    with ErrorTranslator(layout.database):
        lock = Lock(layout.lock, command="homing check --mend")
    try:
        examine(layout.database)
        with ErrorTranslator(layout.database), closing(open_for_writing(layout.database)) as db:
            pages = _queue_again(db, layout.warc, visits)
            if "strategy" in parts:
                aside.append(take_state(db, folder))
            if "ranking" in parts:
                aside.append(take_ranking(db, folder))
        if "inbox" in parts:
            aside.append(set_aside(layout.inbox))
        if "index" in parts:
            clear_away(layout.index)
    finally:
        lock.release()
    return Mended(pages=pages, aside=tuple(map(str, aside)), index="index" in parts)


def _queue_again(db: sqlite3.Connection, folder: Path, visits: Iterable[int]) -> int:
    """Write off these visits, and those of files that are missing or at the end of the archive."""
    db.execute("BEGIN IMMEDIATE")
    lost = write_off(db, visits)
    for (number,) in db.execute("SELECT file FROM archive").fetchall():
        if not (folder / file_name(number)).exists():
            db.execute("DELETE FROM archive WHERE file = ?", (number,))
    db.execute("COMMIT")
    lost += mend(db, folder)
    for number, size in db.execute("SELECT file, size FROM archive").fetchall():
        there = (folder / file_name(number)).stat().st_size
        if there < size:  # all that lay behind is written off
            db.execute("UPDATE archive SET size = ? WHERE file = ?", (there, number))
    return lost
