"""``kill -9`` at any point, while a crawl starts or runs.

Expected: no acknowledged URL is lost; a page is fetched at most once more for each crash, and never again
once it is committed; every host rests its full delay after the restart; the archive is readable to its last
committed record, by ``gzip -t`` and by ``warcio check``; catalog, archive, export and figures agree. Checked
after each of five kills, with eight hosts in flight; after each of fifty by ``make soak``.
"""

import time
from pathlib import Path

import pytest
from tests.hazards.hosts import Hosts, page
from tests.hazards.machine.kills import KillLoop
from tests.integration.command import Command, serving

from homing.store.folder import Layout

KILLS = 5
SEED = "http://a.example/"


def test_killed_at_random_points_it_loses_nothing_and_requests_nothing_it_has(tmp_path: Path) -> None:
    with serving(tmp_path / "requests.jsonl", latency=0.05) as served:
        loop = KillLoop(Command(served), tmp_path / "crawl")
        for _ in range(KILLS):
            loop.live_and_die()
        assert len(loop.held.visited) > 20


@pytest.mark.parametrize(
    "left", [["lock"], ["lock", "warc/"], ["lock", "warc/", "crawl.db.new", "crawl.db.new-wal"]]
)
def test_a_start_that_was_killed_before_it_created_the_catalog_can_be_repeated(
    tmp_path: Path, left: list[str]
) -> None:
    for name in left:
        path = tmp_path / name
        path.mkdir() if name.endswith("/") else path.touch()
    assert Layout(tmp_path).is_bare
    (tmp_path / "holiday.jpg").touch()
    assert not Layout(tmp_path).is_bare


def test_after_a_restart_hosts_rest_the_delay_of_the_time_of_day(hosts: Hosts) -> None:
    hosts[SEED] = page("/1")
    hosts[f"{SEED}1"] = page()
    always = [
        {"from": "00:00", "to": "12:00", "delay": 0.8},
        {"from": "12:00", "to": "00:00", "delay": 0.8},
    ]
    assert hosts.crawl(SEED, pace={"delay": 0.0, "windows": always}, stop={"pages": 1}) == "pages"
    began = time.monotonic()
    assert hosts.crawl(SEED, pace={"delay": 0.0, "windows": always}) == "frontier empty"
    assert hosts.log[-1].began - began >= 0.8
