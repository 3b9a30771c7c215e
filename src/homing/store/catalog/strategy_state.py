"""The state of the strategy, as it was last saved.

It is JSON, up to tens of megabytes once a minute. It is written part by part, a row for every megabyte: as a
whole it would be in memory twice, and SQLite makes several more copies of a value before it is on the disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

import orjson

from homing.bounded import TooLargeError, worded
from homing.errors import BrokenStateError
from homing.model import State
from homing.store.set_aside import keep_aside

_PIECE = 2**20
_FILE = "strategy.state"
LARGEST = 1024 * 1024 * 1024
"""Bytes of a state, as JSON; those of a million pages have tens of megabytes."""
_FEW = 100
"""A mapping of more names is a table, and is written as a whole, which is faster."""


def insert_state(db: sqlite3.Connection, step: int, state: State) -> None:
    """Save a state and its step; it replaces the one before."""
    pieces = _pieces(_parts({"step": step, "state": state}))
    db.execute("DELETE FROM strategy_state")
    db.executemany(
        "INSERT INTO strategy_state (place, text) VALUES (?, ?)",
        ((number * _PIECE, piece) for number, piece in enumerate(pieces)),
    )


def select_state(db: sqlite3.Connection) -> tuple[int, State] | None:
    """Return the saved state and its step; raise ``BrokenStateError`` if it is none."""
    (size,) = db.execute("SELECT coalesce(sum(length(text)), 0) FROM strategy_state").fetchone()
    if not size:
        return None
    try:
        if size > LARGEST:
            raise TooLargeError(f"it is larger than {worded(LARGEST)}")
        pieces = (text for (text,) in db.execute("SELECT text FROM strategy_state ORDER BY place"))
        saved = orjson.loads(b"".join(pieces))
        return int(saved["step"]), cast("State", saved["state"] | {})
    except (ValueError, LookupError, TypeError, OverflowError) as error:
        raise BrokenStateError(f"the saved state of the strategy is damaged ({error})") from None


def take_state(db: sqlite3.Connection, folder: Path) -> Path:
    """Move a saved state that cannot be used to a file of its own; return its name."""
    texts = db.execute("SELECT CAST(text AS BLOB) FROM strategy_state ORDER BY place")
    aside = keep_aside(folder / _FILE, (text for (text,) in texts))
    db.execute("DELETE FROM strategy_state")
    return aside


def _parts(value: object) -> Iterator[bytes]:
    """Yield a value as JSON, in parts.

    >>> b"".join(_parts({"seen": 7, "words": {"moth": [1, 2]}, "none": {}}))
    b'{"seen":7,"words":{"moth":[1,2]},"none":{}}'
    """
    if isinstance(value, Mapping) and 0 < len(value) <= _FEW and all(isinstance(name, str) for name in value):
        before = b"{"
        for name, part in value.items():
            yield before + orjson.dumps(name) + b":"
            yield from _parts(part)
            before = b","
        yield b"}"
    else:
        yield orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY)


def _pieces(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in pieces of one size, except the last."""
    held = bytearray()
    for part in parts:
        for start in range(0, len(part), _PIECE):
            held += memoryview(part)[start : start + _PIECE]
            if len(held) >= _PIECE:
                yield bytes(held[:_PIECE])
                del held[:_PIECE]
    if held:
        yield bytes(held)
