"""Wishes from outside: granted within a second, in order, and each is told what became of it.

``pause``, ``go-on`` and ``stop`` are tried on the real command: tests/integration/test_steering.py.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import TYPE_CHECKING

from homing.crawler import Crawl
from homing.store.inbox import Inbox

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, Serve, SmallWeb

SEED = "http://a.example/0"


def endless(small: SmallWeb, *hosts: str, seconds: float = 0.05) -> None:
    for host in hosts or ("a",):
        for number in range(400):
            small.page(f"http://{host}.example/{number}", f"/{number + 1}", seconds=seconds)


def notes(folder: Folder) -> list[tuple[str, str | None]]:
    with closing(sqlite3.connect(folder.root / "inbox.db")) as db:
        return db.execute("SELECT kind, note FROM wishes ORDER BY id").fetchall()


async def until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.02)


def steer(
    folder: Folder,
    serve: Serve,
    wish: Callable[[Inbox], Awaitable[None]],
    *seeds: str,
    **sections: dict[str, object],
) -> str:
    """Crawl, and meanwhile leave wishes in the inbox; why the crawl stopped."""

    async def crawl() -> str:
        async with serve(folder.small):
            opened: Crawl = folder.open(*(seeds or (SEED,)), **sections)
            inbox = Inbox(folder.root)
            try:
                running = asyncio.create_task(opened.run())
                await until(lambda: len(folder.small.log) > 3)
                await wish(inbox)
                return await asyncio.wait_for(running, 10)
            finally:
                opened.close()
                inbox.close()

    return asyncio.run(crawl())


def test_what_is_blocked_is_not_asked_any_more_nor_after_a_restart(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    endless(small, "a", "b")
    seeds = ("http://a.example/0", "http://b.example/0")

    async def block(inbox: Inbox) -> None:
        inbox.send("block", {"pattern": "b.example"})
        await until(lambda: notes(folder) == [("block", "done")])
        await asyncio.sleep(0.15)
        blocked = len(small.moments("b.example"))
        others = len(small.moments("a.example"))
        await until(lambda: len(small.moments("a.example")) > others + 4)
        assert len(small.moments("b.example")) == blocked
        inbox.send("stop", {})

    assert steer(folder, serve, block, *seeds) == "asked to stop"
    asked = len(small.moments("b.example"))
    small.page("http://b.example/new")
    folder.run(*seeds, "http://b.example/new", stop={"pages": len(folder.pages()) + 5})
    assert len(small.moments("b.example")) == asked
    # The new seed, and the one that waited unless it was in flight.
    assert folder.figures()["failed"] in ({"scope": 1}, {"scope": 2})


def test_a_glob_can_be_blocked_and_bad_wishes_are_answered(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    endless(small)

    async def wish(inbox: Inbox) -> None:
        inbox.send("block", {"pattern": ""})
        inbox.send("delay", {"seconds": -1})
        inbox.send("delay", {"seconds": "long"})
        inbox.send("dance", {})
        inbox.send("seeds", {"urls": ["http://c.example/", "ftp://c.example/", "nonsense"]})
        inbox.send("block", {"pattern": "http://a.example/*"})

    assert steer(folder, serve, wish) == "frontier empty"
    assert [note for _, note in notes(folder)] == [*["not understood"] * 4, "1 of 3 taken", "done"]
    assert "http://c.example/" in small.asked()


def test_seeds_join_a_running_crawl_whatever_its_scope(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    endless(small)
    small.page("http://c.example/", "/below", "http://d.example/")
    small.page("http://c.example/below")

    async def add(inbox: Inbox) -> None:
        inbox.send("seeds", {"urls": ["http://c.example/"]})
        await until(lambda: "http://c.example/below" in small.asked())
        inbox.send("stop", {})

    steer(folder, serve, add, scope={"within": "host"})
    assert not small.moments("d.example")


def test_another_delay_holds_from_then_on(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    endless(small, seconds=0.0)

    async def slow_down(inbox: Inbox) -> None:
        inbox.send("delay", {"seconds": 0.4})
        await until(lambda: notes(folder) == [("delay", "done")])
        asked = len(small.log)
        await until(lambda: len(small.log) >= asked + 3)
        inbox.send("stop", {})

    steer(folder, serve, slow_down, pace={"delay": 0.05})
    moments = small.moments("a.example")
    assert moments[-1] - moments[-2] >= 0.39
    assert moments[-2] - moments[-3] >= 0.39
    assert moments[3] - moments[2] < 0.39


def test_a_wish_is_safe_before_it_is_called_done(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    """A block that was granted must not be lost by a crash half a second later."""
    endless(small)

    async def crawl() -> list[str]:
        async with serve(small):
            opened = folder.open(SEED)
            inbox = Inbox(folder.root)
            try:
                inbox.send("block", {"pattern": "b.example"})
                opened._tick()
            finally:
                opened.close()  # without a commit, as in a crash
                inbox.close()
        with closing(sqlite3.connect(folder.root / "crawl.db")) as db:
            return [row[0] for row in db.execute("SELECT value FROM facts WHERE name = 'blocks'")]

    assert asyncio.run(crawl()) == ['["b.example"]']
    assert notes(folder) == [("block", "done")]
