"""A crawl is read back from the catalog."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.store.story import Open, Story

from homing.errors import DamagedError


def test_many_visits_come_back_in_portions_without_a_gap(tmp_path: Path, open_at: Open, story: Story) -> None:
    catalog = open_at(tmp_path / "c")
    entries = story.seed(catalog, pages=450)
    for step, entry in enumerate(entries, start=1):
        story.visit(catalog, entry, step=step)
    catalog.commit()
    assert [step for step, *_ in catalog.visits_since(3)] == list(range(4, 452))


def test_a_catalog_that_has_lost_urls_is_refused(tmp_path: Path, open_at: Open, story: Story) -> None:
    catalog = open_at(tmp_path / "c")
    story.seed(catalog, pages=3)
    catalog.commit()
    catalog.close()
    with sqlite3.connect(tmp_path / "c" / "crawl.db") as other:
        other.execute("DELETE FROM urls WHERE seq = 1")
    other.close()
    with pytest.raises(DamagedError, match=r"crawl\.db has lost 1 URLs; restore it from a copy"):
        open_at(tmp_path / "c").known()
