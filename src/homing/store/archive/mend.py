"""After a power cut: replies that the catalog points at and whose records are not on the disk.

Records are written to the disk before the transaction that points at them, so that a kill never leaves any.
But a disk may not keep what it promises, and a file that was copied may have been cut short. Then these
visits are written off and their URLs are queued again with the priority they had: they are fetched once more,
and the links found on them stay known.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from homing.errors import DamagedError
from homing.model import Standing
from homing.store.archive.reading import records_at
from homing.store.archive.warc import file_name

_IN_FILE = "SELECT id, warc_offset FROM visits WHERE warc_file = ? ORDER BY id DESC"
_SELECT_LOST = """
    SELECT seq, kind, tier, priority, memo, priority_why FROM visits AS v
    WHERE id IN (SELECT id FROM temp.lost) AND kind <> 'lost' ORDER BY id
"""
_SELECT_LATER = """
    SELECT DISTINCT v.seq FROM visits AS v JOIN visits AS later
        ON later.seq = v.seq AND later.id > v.id
        AND later.kind <> 'lost' AND later.id NOT IN (SELECT id FROM temp.lost)
    WHERE v.id IN (SELECT id FROM temp.lost)
"""
_SELECT_EARLIER = """
    SELECT seq, max(id) FROM visits
    WHERE kind NOT IN ('unchanged', 'lost') AND id NOT IN (SELECT id FROM temp.lost)
        AND seq IN (SELECT seq FROM visits WHERE id IN (SELECT id FROM temp.lost))
    GROUP BY seq
"""
# The row stays: whatever follows a crawl relies on numbers that only grow.
_WRITE_OFF = """
    UPDATE visits SET kind = 'lost', warc_file = NULL, warc_offset = NULL, warc_length = NULL
    WHERE id IN (SELECT id FROM temp.lost)
"""
_PUT_BACK = "UPDATE urls SET standing = ?, tier = ?, score = ?, memo = ?, why = ?, visit = ? WHERE seq = ?"
_UNCOUNT_PAGE = "UPDATE hosts SET asked = asked - 1 WHERE number = (SELECT host FROM urls WHERE seq = ?)"


def mend(db: sqlite3.Connection, folder: Path) -> int:
    """Write off the replies at the end of the archive that cannot be read; return their number.

    It takes one transaction of its own and leaves the files in ``folder`` for the archive to cut back. An
    archive that is whole costs a look at its last reply.
    """
    lost = 0
    db.execute("BEGIN IMMEDIATE")
    for file, size in db.execute("SELECT file, size FROM archive ORDER BY file DESC").fetchall():
        path = folder / file_name(file)
        if not path.exists():
            raise DamagedError(
                f"{path} is missing; restore it from a copy,"
                f" or homing check {quote(str(folder.parent))} --mend has its pages fetched again"
            )
        first, end = _last_whole(db.execute(_IN_FILE, (file,)), path)
        if first is not None or path.stat().st_size < size:
            query = "SELECT id FROM visits WHERE id >= ? AND warc_file = ?"
            lost += write_off(db, [number for (number,) in db.execute(query, (first, file))])
            # A file without a reply is started again.
            db.execute("UPDATE archive SET size = ? WHERE file = ?", (end, file))
            db.execute("DELETE FROM archive WHERE file = ? AND size = 0", (file,))
        if end:
            break
    db.execute("COMMIT")
    return lost


def end_of_reply(path: Path, offset: int) -> int | None:
    """Return where the records of the reply at this byte end; ``None`` if they are incomplete."""
    with path.open("rb") as file:
        try:
            *_, last = records_at(file, offset)
        except ValueError:
            return None
        return last.end


def _last_whole(newest_first: sqlite3.Cursor, path: Path) -> tuple[int | None, int]:
    """Return the first visit whose reply is lost, if any, and where the last whole reply of a file ends."""
    lost = None
    for number, offset in newest_first:
        end = end_of_reply(path, offset)
        if end is not None:
            newest_first.close()
            return lost, end
        lost = number
    return lost, 0


def write_off(db: sqlite3.Connection, visits: Iterable[int]) -> int:
    """Take back these visits within the open transaction; return their number.

    Their URLs are queued again, but for those that were visited again since.
    """
    db.execute("CREATE TEMP TABLE IF NOT EXISTS lost (id INTEGER PRIMARY KEY)")
    db.execute("DELETE FROM temp.lost")
    db.executemany("INSERT OR IGNORE INTO temp.lost (id) VALUES (?)", ((visit,) for visit in visits))
    lost = db.execute(_SELECT_LOST).fetchall()
    earlier = dict(db.execute(_SELECT_EARLIER).fetchall())
    visited_again = {seq for (seq,) in db.execute(_SELECT_LATER)}
    db.execute(_WRITE_OFF)
    for seq, kind, *taken_with in lost:
        if seq not in visited_again:
            db.execute(_PUT_BACK, (int(Standing.WAITING), *taken_with, earlier.get(seq), seq))
        if kind == "page":
            db.execute(_UNCOUNT_PAGE, (seq,))
    return len(lost)
