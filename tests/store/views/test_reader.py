from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.story import Open, Story

from homing.errors import DamagedError, FolderError
from homing.model import Failure, Priority, RobotsRecord, Standing
from homing.store.catalog.catalog import Catalog
from homing.store.views.reader import Reader


@pytest.fixture
def crawl(tmp_path: Path, open_at: Open, story: Story) -> Catalog:
    """A running crawl: two pages of three relevant, one 404, one redirect, one failure, one waiting."""
    catalog = open_at(tmp_path)
    entries = story.seed(catalog, pages=7)
    story.visit(catalog, entries[0], step=1, score=0.4, links=(1, 2, 3))
    story.visit(catalog, entries[2], step=2, score=0.6, links=(0,))
    story.visit(catalog, entries[1], step=3, score=0.9)
    gone = story.reply(entries[3], status=404, body=b"gone")
    story.visit(catalog, entries[3], step=4, score=None, reply=gone, standing=Standing.FAILED)
    moved = story.reply(entries[4], status=301, body=b"")
    story.visit(catalog, entries[4], step=4, score=None, reply=moved, standing=Standing.REDIRECTED)
    timeout = Failure(url=entries[5].url, kind="timeout", detail="no answer in 30 s")
    catalog.postpone(entries[5], timeout, 5.0)
    catalog.settle(entries[5], Standing.FAILED, timeout)
    catalog.postpone(entries[6], timeout, 9.0)
    catalog.note("seconds", 8.0)
    catalog.note("stop_reason", "pages")
    catalog.commit()
    return catalog


def test_figures_count_final_responses_only(tmp_path: Path, crawl: Catalog) -> None:
    with Reader(tmp_path) as reader:
        figures = reader.figures()
    size = figures.pop("bytes")
    assert figures == {
        "fetched": 4,
        "relevant": 2,
        "harvest_rate": 0.5,
        "failed": {"timeout": 1},
        "cut": {},
        "held_back": {},
        "redirects": 1,
        "frontier": 2,
        "hosts": 1,
        "seconds": 8.0,
        "pages_per_second": 0.5,
        "strategy": "best-first",
        "judge": "keywords",
        "doubt": "",
        "stop_reason": "pages",
    }
    assert size == 3 * len(b"<title>https://a.example/0</title>" * 20) + 4


def test_figures_of_a_crawl_that_has_just_begun(tmp_path: Path, open_at: Open) -> None:
    open_at(tmp_path)
    with Reader(tmp_path) as reader:
        figures = reader.figures()
    assert (figures["fetched"], figures["harvest_rate"], figures["pages_per_second"]) == (0, 0.0, 0.0)
    assert figures["stop_reason"] is None


def test_pages_come_in_order_of_arrival_or_best_first(tmp_path: Path, crawl: Catalog) -> None:
    with Reader(tmp_path) as reader:
        assert [row.seq for row in reader.pages()] == [0, 2, 1, 3]
        assert [row.seq for row in reader.pages(relevant_only=True)] == [1, 2]
        assert [row.seq for row in reader.pages(ranked=True)] == [1, 2, 0, 3]


def test_a_page_shows_all_that_is_exported(tmp_path: Path, crawl: Catalog) -> None:
    with Reader(tmp_path) as reader:
        row = next(row for row in reader.pages() if row.seq == 2)
        assert reader.visit(2) == row
    assert (row.url, row.final_url, row.status) == ("https://a.example/2", "https://a.example/2", 200)
    assert (row.title, row.language, row.score, row.relevant) == ("Title 2", "en", 0.6, True)
    assert (row.depth, row.parent, row.anchor) == (1, "https://a.example/0", "link 2")
    assert (row.strategy, row.tier, row.priority) == ("best-first", 0, 1 / 3)
    assert (row.judge, row.why) == ("keywords", (("moth", 0.6),))
    assert (row.fetched_at, row.warc_file) == (1_700_000_000.25, "homing-00001.warc.gz")
    assert row.digest.startswith("sha1:")


def test_many_pages_are_read_in_portions_without_a_gap(tmp_path: Path, open_at: Open, story: Story) -> None:
    catalog = open_at(tmp_path, keep="relevant")
    entries = story.seed(catalog, pages=1_200)
    for step, entry in enumerate(entries, start=1):
        story.visit(catalog, entry, step=step, score=0.5 + step % 3 / 10, links=(step % 1_200, 0))
    catalog.commit()
    with Reader(tmp_path) as reader:
        assert [row.seq for row in reader.pages()] == list(range(1_201))
        ranked = list(reader.pages(relevant_only=True))
        assert [(row.score, row.step) for row in ranked] == sorted(
            ((row.score, row.step) for row in ranked), key=lambda pair: (-(pair[0] or 0.0), pair[1])
        )
        assert len({row.seq for row in ranked}) == 1_201
        assert [seq for seq, _ in reader.addresses()] == list(range(1_201))
        assert sum(1 for _ in reader.edges()) == 2_402


