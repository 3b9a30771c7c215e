"""The dashboard and its events: what is shown is what the catalog holds."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import httpx
import msgspec
from tests.serve.conftest import PAGES
from tests.serve.crawling import RunningCrawl
from tests.serve.serving import serving

from homing.model import Judgement
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.crawl.overview import HostTotals
from homing.serve.pages.live_dashboard import PANELS
from homing.serve.pages.templating import number, percent
from homing.store.catalog.catalog import Catalog
from homing.store.folder import open_catalog
from homing.store.pulse_file import Awaited, HostNow, Pulse, write_pulse
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


def test_the_dashboard_shows_them(client: httpx.Client, crawled: Path) -> None:
    page = client.get("/").text
    with Reader(crawled) as reader:
        figures = reader.figures()
    assert f'<dd id="fetched">{figures["fetched"]}</dd>' in page
    assert f'<dd id="relevant">{figures["relevant"]}</dd>' in page
    share, waiting = figures["harvest_rate"], figures["frontier"]
    assert isinstance(share, float)
    assert isinstance(waiting, int)
    assert percent(share) in page
    assert number(waiting) in page
    assert "<strong>Not running</strong>, stopped: pages" in page
    assert "The crawl is not running" in page


def test_hosts_add_up_to_the_whole(crawled: Path) -> None:
    overview = CrawlFolder(crawled).overview()
    assert sum(host.fetched for host in overview.hosts) == overview.figures["fetched"]
    assert sum(host.relevant for host in overview.hosts) == overview.figures["relevant"]


def events(client: httpx.Client) -> Iterator[dict[str, str]]:
    """What the stream says, a blank message for a line that says nothing."""
    with client.stream("GET", "/events", timeout=10) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("data: "):
                yield msgspec.json.decode(line.removeprefix("data: "), type=dict[str, str])
            elif line.startswith(":"):
                yield {}


def test_the_stream_begins_with_everything_and_goes_on_with_what_changed(client: httpx.Client) -> None:
    stream = events(client)
    assert next(stream).keys() == {*PANELS, "curves"}
    assert next(stream) == {}


def test_the_stream_follows_a_running_crawl(running: RunningCrawl) -> None:
    fetched = list[int]()
    with serving(running.folder) as address, httpx.Client(base_url=address) as client:
        for parts in events(client):
            if "state" in parts and not fetched:
                assert "Running" in parts["state"]
            if "curves" in parts:
                columns = msgspec.json.decode(parts["curves"], type=dict[str, list[float]])
                assert len({len(column) for column in columns.values()}) == 1
                fetched += [int(columns["fetched"][-1])] if columns["fetched"] else []
            if len(fetched) == 3:
                break
    assert fetched == sorted(set(fetched))


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


class open_for_writing:  # noqa: N801 - reads as the verb it is
    """The catalog of a crawl, held as a running crawl holds it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> Catalog:
        self._catalog = open_catalog(self._folder, strategy="link-context", judge="keywords", wall=time.time)
        return self._catalog

    def __exit__(self, *_: object) -> None:
        self._catalog.close()


PULSE = Pulse(
    at=0.0,
    in_flight=7,
    head=(
        Awaited(
            url="http://next.example/",
            score=0.75,
            why=(("anchor", 0.5), ("page", 0.25)),
            anchor="<b>moths</b>",
            parent="http://gatehouse-directory.example/",
        ),
    ),
    hosts=(HostNow(name="slow.example", state="resting", ready_in=75.0, waiting=12),),
    memory=123_000_000,
)


def test_what_is_only_in_memory_is_shown_while_the_crawl_tells(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "telling"
    shutil.copytree(crawled, folder)
    with open_for_writing(folder) as catalog:
        # A host without a page yet, as a host is when its robots.txt is asked for.
        catalog.note("stop_reason", "")
        catalog.commit()
        write_pulse(folder / "pulse.json", msgspec.structs.replace(PULSE, at=time.time()))
        with serving(folder) as address:
            page = httpx.get(address).text
        assert "http://next.example/" in page
        assert "&lt;b&gt;moths&lt;/b&gt;" in page
        assert "anchor 0.5, page 0.25" in page
        assert "123.0 MB" in page
        # An old one tells of what was.
        write_pulse(folder / "pulse.json", msgspec.structs.replace(PULSE, at=time.time() - 60))
        with serving(folder) as address:
            page = httpx.get(address).text
        assert "http://next.example/" not in page
        assert "has not reported yet" in page


def test_a_file_that_is_no_pulse_is_none(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    shutil.copytree(crawled, folder)
    (folder / "pulse.json").write_text('{"at": "now"')
    with open_for_writing(folder) as catalog:
        catalog.note("stop_reason", "")
        catalog.commit()
        assert CrawlFolder(folder).overview().pulse is None


def test_what_the_disk_has_lost_is_not_counted_any_more(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "anew"
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


def test_what_a_judge_that_has_learnt_anew_thinks_is_counted(crawled: Path, tmp_path: Path) -> None:
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
