"""The dashboard shows what the catalog and the pulse hold; its events are in ``test_live_dashboard.py``."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import httpx
import msgspec
from tests.serve.crawling import open_for_writing
from tests.serve.serving import serving

from homing.serve.pages.templating import number, percent
from homing.store.pulse_file import Awaited, HostNow, Pulse, write_pulse
from homing.store.views.reader import Reader


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
        # A host without a page yet, as a host is when its robots.txt is requested.
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
