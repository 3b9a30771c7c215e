from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.store.story import Open, Story

from homing.errors import StorageError
from homing.model import Failure, Standing


def test_another_program_that_holds_the_database_is_reported(tmp_path: Path, open_at: Open) -> None:
    open_at(tmp_path / "c").close()
    other = sqlite3.connect(tmp_path / "c" / "crawl.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(StorageError, match=r"crawl\.db stays locked by another program; close it"):
            open_at(tmp_path / "c", patience=0.05)
    finally:
        other.close()
    open_at(tmp_path / "c")


def test_a_full_disk_stops_the_catalog_at_the_last_commit(
    tmp_path: Path, open_at: Open, story: Story
) -> None:
    folder = tmp_path / "c"
    catalog = open_at(folder)
    entries = story.seed(catalog, pages=2)
    catalog.commit()
    (folder / "warc" / "homing-00001.warc.gz").symlink_to("/dev/full")
    story.visit(catalog, entries[1], step=1)
    with pytest.raises(StorageError, match=r"the disk is full: .* make room and run the same command again"):
        catalog.commit()
    with pytest.raises(StorageError, match="the disk is full"):
        catalog.settle(entries[2], Standing.FAILED, Failure(url=entries[2].url, kind="dns"))
    for attempt in (
        lambda: catalog.entry(0),
        lambda: story.visit(catalog, entries[2], step=2),
        lambda: catalog.note("seconds", 1.0),
        catalog.known,
        catalog.commit,
    ):
        with pytest.raises(StorageError, match="the disk is full"):
            attempt()
    catalog.close()
    again = open_at(folder)
    assert again.known().standings.tolist() == [Standing.WAITING] * 3
    story.visit(again, entries[1], step=1)
    again.commit()
    assert len(list(again.visits_since(0))) == 1
