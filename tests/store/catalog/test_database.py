"""Errors of SQLite and of the disk, in our words."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from homing.errors import DamagedError, StorageError
from homing.store.catalog.database import ErrorTranslator, open_for_writing


def full_disk(path: Path) -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


def test_after_the_first_error_nothing_more_is_let_through(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    db = open_for_writing(path)
    db.execute("CREATE TABLE facts (name)")
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO facts VALUES ('half a visit')")
    errors = ErrorTranslator(path, db)
    with pytest.raises(StorageError, match="the disk is full"), errors:
        raise full_disk(path)
    with pytest.raises(StorageError, match="the disk is full"), errors:
        raise AssertionError("it was let through")
    with pytest.raises(sqlite3.ProgrammingError) as closed:
        db.execute("COMMIT")
    with pytest.raises(StorageError, match="the disk is full"):
        errors.translate(closed.value)
    db = open_for_writing(path)
    assert db.execute("SELECT * FROM facts").fetchall() == []
    db.close()


def test_a_damaged_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    path.write_bytes(b"SQLite format 3\x00" + bytes(4096))
    complaint = r"crawl\.db is damaged .*; restore it from a copy"
    with pytest.raises(DamagedError, match=complaint), ErrorTranslator(path):
        open_for_writing(path)


def test_a_bug_passes_as_it_is_and_closes_nothing(tmp_path: Path) -> None:
    db = open_for_writing(tmp_path / "crawl.db")
    errors = ErrorTranslator(tmp_path / "crawl.db", db)
    with pytest.raises(sqlite3.OperationalError, match="no such table"), errors:
        db.execute("SELECT * FROM pages")
    with errors:
        assert db.execute("SELECT 1").fetchone() == (1,)
    db.close()
