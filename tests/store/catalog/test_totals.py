"""Totals of a crawl."""

from __future__ import annotations

from pathlib import Path

from tests.store.story import Open, Story

from homing.model import Failure, Standing


def test_a_url_counts_once_by_its_last_failure_and_not_if_it_is_queued_again(
    tmp_path: Path, open_at: Open, story: Story
) -> None:
    catalog = open_at(tmp_path / "c")
    entries = story.seed(catalog, pages=3)
    for entry, kinds in ((entries[1], ("timeout", "dns")), (entries[2], ("dns",)), (entries[3], ("http",))):
        for kind in kinds:
            catalog.settle(entry, Standing.FAILED, Failure(url=entry.url, kind=kind))
    assert catalog.tally().failed == {"dns": 2, "http": 1}
    catalog.update([entries[3]], revisits={3})
    assert catalog.tally().failed == {"dns": 2}
