"""After a power cut: replies that the catalog points at and whose records are not on the disk.

Records are written to the disk before the transaction that points at them, so that a kill never leaves any.
But a disk may not keep what it promises, and a file that was copied may have been cut short. Then these
visits are written off and their URLs are queued again with the priority they had: they are fetched once more,
and the links found on them stay known.
"""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

from homing.errors import DamagedError
from homing.model import Standing
from homing.store.archive.warc import RECORDS, file_name

_PIECE = 64 * 1024
_GZIP = 16 + zlib.MAX_WBITS

_IN_FILE = "SELECT id, warc_offset FROM visits WHERE warc_file = ? ORDER BY id DESC"
_SELECT_LOST = """
    SELECT seq, kind, tier, priority, memo, priority_why FROM visits
    WHERE id >= :first AND warc_file = :file ORDER BY id
"""
_SELECT_EARLIER = """
    SELECT seq, max(id) FROM visits
    WHERE kind NOT IN ('unchanged', 'lost') AND (id < :first OR warc_file IS NOT :file)
        AND seq IN (SELECT seq FROM visits WHERE id >= :first AND warc_file = :file)
    GROUP BY seq
"""
# The row stays: whatever follows a crawl relies on numbers that only grow.
_WRITE_OFF = """
    UPDATE visits SET kind = 'lost', warc_file = NULL, warc_offset = NULL, warc_length = NULL
    WHERE id >= :first AND warc_file = :file
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
    for (file,) in db.execute("SELECT file FROM archive ORDER BY file DESC").fetchall():
        path = folder / file_name(file)
        if not path.exists():
            raise DamagedError(f"{path} is missing; restore it from a copy or choose another folder")
        first, end = _last_whole(db.execute(_IN_FILE, (file,)), path)
        if first is not None:
            lost += _write_off(db, file, first)
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
        file.seek(offset)
        rest = b""
        for _ in range(RECORDS):
            member = zlib.decompressobj(_GZIP)
            while not member.eof:
                piece = rest or file.read(_PIECE)
                if not piece:
                    return None
                try:
                    member.decompress(piece)
                except zlib.error:
                    return None
                rest = member.unused_data
        return file.tell() - len(rest)


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


def _write_off(db: sqlite3.Connection, file: int, first: int) -> int:
    """Take back the visits of a file from that one on; return their number."""
    bounds = {"file": file, "first": first}
    lost = db.execute(_SELECT_LOST, bounds).fetchall()
    earlier = dict(db.execute(_SELECT_EARLIER, bounds).fetchall())
    db.execute(_WRITE_OFF, bounds)
    for seq, kind, *taken_with in lost:
        db.execute(_PUT_BACK, (int(Standing.WAITING), *taken_with, earlier.get(seq), seq))
        if kind == "page":
            db.execute(_UNCOUNT_PAGE, (seq,))
    return len(lost)
