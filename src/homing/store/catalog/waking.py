"""What a catalog remembers of the crawl as a whole: read when a crawl wakes up, and for views of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from homing.errors import DamagedError
from homing.model import Host, Known, Standing, Tally
from homing.store.catalog.rows import unpack_seqs

_PORTION = 10_000


def known(db: sqlite3.Connection, path: Path) -> Known:
    """Every known URL as parallel arrays; a million in little more than a second."""
    count = db.execute("SELECT coalesce(max(seq) + 1, 0) FROM urls").fetchone()[0]
    rows = db.execute("SELECT key, host, standing, tier, score FROM urls ORDER BY seq")
    table = np.empty(count, dtype="i8, i4, i1, i4, f8")
    filled = 0
    # In portions: a million tuples at once would keep the garbage collector busy for seconds.
    while portion := rows.fetchmany(_PORTION):
        table[filled : filled + len(portion)] = portion
        filled += len(portion)
    if filled != count:
        raise DamagedError(f"{path} has lost {count - filled} URLs; restore it from a copy")
    keys, hosts, standings, tiers, scores = (table[name].copy() for name in table.dtype.names or ())
    return Known(keys=keys, hosts=hosts, standings=standings, tiers=tiers, scores=scores)


def hosts(db: sqlite3.Connection) -> list[Host]:
    """Every host in order of its number."""
    rows = db.execute("SELECT number, name, delay, asked FROM hosts ORDER BY number").fetchall()
    return [Host(number=number, name=name, delay=delay, asked=asked) for number, name, delay, asked in rows]


# Not later than the wait that was wished, counted from now: the clock may have been set back since.
_DELAYED = """
    SELECT seq, min(retry_at, :wall + retry_at - coalesce(
        (SELECT at FROM failures WHERE failures.seq = urls.seq ORDER BY id DESC LIMIT 1), :wall)) AS until
    FROM urls WHERE retry_at IS NOT NULL ORDER BY until, seq
"""


def delayed(db: sqlite3.Connection, wall: float) -> list[tuple[int, float]]:
    """(seq, seconds since 1970) of URLs that may not be asked before that time, the earliest first."""
    return db.execute(_DELAYED, {"wall": wall}).fetchall()


def roots(db: sqlite3.Connection) -> list[str]:
    """URLs that were found on no page."""
    return [url for (url,) in db.execute("SELECT url FROM urls WHERE parent IS NULL ORDER BY seq")]


# A URL counts once, by its last failure, and not at all if it has been given another chance since.
_GIVEN_UP = """
    SELECT last.kind, count(*) AS n
    FROM (SELECT seq, kind, max(id) FROM failures WHERE final GROUP BY seq) AS last JOIN urls USING (seq)
    WHERE standing IN (?, ?)
    GROUP BY last.kind ORDER BY n DESC, last.kind
"""


def tally(db: sqlite3.Connection) -> Tally:
    """What was fetched and what was given up."""
    kinds = {
        kind: (count, relevant)
        for kind, count, relevant in db.execute(
            "SELECT kind, count(*), sum(relevant) FROM visits GROUP BY kind"
        )
    }
    pages, relevant = kinds.get("page", (0, 0))
    return Tally(
        pages=pages, relevant=relevant, redirects=kinds.get("redirect", (0, 0))[0], failed=given_up(db)
    )


def given_up(db: sqlite3.Connection) -> dict[str, int]:
    """URLs that will not be asked again, by kind of failure, the most frequent first."""
    return dict(db.execute(_GIVEN_UP, (int(Standing.FAILED), int(Standing.REFUSED))).fetchall())


def answers(db: sqlite3.Connection) -> Iterator[tuple[str, int, int | None]]:
    """(URL, status, fingerprint) of every page in order of arrival; ``None`` where none was read.

    By its first visit: one that was asked for again is like itself, and no trap for that.
    """
    rows = db.execute(
        "SELECT url, status, fingerprint, visits.score IS NULL, seq FROM visits JOIN urls USING (seq)"
        " WHERE visits.kind = 'page' ORDER BY id"
    )
    seen: set[int] = set()
    for url, status, fingerprint, unread, seq in rows:
        if seq not in seen:
            seen.add(seq)
            yield url, status, None if unread else fingerprint % (1 << 64)


def fact(db: sqlite3.Connection, name: str) -> Any:
    """What was noted under that name; ``None`` if nothing was."""
    row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if row is None else orjson.loads(row[0])


def links(db: sqlite3.Connection) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every link as (from, to)."""
    rows = db.execute("SELECT seq, targets FROM links ORDER BY seq").fetchall()
    pages = np.fromiter((seq for seq, _ in rows), dtype=np.int64, count=len(rows))
    counts = np.fromiter((len(packed) // 4 for _, packed in rows), dtype=np.int64, count=len(rows))
    return np.repeat(pages, counts), unpack_seqs(b"".join([packed for _, packed in rows]))


def judged(db: sqlite3.Connection) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """``seq`` and score of every judged page."""
    rows = db.execute(
        "SELECT seq, score FROM visits WHERE kind = 'page' AND score IS NOT NULL ORDER BY id DESC"
    ).fetchall()
    table = np.array(rows, dtype="i8, f8")
    # Newest first: of a page that was visited twice, the first one found is the one that holds.
    seqs, places = np.unique(table["f0"], return_index=True)
    return seqs, table["f1"][places]
