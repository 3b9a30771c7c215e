"""Commands to a running crawl: pause, resume, stop, more seeds, a block, another rate limit, labels.

Only the engine writes ``crawl.db``. Everyone else leaves a command here, in a small database of its own;
the engine takes it within a second and writes down what became of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from homing.errors import FolderError
from homing.store.catalog.database import PATIENCE, ErrorTranslator

# The database stamps the time itself, so that no clock has to travel with every command.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS wishes (
    id       INTEGER PRIMARY KEY,
    kind     TEXT NOT NULL,
    payload  TEXT NOT NULL,
    sent_at  REAL NOT NULL DEFAULT ((julianday('now') - 2440587.5) * 86400.0),
    note     TEXT
);
CREATE INDEX IF NOT EXISTS wishes_open ON wishes (id) WHERE note IS NULL;
"""

_SELECT = "SELECT id, kind, payload, sent_at, note FROM wishes"

REMEMBERED = 1_000
"""How many past commands are kept with their outcome: a watching page sends one every ten seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command to a crawl."""

    number: int
    kind: str
    """``pause``, ``stop``, ``block`` ...: those that ``crawler.live.commands`` obeys."""
    payload: Mapping[str, object]
    sent_at: float
    note: str | None = None
    """What became of it; ``None`` as long as it is open."""


class Inbox:
    """The commands to one crawl folder; any number of processes may have it open."""

    def __init__(self, folder: Path, *, patience: float = PATIENCE) -> None:
        if not folder.is_dir():
            raise FolderError(f"{folder} is no folder; name the folder of a crawl")
        path = folder / "inbox.db"
        self._errors = ErrorTranslator(path)
        with self._errors:
            self._db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
            try:
                self._db.executescript(_SCHEMA)
            except sqlite3.Error:
                self._db.close()
                raise

    def send(self, kind: str, payload: Mapping[str, object]) -> int:
        """Leave a command; return its number."""
        with self._errors:
            row = (kind, orjson.dumps(payload).decode())
            number = self._db.execute("INSERT INTO wishes (kind, payload) VALUES (?, ?)", row).lastrowid
        assert number is not None
        return number

    def take(self) -> list[Command]:
        """Return the open commands, in the order they were sent. Some 10 microseconds if there are none."""
        with self._errors:
            rows = self._db.execute(f"{_SELECT} WHERE note IS NULL ORDER BY id").fetchall()
        return [_command(row) for row in rows]

    def applied(self, numbers: Sequence[int], note: str = "") -> None:
        """Write down what became of these commands; they are not taken again."""
        with self._errors:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "UPDATE wishes SET note = ? WHERE id = ?", [(note, number) for number in numbers]
            )
            self._db.execute(
                "DELETE FROM wishes WHERE note IS NOT NULL AND id <= (SELECT max(id) FROM wishes) - ?",
                (REMEMBERED,),
            )
            self._db.execute("COMMIT")

    def answer(self, number: int) -> str | None:
        """Return what became of a command; ``None`` as long as it is open, and for one long forgotten."""
        with self._errors:
            row = self._db.execute("SELECT note FROM wishes WHERE id = ?", (number,)).fetchone()
        return None if row is None else row[0]

    def find(self, number: int) -> Command | None:
        """Return a command by its number; ``None`` for one long forgotten."""
        with self._errors:
            row = self._db.execute(f"{_SELECT} WHERE id = ?", (number,)).fetchone()
        return None if row is None else _command(row)

    def recent(self, limit: int) -> list[Command]:
        """Return the last commands, newest first; without those that only say that a page is watched."""
        with self._errors:
            rows = self._db.execute(
                f"{_SELECT} WHERE kind <> 'watch' ORDER BY id DESC LIMIT ?", (limit,)
            ).fetchall()
        return [_command(row) for row in rows]

    def close(self) -> None:
        self._db.close()


def _command(row: tuple[int, str, str, float, str | None]) -> Command:
    number, kind, payload, sent_at, note = row
    return Command(number=number, kind=kind, payload=orjson.loads(payload), sent_at=sent_at, note=note)
