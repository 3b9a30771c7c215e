"""Visits are written to the catalog."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from tests.store.story import Open, Story

from homing.model import Entry, Priority, Standing


def test_an_entry_is_seen_before_it_is_committed(tmp_path: Path, open_at: Open, story: Story) -> None:
    catalog = open_at(tmp_path / "c")
    entries = story.seed(catalog, pages=3)
    assert catalog.entry(3) == entries[3]
    with sqlite3.connect(tmp_path / "c" / "crawl.db") as other:
        assert other.execute("SELECT count(*) FROM urls").fetchone() == (0,)
    other.close()


def test_numpy_numbers_are_stored_as_numbers(tmp_path: Path, open_at: Open, story: Story) -> None:
    catalog = open_at(tmp_path / "c")
    story.seed(catalog)
    url = "https://a.example/numpy"
    score = np.float64(0.5)
    entry = Entry(
        key=np.int64(7),  # type: ignore[arg-type]
        url=url,
        priority=Priority(tier=np.int32(2), score=score),  # type: ignore[arg-type]
        why=(("part", score),),
        seq=1,
    )
    catalog.add([entry], [np.int32(0)])  # type: ignore[list-item]
    assert catalog.known().keys.tolist()[1] == 7
    assert catalog.known().tiers.tolist()[1] == 2
    assert catalog.entry(1).why == (("part", 0.5),)


def test_headers_that_are_no_utf8_are_kept_without_a_crash(
    tmp_path: Path, open_at: Open, story: Story
) -> None:
    catalog = open_at(tmp_path / "c")
    (entry,) = story.seed(catalog)
    headers = (("Content-Type", "text/html; charset=caf\udce9"), ("ETag", '"\udcff"'))
    reply = story.reply(entry, headers=headers)
    story.visit(catalog, entry, step=1, reply=reply)
    catalog.commit()
    assert catalog.entry(0).validators == ("", ""), "it could not be returned as it was"
    assert [kept.headers for _, _, kept, _ in catalog.visits_since(0)] == [headers]


def test_with_keep_relevant_only_relevant_bodies_are_archived(
    tmp_path: Path, open_at: Open, story: Story
) -> None:
    catalog = open_at(tmp_path / "c", keep="relevant")
    entries = story.seed(catalog, pages=3)
    story.visit(catalog, entries[0], step=1, score=0.4)
    story.visit(catalog, entries[1], step=2, score=0.6)
    moved = story.reply(entries[2], status=301, body=b"")
    story.visit(catalog, entries[2], step=2, score=None, reply=moved, standing=Standing.REDIRECTED)
    catalog.commit()
    assert [step for step, *_ in catalog.visits_since(0)] == [2]
    assert catalog.tally().pages == 2


def test_a_number_given_twice_is_a_bug_and_says_so(tmp_path: Path, open_at: Open, story: Story) -> None:
    catalog = open_at(tmp_path / "c")
    entries = story.seed(catalog)
    with pytest.raises(sqlite3.IntegrityError):
        catalog.add(entries, [0])
