"""What the strategy has learnt, as it was last saved.

It is JSON, and may be tens of megabytes of it, once a minute. SQLite makes several copies of a value before
it is on the disk: a row for every megabyte keeps them small.
"""

from __future__ import annotations

import sqlite3
from typing import cast

import orjson

from homing.model import State

_PIECE = 2**20


def insert_state(db: sqlite3.Connection, step: int, state: State) -> None:
    """Keep a state and the step it was saved at; it replaces the one before."""
    text = memoryview(orjson.dumps({"step": step, "state": state}, option=orjson.OPT_SERIALIZE_NUMPY))
    db.execute("DELETE FROM strategy_state")
    db.executemany(
        "INSERT INTO strategy_state (place, text) VALUES (?, ?)",
        ((start, text[start : start + _PIECE]) for start in range(0, len(text), _PIECE)),
    )


def select_state(db: sqlite3.Connection) -> tuple[int, State] | None:
    """The state that was kept, and its step."""
    pieces = [text for (text,) in db.execute("SELECT text FROM strategy_state ORDER BY place")]
    if not pieces:
        return None
    saved = orjson.loads(b"".join(pieces))
    return int(saved["step"]), cast("State", saved["state"])
