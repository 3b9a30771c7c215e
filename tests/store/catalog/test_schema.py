from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.store.story import Open, Story

from homing.errors import DamagedError, FolderError
from homing.store.catalog import schema
from homing.store.views.reader import Reader


def not_a_database(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 100)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE holidays (name TEXT)")


def of_a_newer_homing(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        db.execute("PRAGMA user_version = 99")


def without_a_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")


def broken_in_the_middle(path: Path) -> None:
    schema.create(path)
    with closing(sqlite3.connect(path)) as db:
        db.executemany("INSERT INTO hosts (number, name) VALUES (?, ?)", [(n, "x" * 500) for n in range(200)])
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[-8192:-4096] = b"\xde\xad" * 2048
    path.write_bytes(content)


def cut_short(path: Path) -> None:
    schema.create(path)
    path.write_bytes(path.read_bytes()[:-6000])


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (not_a_database, r"crawl\.db is no SQLite database"),
        (empty, r"crawl\.db is no SQLite database"),
        (of_another_program, r"crawl\.db belongs to another program; choose another folder"),
        (of_a_newer_homing, r"written by a newer Homing \(schema 99, this one knows \d+\); update Homing"),
        (without_a_version, r"crawl\.db has no schema version"),
        (broken_in_the_middle, r"crawl\.db is damaged .* restore it from a copy or choose another folder"),
        (cut_short, r"crawl\.db is damaged .* restore it from a copy or choose another folder"),
    ],
)
def test_a_file_that_is_no_good_catalog_is_refused_and_left_as_it_is(
    tmp_path: Path, open_at: Open, spoil: Callable[[Path], None], complaint: str
) -> None:
    path = tmp_path / "crawl.db"
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(DamagedError, match=complaint) as caught:
        open_at(tmp_path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert not (tmp_path / "crawl.db-wal").exists() or not (tmp_path / "crawl.db-wal").stat().st_size


def test_a_refused_folder_is_not_left_locked(tmp_path: Path, open_at: Open) -> None:
    not_a_database(tmp_path / "crawl.db")
    with pytest.raises(DamagedError):
        open_at(tmp_path)
    (tmp_path / "crawl.db").unlink()
    open_at(tmp_path)


def test_a_draft_left_by_a_crash_is_replaced(tmp_path: Path, open_at: Open) -> None:
    not_a_database(tmp_path / "crawl.db.new")
    open_at(tmp_path)
    assert not (tmp_path / "crawl.db.new").exists()


def test_older_catalogs_are_brought_to_the_present_form_step_by_step(
    tmp_path: Path, open_at: Open, story: Story
) -> None:
    catalog = open_at(tmp_path)
    story.seed(catalog, pages=2)
    catalog.commit()
    catalog.close()
    steps = (
        *schema.MIGRATIONS,
        "CREATE TABLE moods (seq INTEGER PRIMARY KEY, good INTEGER NOT NULL);"
        "INSERT INTO moods SELECT seq, 1 FROM urls WHERE parent IS NULL",
        "ALTER TABLE moods ADD COLUMN note TEXT NOT NULL DEFAULT 'by hand'",
    )
    path, newest = tmp_path / "crawl.db", schema.VERSION + 2
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        schema.migrate(db, path, steps[:-1])
        assert schema.version_of(db, path, newest) == newest - 1
        schema.migrate(db, path, steps)
        schema.migrate(db, path, steps)
        assert schema.version_of(db, path, newest) == newest
        assert db.execute("SELECT * FROM moods").fetchall() == [(0, 1, "by hand")]
        assert db.execute("SELECT count(*) FROM urls").fetchone() == (3,)
    with pytest.raises(DamagedError, match="newer Homing"):
        open_at(tmp_path)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    schema.create(path)
    broken = "CREATE TABLE moods (seq INTEGER); DROP TABLE no_such_table"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        with pytest.raises(sqlite3.OperationalError):
            schema.migrate(db, path, (*schema.MIGRATIONS, broken))
        db.rollback()
        assert schema.version_of(db, path) == schema.VERSION
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'moods'").fetchone() == (0,)


def columns(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every table of a database with its columns."""
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: db.execute(f"PRAGMA table_info({name})").fetchall() for name in names}


def test_a_catalog_of_the_first_version_becomes_one_of_the_present(
    tmp_path: Path, open_at: Open, story: Story
) -> None:
    catalog = open_at(tmp_path / "old")
    story.seed(catalog, pages=2)
    catalog.commit()
    catalog.close()
    with closing(sqlite3.connect(tmp_path / "old" / "crawl.db")) as db:
        db.executescript("DROP TABLE labels; DROP TABLE ranking_parts; DROP TABLE strategy_state;")
        db.execute("""INSERT INTO facts VALUES ('strategy_state', '{"step":2,"state":{"n":7}}')""")
        db.execute("PRAGMA user_version = 1")
        db.commit()
    with pytest.raises(FolderError, match="older Homing"):
        Reader(tmp_path / "old")
    catalog = open_at(tmp_path / "old")
    assert catalog.strategy_state() == (2, {"n": 7})
    catalog.label(1, True)
    catalog.commit()
    open_at(tmp_path / "new")
    assert columns(tmp_path / "old" / "crawl.db") == columns(tmp_path / "new" / "crawl.db")
    with Reader(tmp_path / "old") as reader:
        assert [label.url for label in reader.labels()] == ["https://a.example/1"]


def test_every_migration_has_its_version() -> None:
    assert len(schema.MIGRATIONS) + 1 == schema.VERSION


def test_a_reader_asks_for_an_older_catalog_to_be_brought_up(
    tmp_path: Path, open_at: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_at(tmp_path).close()
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    with pytest.raises(FolderError, match="older Homing; resume the crawl once"):
        Reader(tmp_path)
