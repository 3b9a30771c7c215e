"""The priorities that re-ranks had given when a crawl was stopped: packed arrays, written at the stop."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np

from homing.model import Ranking
from homing.store.set_aside import keep_aside

_FILE = "ranking.state"


def insert_ranking(db: sqlite3.Connection, ranking: Ranking) -> None:
    """Save a ranking; it replaces the one before."""
    delete_ranking(db)
    arrays = (ranking.keys.astype("<i8"), ranking.tiers.astype("<i4"), ranking.scores.astype("<f8"))
    db.execute(
        "INSERT INTO ranking (id, keys, tiers, scores) VALUES (0, ?, ?, ?)",
        [array.tobytes() for array in arrays],
    )
    db.executemany(
        "INSERT INTO ranking_parts (name, numbers) VALUES (?, ?)",
        ((name, numbers.astype("<f8").tobytes()) for name, numbers in ranking.parts.items()),
    )


def select_ranking(db: sqlite3.Connection) -> Ranking | None:
    """Return the saved ranking, if there is one; a damaged one is a ``ValueError``."""
    row = db.execute("SELECT keys, tiers, scores FROM ranking").fetchone()
    if row is None:
        return None
    keys, tiers, scores = map(_blob_of, row)
    parts = db.execute("SELECT name, numbers FROM ranking_parts ORDER BY rowid").fetchall()
    ranking = Ranking(
        keys=np.frombuffer(keys, dtype="<i8").astype(np.int64),
        tiers=np.frombuffer(tiers, dtype="<i4").astype(np.int32),
        scores=np.frombuffer(scores, dtype="<f8").astype(np.float64),
        parts={
            str(name): np.frombuffer(_blob_of(numbers), dtype="<f8").astype(np.float64)
            for name, numbers in parts
        },
    )
    lengths = [ranking.tiers.size, ranking.scores.size, *(each.size for each in ranking.parts.values())]
    if any(length != ranking.keys.size for length in lengths):
        raise ValueError("its columns are not of one length")
    return ranking


def take_ranking(db: sqlite3.Connection, folder: Path) -> Path:
    """Move a saved ranking that cannot be used to a file of its own; return its name."""
    columns = db.execute("SELECT keys, tiers, scores FROM ranking").fetchone()
    aside = keep_aside(folder / _FILE, map(_blob_of, columns))
    delete_ranking(db)
    return aside


def _blob_of(value: object) -> bytes:
    """Return the bytes of a column, whatever a damaged file has there."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


def delete_ranking(db: sqlite3.Connection) -> None:
    """Delete the saved ranking: once the crawl resumes it is no longer true."""
    db.execute("DELETE FROM ranking")
    db.execute("DELETE FROM ranking_parts")