def test_a_page_visited_twice_is_shown_once(tmp_path: Path, crawl: Catalog, story: Story) -> None:
    crawl.update([story.entry(1)], revisits=[1])
    story.visit(crawl, story.entry(1), step=5, score=0.1)
    crawl.commit()
    with Reader(tmp_path) as reader:
        assert [row.seq for row in reader.pages()] == [0, 2, 3, 1]
        assert [row.seq for row in reader.pages(relevant_only=True)] == [2]


def test_replies_are_read_back_from_the_archive(tmp_path: Path, crawl: Catalog, story: Story) -> None:
    with Reader(tmp_path) as reader:
        rows = list(reader.pages())
        assert reader.reply(rows[1]) == story.reply(story.entry(2))
        assert getattr(reader.reply(rows[3]), "body", None) == b"gone"


def test_a_body_that_was_not_kept_is_none(tmp_path: Path, open_at: Open, story: Story) -> None:
    catalog = open_at(tmp_path, keep="relevant")
    story.visit(catalog, *story.seed(catalog), step=1, score=0.1)
    catalog.commit()
    with Reader(tmp_path) as reader:
        (row,) = reader.pages()
        assert row.warc_file is None
        assert reader.reply(row) is None


def test_a_url_is_found_by_any_spelling_and_by_key(tmp_path: Path, crawl: Catalog, story: Story) -> None:
    with Reader(tmp_path) as reader:
        entry = reader.find("HTTPS://A.example:443/2#part")
        assert entry is not None
        assert reader.find(entry.key) == entry
        assert entry.seq == 2
        assert reader.find("https://a.example/nowhere") is None
        assert reader.find("no URL at all") is None


def test_a_finished_url_shows_the_priority_it_was_taken_with(
    tmp_path: Path, crawl: Catalog, story: Story
) -> None:
    assert crawl.entry(2).priority == Priority()
    with Reader(tmp_path) as reader:
        for seq in (2, 5, 7):
            assert reader.entry(seq).priority == story.entry(seq).priority
            assert reader.entry(seq).why == story.entry(seq).why


def test_standing_visit_and_failure_tell_what_became_of_a_url(tmp_path: Path, crawl: Catalog) -> None:
    with Reader(tmp_path) as reader:
        assert [reader.standing(seq) for seq in range(8)] == [
            Standing.DONE,
            Standing.DONE,
            Standing.DONE,
            Standing.FAILED,
            Standing.REDIRECTED,
            Standing.FAILED,
            Standing.WAITING,
            Standing.WAITING,
        ]
        failure = reader.failure(5)
        assert failure is not None
        assert (failure.kind, failure.detail) == ("timeout", "no answer in 30 s")
        assert reader.failure(0) is None
        assert reader.visit(5) is None
        assert reader.visit(99) is None
        moved = reader.visit(4)
        assert moved is not None
        assert (moved.kind, moved.status) == ("redirect", 301)
        with pytest.raises(KeyError):
            reader.standing(99)


def test_the_way_leads_from_the_seed(tmp_path: Path, crawl: Catalog, story: Story) -> None:
    crawl.add([story.entry(8, parent=2), story.entry(9, parent=8)], [0, 0])
    crawl.commit()
    with Reader(tmp_path) as reader:
        assert [entry.seq for entry in reader.way(9)] == [0, 2, 8, 9]
        assert [entry.seq for entry in reader.way(0)] == [0]


def test_edges_are_those_of_pages(tmp_path: Path, crawl: Catalog) -> None:
    with Reader(tmp_path) as reader:
        assert list(reader.edges()) == [(0, 1), (0, 2), (0, 3), (2, 0)]


def test_robots_are_recalled_once_committed(tmp_path: Path, crawl: Catalog) -> None:
    record = RobotsRecord(origin="https://a.example", status=200, text="User-agent: *\n", fetched_at=7.0)
    with Reader(tmp_path) as reader:
        crawl.keep_robots(record)
        assert reader.robots_record("https://a.example") is None
        crawl.commit()
        assert reader.robots_record("https://a.example") == record
        assert reader.robots_record("http://a.example") is None


def test_a_reader_works_on_a_finished_crawl(tmp_path: Path, crawl: Catalog) -> None:
    crawl.close()
    with Reader(tmp_path) as reader:
        assert reader.figures()["fetched"] == 4
        assert reader.facts()["stop_reason"] == "pages"


def test_a_folder_without_a_crawl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="holds no crawl; name the folder that `homing crawl` wrote to"):
        Reader(tmp_path)
    with pytest.raises(FolderError, match="holds no crawl"):
        Reader(tmp_path / "missing")
    (tmp_path / "crawl.db").write_bytes(b"x" * 5_000)
    with pytest.raises(DamagedError, match="is no SQLite database"):
        Reader(tmp_path)
