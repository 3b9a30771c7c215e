"""Connections to SQLite, and its errors turned into ours."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import numpy as np

from homing.errors import DamagedError, HomingError, StorageError
from homing.files import NO_ROOM, no_room

CACHE_KIB = 8 * 1024
"""Of the catalog in this process's memory. The operating system caches the rest, and a crawl reads little of
what it wrote long ago: with 64 MiB it is no faster, and grows for 100,000 pages."""
CHECKPOINT_PAGES = 8 * 1024
"""32 MB of log before it is merged into the file: pages that change often are then written once."""

PATIENCE = 30.0
"""Seconds to wait for another program that has the database locked."""

# SQLite would store numpy's integers as blobs without an error.
sqlite3.register_adapter(np.int8, int)
sqlite3.register_adapter(np.int32, int)
sqlite3.register_adapter(np.int64, int)


def open_for_writing(path: Path, *, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open the writer's connection: no statement starts a transaction of its own.

    A commit is on the disk when it returns, and not only with the operating system: a command that the inbox
    calls done must survive even a power cut.
    """
    db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    return _set(
        db,
        "journal_mode = WAL",
        "synchronous = FULL",
        "secure_delete = OFF",  # some distributions build it in; it overwrites with zeros
        f"cache_size = -{CACHE_KIB}",
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
    )


def open_for_reading(path: Path, *, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a connection that cannot write; it works beside the writer and sees what is committed.

    Even a reader writes: the index of the log, beside the database. In a folder that cannot be written it
    needs a database without a log, as a clean stop leaves it, which is read as a file that does not change:
    while a crawl has it open, there is a log. After a kill, SQLite reads the log by the index that is there.
    """
    cannot_write = not os.access(path.parent, os.W_OK)
    has_log = path.with_name(f"{path.name}-wal").exists()
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' * (cannot_write and not has_log)}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
    return _set(db, "mmap_size = 1073741824")


def _set(db: sqlite3.Connection, *pragmas: str) -> sqlite3.Connection:
    """Apply these settings; close the connection if it refuses them, on a full disk for example."""
    try:
        for pragma in pragmas:
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        db.close()
        raise
    return db


class ErrorTranslator:
    """Turns errors of SQLite and the disk into errors that say what to do.

    Put ``with`` around every access, or hand its error to ``translate``. After the first such error every
    access is refused: SQLite may have rolled the open transaction back, and what follows would be committed
    without it.

    Parameters
    ----------
    path
        The database, to be named in the errors.
    db
        Its writer's connection. It is closed at the first error, for what writes without a ``with``.
    """

    def __init__(self, path: Path, db: sqlite3.Connection | None = None) -> None:
        self.path = path
        self._db = db
        self._first: HomingError | None = None

    def __enter__(self) -> None:
        if self._first is not None:
            raise self._first

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, sqlite3.Error | OSError):
            self.translate(error)

    def translate(self, error: sqlite3.Error | OSError) -> None:
        """Raise what an error means to a user, or meant the first time; return if it is our own bug."""
        if self._first is None:
            self._first = _meaning(error, self.path)
            if self._first is not None and self._db is not None:
                self._db.close()
        if self._first is not None:
            raise self._first from error


def storage_error(error: OSError, path: Path) -> StorageError:
    """Return what an error of the disk means to a user."""
    place = error.filename or path
    if error.errno in NO_ROOM:
        return StorageError(no_room(place))
    return StorageError(f"{place} cannot be written: {error.strerror}")


def _meaning(error: sqlite3.Error | OSError, path: Path) -> HomingError | None:
    """Return what an error means to a user; ``None`` if it is our own bug."""
    if isinstance(error, OSError):
        return storage_error(error, path)
    code = getattr(error, "sqlite_errorcode", None)
    tell = None if code is None else _MEANINGS.get(code & 0xFF)
    return None if tell is None else tell(path, error)


def _damaged(path: Path, error: sqlite3.Error) -> HomingError:
    return DamagedError(f"{path} is damaged ({error}); restore it from a copy or choose another folder")


def _busy(path: Path, error: sqlite3.Error) -> HomingError:
    return StorageError(f"{path} stays locked by another program; close it and run the same command again")


def _full(path: Path, error: sqlite3.Error) -> HomingError:
    return StorageError(no_room(path))


def _failing(path: Path, error: sqlite3.Error) -> HomingError:
    if error.sqlite_errorcode == sqlite3.SQLITE_IOERR_SHMSIZE:  # no room for the index of the log
        return _full(path, error)
    return StorageError(f"{path} cannot be read or written ({error}); check the disk and its permissions")


_MEANINGS: dict[int, Callable[[Path, sqlite3.Error], HomingError]] = {
    sqlite3.SQLITE_CORRUPT: _damaged,
    sqlite3.SQLITE_NOTADB: _damaged,
    sqlite3.SQLITE_BUSY: _busy,
    sqlite3.SQLITE_LOCKED: _busy,
    sqlite3.SQLITE_FULL: _full,
    sqlite3.SQLITE_IOERR: _failing,
    sqlite3.SQLITE_READONLY: _failing,
    sqlite3.SQLITE_CANTOPEN: _failing,
    sqlite3.SQLITE_PERM: _failing,
}
"""By primary result code. Others (a constraint, a wrong statement) are bugs, and are raised as they are."""
