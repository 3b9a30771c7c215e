"""The whole crawler against a real server, judged by the server's log and by what lies on the disk.

Killed at random points: tests/hazards/machine/test_kills.py.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from homing.store.views.reader import Reader

if TYPE_CHECKING:
    from tests.integration.command import Command, Served


def order(folder: Path) -> list[str]:
    with Reader(folder) as reader:
        return [row.url for row in reader.pages()]


def test_a_host_is_never_asked_twice_at_a_time_nor_before_its_delay(
    homing: Command, served: Served, tmp_path: Path
) -> None:
    delay = 0.25
    homing.run_here(tmp_path / "crawl", "--pages", "120", "--delay", str(delay), "--concurrency", "32")
    by_host: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for request in served.requests():
        by_host[str(request["host"])].append((float(str(request["began"])), float(str(request["ended"]))))
    assert len(by_host) > 5
    assert max(map(len, by_host.values())) > 5
    for spans in by_host.values():
        spans.sort()
        for (_, ended), (began, _) in pairwise(spans):
            assert began - ended >= delay


def test_the_same_crawl_twice_with_and_without_a_delay(homing: Command, tmp_path: Path) -> None:
    options = ("--pages", "60", "--concurrency", "1", "--random-seed", "7")
    for name, delay in (("a", "0"), ("b", "0"), ("c", "0.02")):
        homing.run_here(tmp_path / name, *options, "--delay", delay)
    assert order(tmp_path / "a") == order(tmp_path / "b") == order(tmp_path / "c")


def test_a_crawl_that_is_interrupted_and_gone_on_with_is_the_same_crawl(
    homing: Command, tmp_path: Path
) -> None:
    options = ("--pages", "120", "--concurrency", "1", "--delay", "0.01")
    homing.run_here(tmp_path / "whole", *options)
    half = homing.interrupt_after(40, tmp_path / "halves", *options)
    assert half["stop_reason"] == "interrupted"
    assert 40 <= int(str(half["fetched"])) < 120
    homing.run_here(tmp_path / "halves", *options)
    assert order(tmp_path / "halves") == order(tmp_path / "whole")


def test_every_limit_stops_the_crawl_and_says_so(homing: Command, tmp_path: Path) -> None:
    figures = homing.run_here(tmp_path / "pages", "--pages", "30", "--delay", "0")
    assert (figures["fetched"], figures["stop_reason"]) == (30, "pages")
    figures = homing.run_here(tmp_path / "relevant", "--relevant", "3", "--delay", "0", "--concurrency", "1")
    assert (figures["relevant"], figures["stop_reason"]) == (3, "relevant")
    figures = homing.run_here(tmp_path / "minutes", "--minutes", "0.02", "--delay", "0.3")
    assert figures["stop_reason"] == "minutes"
    figures = homing.run_here(tmp_path / "empty", "--max-depth", "1", "--delay", "0")
    assert figures["stop_reason"] == "frontier empty"
    figures = homing.run_here(tmp_path / "full", "--pages-per-host", "2", "--delay", "0")
    assert figures["stop_reason"] in ("hosts full", "frontier empty")


def test_the_little_web_is_crawled_as_robots_redirects_and_sitemaps_say(
    homing: Command, served: Served, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    figures = homing.run_here(folder, "--delay", "0", "--strategy", "breadth-first", "--pages", "1200")
    asked = {(str(request["host"]), str(request["path"])) for request in served.requests()}
    assert not [path for _, path in asked if path.startswith("/private/")]
    assert any("sitemap" in path for _, path in asked)
    assert int(str(figures["redirects"])) > 0
    failed = figures["failed"]
    assert isinstance(failed, dict)
    assert failed.get("robots", 0) > 0
    assert figures["stop_reason"] == "pages"  # the redirect loop and the traps did not hold it up
    assert len(served.web.targets & set(order(folder))) > 50
