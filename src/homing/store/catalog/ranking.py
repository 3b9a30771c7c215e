"""The priorities that re-ranks had given when a crawl was stopped: packed arrays, written at the stop."""

from __future__ import annotations

import sqlite3

import numpy as np

from homing.model import Ranking


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
    """Return the saved ranking, if there is one."""
    row = db.execute("SELECT keys, tiers, scores FROM ranking").fetchone()
    if row is None:
        return None
    keys, tiers, scores = row
    parts = db.execute("SELECT name, numbers FROM ranking_parts ORDER BY rowid").fetchall()
    return Ranking(
        keys=np.frombuffer(keys, dtype="<i8").astype(np.int64),
        tiers=np.frombuffer(tiers, dtype="<i4").astype(np.int32),
        scores=np.frombuffer(scores, dtype="<f8").astype(np.float64),
        parts={name: np.frombuffer(numbers, dtype="<f8").astype(np.float64) for name, numbers in parts},
    )


def delete_ranking(db: sqlite3.Connection) -> None:
    """Delete the saved ranking: once the crawl resumes it is no longer true."""
    db.execute("DELETE FROM ranking")
    db.execute("DELETE FROM ranking_parts")
