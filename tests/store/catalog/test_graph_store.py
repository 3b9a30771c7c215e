"""The link graph is read from the catalog."""

from __future__ import annotations

from pathlib import Path

from tests.store.story import Open, Story


def test_links_of_all_pages_are_joined_in_order(tmp_path: Path, open_at: Open, story: Story) -> None:
    catalog = open_at(tmp_path / "c")
    entries = story.seed(catalog, pages=3)
    story.visit(catalog, entries[2], step=1, links=(3, 0), score=None)
    story.visit(catalog, entries[0], step=2, links=(1, 2, 3), score=0.25)
    sources, targets = catalog.links()
    assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == [
        (0, 1),
        (0, 2),
        (0, 3),
        (2, 3),
        (2, 0),
    ]
    assert catalog.targets(2) == [3, 0]
    assert catalog.targets(1) == []
    seqs, scores = catalog.judged()
    assert (seqs.tolist(), scores.tolist()) == ([0], [0.25])
