"""The limit that strategies are held to."""

from __future__ import annotations

from pathlib import Path

from tests.lab.conftest import drawn

from homing.judge.keywords import Keywords
from homing.lab.crawl import crawl
from homing.lab.oracle import Oracle

SITE = "http://a.example"


def test_the_oracle_goes_straight_to_targets_and_takes_the_hub_first(tmp_path: Path) -> None:
    pages = {
        "/": ("/far", "/one", "/hub"),
        "/far": ("/deep",),
        "/deep": ("/t4",),
        "/one": ("/t1",),
        "/hub": ("/t2", "/t3"),
        **{f"/t{number}": () for number in range(1, 5)},
    }
    targets = ("/t1", "/t2", "/t3", "/t4")
    web = drawn(tmp_path / "web", pages, targets)
    oracle = Oracle(web, [SITE + path for path in targets])
    trace = crawl(web, oracle, Keywords("moth"), [f"{SITE}/"], pages=20)
    paths = [url.removeprefix(SITE) for url in trace.urls]
    assert paths == ["/", "/hub", "/t2", "/t3", "/one", "/t1", "/far", "/deep", "/t4"]
