"""Commands to a running crawl: pause, resume, stop, more seeds, a block, another rate limit, labels.

Only the engine writes ``crawl.db``. Other processes leave a command here, in a small database of its own;
the engine takes it within a second and records its result.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import orjson

from homing.errors import DamagedError, FolderError
from homing.store.catalog.database import PATIENCE, ErrorTranslator, open_for_reading
from homing.store.set_aside import set_aside

# The database stamps the time itself, so that no clock has to travel with every command.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS commands (
    id       INTEGER PRIMARY KEY,
    kind     TEXT NOT NULL,
    payload  TEXT NOT NULL,
    sent_at  REAL NOT NULL DEFAULT ((julianday('now') - 2440587.5) * 86400.0),
    note     TEXT
);
CREATE INDEX IF NOT EXISTS commands_open ON commands (id) WHERE note IS NULL;
"""

_FIRST_TABLE = "wishes"
"""The table in the first version of Homing, where some commands had other names and payloads."""
_FROM_FIRST_VERSION = (
    f"ALTER TABLE {_FIRST_TABLE} RENAME TO commands",
    f"DROP INDEX IF EXISTS {_FIRST_TABLE}_open",
    """
    UPDATE commands SET kind = 'set_pace', payload = json_object('delay', json_extract(payload, '$.seconds'))
    WHERE kind = 'delay'
    """,
    """
    UPDATE commands
    SET kind = 'set_pace', payload = json_object('pages_per_second', json_extract(payload, '$.pages'))
    WHERE kind = 'pages-per-second'
    """,
    "UPDATE commands SET kind = 'resume' WHERE kind = 'go-on'",
    "UPDATE commands SET kind = 'add_seeds' WHERE kind = 'seeds'",
    "UPDATE commands SET kind = 'snapshot' WHERE kind = 'watch'",
)

_SELECT = "SELECT id, kind, payload, sent_at, note FROM commands"

REMEMBERED = 1_000
"""How many past commands are kept with their result: a watching page sends one every ten seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command to a crawl."""

    number: int
    kind: str
    """``pause``, ``stop``, ``block`` ...: one of ``crawler.live.verbs``."""
    payload: Mapping[str, object]
    sent_at: float
    note: str | None = None
    """Its result; ``None`` as long as it is open."""


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
                self._upgrade()
                self._db.executescript(_SCHEMA)
                self._db.execute(f"{_SELECT} LIMIT 0")
            except sqlite3.Error as error:
                self._db.close()
                if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:  # it has other tables, or other columns
                    raise DamagedError(
                        f"{path} is no inbox ({error}); the next crawl puts it aside"
                    ) from None
                raise

    def send(self, kind: str, payload: Mapping[str, object]) -> int:
        """Leave a command; return its number."""
        with self._errors:
            row = (kind, orjson.dumps(payload).decode())
            number = self._db.execute("INSERT INTO commands (kind, payload) VALUES (?, ?)", row).lastrowid
        assert number is not None
        return number

    def take(self) -> list[Command]:
        """Return the open commands, in the order they were sent. Some 10 microseconds if there are none."""
        with self._errors:
            rows = self._db.execute(f"{_SELECT} WHERE note IS NULL ORDER BY id").fetchall()
        return [_command(row) for row in rows]

    def applied(self, numbers: Sequence[int], note: str = "") -> None:
        """Record the result of these commands; they are not taken again."""
        with self._errors:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "UPDATE commands SET note = ? WHERE id = ?", [(note, number) for number in numbers]
            )
            self._db.execute(
                "DELETE FROM commands WHERE note IS NOT NULL AND id <= (SELECT max(id) FROM commands) - ?",
                (REMEMBERED,),
            )
            self._db.execute("COMMIT")

    def answer(self, number: int) -> str | None:
        """Return the result of a command; ``None`` as long as it is open, and for one no longer kept."""
        with self._errors:
            row = self._db.execute("SELECT note FROM commands WHERE id = ?", (number,)).fetchone()
        return None if row is None else row[0]

    def find(self, number: int) -> Command | None:
        """Return a command by its number; ``None`` for one no longer kept."""
        with self._errors:
            row = self._db.execute(f"{_SELECT} WHERE id = ?", (number,)).fetchone()
        return None if row is None else _command(row)

    def recent(self, limit: int) -> list[Command]:
        """Return the last commands, newest first; without snapshots, which a watching page requests."""
        with self._errors:
            rows = self._db.execute(
                f"{_SELECT} WHERE kind <> 'snapshot' ORDER BY id DESC LIMIT ?", (limit,)
            ).fetchall()
        return [_command(row) for row in rows]

    def close(self) -> None:
        self._db.close()

    def _upgrade(self) -> None:
        """Rename the table of the first version, and its commands: open ones are still carried out."""
        if not self._is_of_first_version():
            return
        self._db.execute("BEGIN IMMEDIATE")
        if self._is_of_first_version():  # no other process was faster
            for statement in _FROM_FIRST_VERSION:
                self._db.execute(statement)
        self._db.execute("COMMIT")

    def _is_of_first_version(self) -> bool:
        tables = self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return (_FIRST_TABLE,) in tables and ("commands",) not in tables


def open_inbox(folder: Path) -> tuple[Inbox, str]:
    """Open the inbox of a crawl that is about to run; one that is damaged is set aside, which a line says."""
    path = folder / "inbox.db"
    try:
        if path.exists():
            examine(path)
        return Inbox(folder), ""
    except DamagedError as error:
        problem = str(error).partition(";")[0]
        aside = set_aside(path)
        return Inbox(folder), f"{problem}; it is now {aside}, and commands in it were not carried out"


def examine(path: Path) -> None:
    """Raise an error unless all of an inbox can be read."""
    with ErrorTranslator(path), closing(open_for_reading(path)) as db:
        complaint = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        try:
            if ("commands",) in tables:
                db.execute(f"{_SELECT} LIMIT 0")
        except sqlite3.OperationalError as error:
            complaint = str(error)
    if complaint != "ok":
        raise DamagedError(f"{path} is damaged ({' '.join(complaint.split())})")


def _command(row: tuple[int, str, str, float, str | None]) -> Command:
    number, kind, text, sent_at, note = row
    try:
        payload = orjson.loads(text)
    except orjson.JSONDecodeError:
        payload = None
    known = payload if isinstance(payload, dict) else {}  # rows may be written by hand
    return Command(number=number, kind=str(kind), payload=known, sent_at=sent_at, note=note)
