"""From a configuration to a crawl: what is refused, what is wired, what is written down."""

from __future__ import annotations

import json
import time
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from homing.config import Config
from homing.crawler.opening import open_crawl
from homing.errors import DamagedError, FolderError, LockedError, OtherCrawlError, UsageError
from homing.strategies import STRATEGIES

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, SmallWeb

SEED = "http://a.example/"


def config(**sections: dict[str, object]) -> Config:
    base: dict[str, dict[str, object]] = {
        "topic": {"text": "wild bees"},
        "seeds": {"urls": [SEED]},
        "fetch": {"connect_to": "127.0.0.1:9"},
    }
    return Config.of(base).merged(sections)


def test_the_configuration_is_stored_whole_and_equal(tmp_path: Path) -> None:
    wanted = config(pace={"delay": 2.5}, strategy={"name": "random", "random_seed": 7})
    open_crawl(wanted, tmp_path / "c").close()
    stored = Config.load(tmp_path / "c" / "crawl.toml")
    assert stored == wanted.merged({"judge": {"name": "keywords"}})


def test_a_folder_is_held_until_it_is_closed(tmp_path: Path) -> None:
    opened = open_crawl(config(), tmp_path / "c")
    assert not opened.resumed
    with pytest.raises(LockedError, match="being written by process"):
        open_crawl(config(), tmp_path / "c")
    opened.close()
    again = open_crawl(config(stop={"pages": 9}), tmp_path / "c")
    assert again.resumed
    again.close()


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "crawl.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_limit_edited_by_hand_takes_effect_and_is_told_once(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    open_crawl(config(), folder).close()
    edit(folder, "delay = 1.0", "delay = 0.25")
    edit(folder, "concurrency = 64", "concurrency = 3")
    for told in (1, 0):
        opened = open_crawl(Config.load(folder / "crawl.toml"), folder)
        try:
            assert opened._parts.frontier.hosts.delay == 0.25
            assert opened._engine.requests.limits.concurrency == 3
            line = "fetch concurrency (64 before, 3 now); pace delay (1.0 before, 0.25 now)"
            assert opened.notices == (f"{folder / 'crawl.toml'} was edited: {line}",) * told
        finally:
            opened.close()


