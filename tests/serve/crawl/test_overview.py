"""The overview of a crawl, by ``crawl_folder`` and ``totals``: its figures are those of the catalog."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable
from pathlib import Path

import httpx
from tests.serve.conftest import PAGES
from tests.serve.crawling import open_for_writing
from tests.serve.serving import serving

from homing.checks.store.little_crawl import fill, visit
from homing.model import Judgement, Standing
from homing.serve.crawl.crawl_folder import FRESH, CrawlFolder
from homing.serve.crawl.overview import HostTotals
from homing.store.views.reader import Reader


def test_the_figures_are_those_of_the_report(crawled: Path) -> None:
    with Reader(crawled) as reader:
        assert dict(CrawlFolder(crawled).overview().figures) == reader.figures()


def test_the_figures_of_a_crawl_with_failures_are_those_of_the_report(hostile: Path) -> None:
    with Reader(hostile) as reader:
        figures = reader.figures()
    overview = CrawlFolder(hostile).overview()
    assert dict(overview.figures) == figures
    assert dict(overview.failed) == figures["failed"]


def test_hosts_add_up_to_the_whole(crawled: Path) -> None:
    overview = CrawlFolder(crawled).overview()
    assert sum(host.fetched for host in overview.hosts) == overview.figures["fetched"]
    assert sum(host.relevant for host in overview.hosts) == overview.figures["relevant"]


def test_a_crawl_that_was_killed_is_not_running(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    shutil.copytree(crawled, folder)
    with open_for_writing(folder) as catalog:
        catalog.note("stop_reason", "")
        catalog.commit()
        assert CrawlFolder(folder).overview().running  # its writer has it open
    overview = CrawlFolder(folder).overview()
    assert not overview.running
    with serving(folder) as address:
        assert "it was killed" in httpx.get(address).text


def test_a_file_that_is_no_pulse_is_none(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    shutil.copytree(crawled, folder)
    (folder / "pulse.json").write_text('{"at": "now"')
    with open_for_writing(folder) as catalog:
        catalog.note("stop_reason", "")
        catalog.commit()
        assert CrawlFolder(folder).overview().pulse is None


def test_what_the_disk_has_lost_is_not_counted_any_more(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(crawled, folder)
    seen = CrawlFolder(folder)
    assert seen.overview().figures["fetched"] == PAGES
    (archive,) = (folder / "warc").iterdir()
    with archive.open("r+b") as file:
        file.truncate(archive.stat().st_size - 1)
    with open_for_writing(folder):  # writes off the last reply
        pass
    time.sleep(1.05)  # an overview is reused for a second
    assert seen.overview().figures["fetched"] == PAGES - 1


def test_the_verdicts_of_a_retrained_judge_are_counted(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "relearnt"
    shutil.copytree(crawled, folder)
    with open_for_writing(folder) as catalog, Reader(folder) as reader:
        seen = CrawlFolder(folder)
        before = seen.overview().hosts
        doubted = next(row for row in reader.pages() if row.relevant)
        catalog.rejudge(doubted.step, Judgement(score=0.1, relevant=False, judge="keywords"))
        catalog.note("relearnt", {"times": 1})
        catalog.commit()
        time.sleep(1.05)
        assert _relevant(seen.overview().hosts) == _relevant(before) - 1


def _relevant(hosts: Iterable[HostTotals]) -> int:
    return sum(host.relevant for host in hosts)


def test_a_url_counts_once_as_what_it_holds_now(tmp_path: Path) -> None:
    folder = tmp_path / "again"
    with open_for_writing(folder) as catalog:
        entries = fill(catalog)
        visit(catalog, entries[1], step=1)
        visit(catalog, entries[2], step=2, score=0.25)
        catalog.commit()
        crawl = CrawlFolder(folder)
        first = crawl.overview()
        visit(catalog, entries[1], step=3, score=0.25)
        visit(catalog, entries[2], step=4)
        visit(catalog, entries[2], step=4, status=304)
        visit(catalog, entries[0], step=5)
        visit(catalog, entries[0], step=5, status=301, standing=Standing.REDIRECTED)
        catalog.commit()
        time.sleep(FRESH)
        second = crawl.overview()
    for overview in (first, second):
        assert (overview.figures["fetched"], overview.figures["relevant"]) == (2, 1)
        assert sum(host.fetched for host in overview.hosts) == 2
        assert sum(host.relevant for host in overview.hosts) == 1
    with Reader(folder) as reader:
        assert dict(second.figures) == reader.figures()
