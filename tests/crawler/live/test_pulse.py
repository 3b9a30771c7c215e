"""Snapshots of a running crawl: while it is watched, and no longer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from homing.crawler.crawl import Crawl
from homing.crawler.live import pulse
from homing.store.inbox import Inbox
from homing.store.pulse_file import Pulse, read_pulse

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, Serve, SmallWeb

SEED = "http://a.example/0"


async def until(true: Callable[[], object], seconds: float = 8.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.02)


def watched(
    folder: Folder,
    serve: Serve,
    look: Callable[[Crawl, Inbox], Awaitable[None]],
    **sections: dict[str, object],
) -> None:
    """Crawl, and look at it meanwhile."""

    async def crawl() -> None:
        async with serve(folder.small):
            opened = folder.open(SEED, **sections)
            with closing(Inbox(folder.root)) as inbox:
                try:
                    running = asyncio.create_task(opened.run())
                    await until(lambda: len(folder.small.asked()) > 2)
                    await look(opened, inbox)
                    opened.stop("seen enough")
                    await asyncio.wait_for(running, 10)
                finally:
                    opened.close()

    asyncio.run(crawl())


def pulse_of(folder: Folder) -> Pulse | None:
    return read_pulse(folder.root / "pulse.json")


def seen(folder: Folder) -> Pulse:
    found = pulse_of(folder)
    assert found is not None
    return found


def endless(small: SmallWeb, *links: str) -> None:
    for number in range(400):
        small.page(
            f"http://a.example/{number}", f"/{number + 1}", *(links if number == 0 else []), seconds=0.05
        )


def test_nothing_is_written_while_it_is_not_watched(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    endless(small)

    async def look(opened: Crawl, inbox: Inbox) -> None:
        await asyncio.sleep(1.5)
        assert pulse_of(folder) is None

    watched(folder, serve, look)


def test_a_snapshot_shows_the_head_of_the_frontier_and_the_hosts(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    others = [f"http://b.example/butterfly-{number}" for number in range(30)]
    small.robots("http://b.example", "User-agent: *\nCrawl-delay: 30")
    endless(small, *others)

    async def look(opened: Crawl, inbox: Inbox) -> None:
        inbox.send("snapshot", {})
        await until(lambda: pulse_of(folder))
        found = seen(folder)
        assert abs(found.at - time.time()) < 3
        assert found.memory > 10_000_000
        assert not found.paused
        assert len(found.head) == 20
        first = found.head[0]
        assert first.url in others
        assert (first.parent, first.anchor, first.tier) == (SEED, first.url, 0)
        assert [name for name, _ in first.why] == ["page", "context"]
        assert sum(value for _, value in first.why) == pytest.approx(first.score)
        assert [each.score for each in found.head] == sorted(
            (each.score for each in found.head), reverse=True
        )
        hosts = {host.name: host for host in found.hosts}
        assert hosts["b.example"].state == "resting"
        assert 20 < hosts["b.example"].ready_in <= 30
        assert hosts["b.example"].delay == 30
        assert hosts["b.example"].waiting == 30
        assert hosts["a.example"].asked > 0

        inbox.send("pause", {})
        await until(lambda: seen(folder).paused and not seen(folder).in_flight)
        assert seen(folder).at > found.at

    watched(folder, serve, look, strategy={"name": "link-context"})
    assert pulse_of(folder) is None, "a crawl that is over has no pulse"


def test_a_snapshot_shows_hosts_that_fail_or_are_full(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    endless(small, *(f"http://c.example/{number}" for number in range(5)), "http://d.example/")
    for number in range(5):
        small.page(f"http://c.example/{number}")
    small.page("http://d.example/", status=503)

    async def look(opened: Crawl, inbox: Inbox) -> None:
        inbox.send("snapshot", {})
        await until(lambda: "http://d.example/" in small.asked())
        await until(lambda: pulse_of(folder) and {"full"} <= {each.state for each in seen(folder).hosts})
        hosts = {host.name: host for host in seen(folder).hosts}
        assert (hosts["c.example"].state, hosts["c.example"].asked) == ("full", 2)
        assert hosts["c.example"].waiting == 3
        assert hosts["d.example"].failures >= 1
        assert hosts["a.example"].failures == 0

    sections: dict[str, dict[str, object]] = {
        "scope": {"pages_per_host": 2},
        "fetch": {"retry_base_seconds": 60.0},
    }
    for number in range(1, 400):
        small.page(f"http://a{number}.example/", f"http://a{number + 1}.example/", seconds=0.1)
    small.page("http://a.example/1", "http://a1.example/")
    watched(folder, serve, look, **sections)


def test_when_it_is_not_watched_any_more_the_pulse_is_removed(
    small: SmallWeb, folder: Folder, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "WATCHED_FOR", 1.5)
    endless(small)

    async def look(opened: Crawl, inbox: Inbox) -> None:
        inbox.send("snapshot", {})
        await until(lambda: pulse_of(folder))
        await until(lambda: pulse_of(folder) is None)

    watched(folder, serve, look)


def test_a_pulse_that_cannot_be_written_is_reported_and_the_crawl_continues(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    endless(small)

    async def look(opened: Crawl, inbox: Inbox) -> None:
        log = Path(folder.root / "crawl.log")
        (folder.root / "pulse.json.part").mkdir()  # in the way of the draft
        inbox.send("snapshot", {})
        await until(lambda: '"pulse"' in log.read_text())
        asked = len(small.asked())
        await until(lambda: len(small.asked()) > asked + 3)

    watched(folder, serve, look)