def test_what_defines_a_crawl_cannot_be_edited_by_hand(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    open_crawl(config(), folder).close()
    edit(folder, "wild bees", "wasps")
    with pytest.raises(OtherCrawlError) as raised:
        open_crawl(Config.load(folder / "crawl.toml"), folder)
    assert 'topic text ("wild bees" before, "wasps" now)' in str(raised.value)
    edit(folder, "wasps", "wild bees")
    open_crawl(Config.load(folder / "crawl.toml"), folder).close()


def test_settings_given_to_a_run_are_no_edits(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    open_crawl(config(), folder).close()
    open_crawl(config(pace={"delay": 3.0}, fetch={"headers": {"Cookie": "secret"}}), folder).close()
    opened = open_crawl(config(pace={"delay": 3.0}), folder)
    assert opened.notices == ()
    opened.close()
    assert b"secret" not in (folder / "crawl.db").read_bytes()


def test_what_is_refused_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    for wrong in (
        config(strategy={"name": "nonsense"}),
        config(judge={"name": "nonsense"}),
        config(strategy={"name": "random", "luck": 3}),
        config(seeds={"urls": []}),
        config(topic={"text": " "}),
    ):
        with pytest.raises(UsageError):
            open_crawl(wrong, folder)
    assert not folder.exists()


def test_a_folder_of_something_else_is_refused_untouched(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("bees")
    with pytest.raises(FolderError, match="not empty and no crawl"):
        open_crawl(config(), tmp_path)
    (tmp_path / "crawl.db").write_text("bees " * 100)
    with pytest.raises(DamagedError, match="no SQLite database"):
        open_crawl(config(), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl.db", "notes.txt"]


def test_another_crawl_is_refused_and_stays_free(tmp_path: Path) -> None:
    open_crawl(config(), tmp_path / "c").close()
    with pytest.raises(OtherCrawlError, match="strategy name"):
        open_crawl(config(strategy={"name": "random"}), tmp_path / "c")
    open_crawl(config(), tmp_path / "c").close()


@pytest.mark.parametrize("part", ["judge", "strategy"])
def test_a_crawl_keeps_the_taxonomy_it_was_begun_with(tmp_path: Path, part: str) -> None:
    table = tmp_path / "t.csv"
    table.write_text("code,label,terms\n59,Bees,bee;honey\n63,Gardens,garden\n")
    names: dict[str, dict[str, object]] = {"judge": {"name": "decimal"}, "strategy": {"name": "treasure"}}
    names[part]["taxonomy"] = str(table)
    begun = open_crawl(config(topic={"codes": ["63"]}, **names), tmp_path / "c")
    begun.close()
    copy = tmp_path / "c" / ("topic.taxonomy" if part == "judge" else "strategy.taxonomy")
    assert copy.read_bytes() == table.read_bytes()
    table.write_text("code,label,terms\n7,Games,chess\n")
    again = open_crawl(config(topic={"codes": ["63"]}, **names), tmp_path / "c")
    again.close()
    assert (again.resumed, again.summary) == (True, begun.summary)
    copy.unlink()
    with pytest.raises(UsageError, match=rf"taxonomy {copy} cannot be read"):
        open_crawl(config(topic={"codes": ["63"]}, **names), tmp_path / "c")


def test_the_random_seed_reaches_strategies_that_draw(
    small: SmallWeb, folder: Folder, tmp_path: Path
) -> None:
    small.page(SEED, *(f"/{number}" for number in range(30)))
    assert "random" in STRATEGIES.names()
    orders = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        folder.root = tmp_path / name
        small.log.clear()
        folder.run(
            SEED,
            strategy={"name": "random", "random_seed": seed},
            stop={"pages": 8},
            scope={"within": "host"},
            fetch={"concurrency": 1},
        )
        orders.append(small.asked())
    assert orders[0] == orders[1] != orders[2]


def test_pages_per_second_are_limited_over_all_hosts(small: SmallWeb, folder: Folder) -> None:
    seeds = [f"http://{host}.example/" for host in "abcde"]
    for url in seeds:
        small.page(url)
    began = time.monotonic()
    folder.run(*seeds, pace={"pages_per_second": 10.0})
    assert len(small.log) == 10  # robots.txt is requested as well
    assert time.monotonic() - began >= 0.9


def test_a_window_that_is_open_has_its_own_delay(small: SmallWeb, folder: Folder) -> None:
    now = datetime.now()
    around = {
        "from": (now - timedelta(minutes=5)).strftime("%H:%M"),
        "to": (now + timedelta(minutes=5)).strftime("%H:%M"),
        "delay": 0.4,
    }
    small.page(SEED, "/1")
    small.page("http://a.example/1")
    folder.run(SEED, pace={"delay": 0.0, "windows": [around]})
    moments = small.moments("a.example")
    assert len(moments) == 3
    assert min(later - sooner for sooner, later in pairwise(moments)) >= 0.39


def test_the_log_has_a_line_of_json_for_every_event(small: SmallWeb, folder: Folder) -> None:
    small.robots("http://a.example", "User-agent: *\nDisallow: /no\nSitemap: http://a.example/map.txt")
    small.text("http://a.example/map.txt", "http://a.example/listed\n", "text/plain")
    small.page(SEED, "/no", "/gone", "/moved", "/busy")
    small.redirect("http://a.example/moved", "/")
    small.page("http://a.example/busy", status=503)
    folder.run(SEED, fetch={"retries": 1, "concurrency": 1})
    lines = [json.loads(line) for line in (folder.root / "crawl.log").read_text().splitlines()]
    by_event: dict[str, list[dict[str, object]]] = {}
    for line in lines:
        assert isinstance(line["at"], float)
        by_event.setdefault(line["event"], []).append(line)
    counts = {event: len(found) for event, found in by_event.items()}
    assert counts == {
        "sitemap": 1,
        "visited": 1,
        "missed": 1,
        "redirected": 1,
        "postponed": 1,
        "answered": 3,
        "stopped": 1,
    }
    assert by_event["visited"][0] | {"at": 0} == {
        "at": 0,
        "event": "visited",
        "step": 1,
        "url": SEED,
        "status": 200,
        "score": 0.0,
        "relevant": False,
        "depth": 0,
        "priority": [0, 0.0],
    }
    assert by_event["missed"][0]["kind"] == "robots"
    assert by_event["redirected"][0]["target"] == SEED
    assert by_event["postponed"][0]["detail"] == "503"
    assert {(line["url"], line["status"]) for line in by_event["answered"]} == {
        ("http://a.example/gone", 404),
        ("http://a.example/busy", 503),
        ("http://a.example/listed", 404),
    }
    assert by_event["stopped"][0]["detail"] == "frontier empty"
