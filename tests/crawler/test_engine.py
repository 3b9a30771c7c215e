"""The loop: how it stops, and what it does when something breaks."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from homing.crawler.crawl import Crawl
from homing.crawler.progress import Limits
from homing.errors import StorageError
from homing.model import Standing
from homing.store.memory import MemoryStore
from homing.store.views.reader import Reader
from homing.strategies.breadth_first import BreadthFirst

if TYPE_CHECKING:
    from tests.crawler.conftest import Build, Folder, Serve, SmallWeb

SEED = "http://a.example/"


async def until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.005)


def run_and(
    folder: Folder,
    serve: Serve,
    then: Callable[[Crawl], Awaitable[None]],
    *seeds: str,
    **sections: dict[str, object],
) -> tuple[str, float]:
    """Run a crawl, do something to it meanwhile; why it stopped and how long that took from then."""

    async def crawl() -> tuple[str, float]:
        async with serve(folder.small):
            opened = folder.open(*seeds, **sections)
            try:
                running = asyncio.create_task(opened.run())
                await then(opened)
                began = time.monotonic()
                return await asyncio.wait_for(running, 20), time.monotonic() - began
            finally:
                opened.close()

    return asyncio.run(crawl())


def test_stop_finishes_what_is_in_flight_and_asks_nothing_more(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    small.page(SEED, "/next", seconds=0.4)

    async def stop(opened: Crawl) -> None:
        await until(lambda: SEED in small.asked())
        opened.stop("interrupted")

    assert run_and(folder, serve, stop, SEED)[0] == "interrupted"
    assert folder.pages() == small.asked() == [SEED]
    assert folder.figures()["stop_reason"] == "interrupted"


def test_stop_does_not_wait_for_a_host_that_rests(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    small.robots("http://a.example", "User-agent: *\nCrawl-delay: 30")
    small.page(SEED)

    async def stop(opened: Crawl) -> None:
        await until(lambda: len(small.log) == 1)
        await asyncio.sleep(0.1)
        opened.stop("interrupted")

    # With one request in flight the URL is leased, and waits with its host.
    reason, seconds = run_and(folder, serve, stop, SEED, fetch={"concurrency": 1})
    assert reason == "interrupted"
    assert seconds < 10


def test_stop_twice_drops_what_is_in_flight_and_the_next_run_asks_again(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    small.page(SEED, "/slow", "/other")
    small.page("http://a.example/slow", seconds=30)
    small.page("http://a.example/other")

    async def stop_twice(opened: Crawl) -> None:
        await until(lambda: "http://a.example/slow" in small.asked())
        opened.stop("interrupted")
        await asyncio.sleep(0.1)
        opened.stop("interrupted again")

    reason, seconds = run_and(folder, serve, stop_twice, SEED)
    assert (reason, seconds < 2) == ("interrupted", True)
    assert folder.pages() == [SEED]
    with Reader(folder.root) as reader:
        entry = reader.find("http://a.example/slow")
        assert entry is not None
        assert (reader.standing(entry.seq), entry.tries) == (Standing.WAITING, 0)
    small.page("http://a.example/slow")
    folder.run(SEED)
    assert folder.pages() == [SEED, "http://a.example/slow", "http://a.example/other"]


def test_stopped_twice_in_one_breath_it_ends_all_the_same(
    small: SmallWeb, build: Build, serve: Serve
) -> None:
    """Requests that have been leased but not begun go back too."""

    async def crawl() -> str:
        async with serve(small):
            small.page(SEED)
            engine = build(BreadthFirst(), MemoryStore(), [SEED])
            lease = engine.requests.lease

            def lease_and_stop(now: float) -> object:
                leases = lease(now)
                if leases:
                    loop.call_soon_threadsafe(stop_at_once)
                return leases

            def stop_at_once() -> None:
                # Just after the turn: its requests are tasks, and none of them has begun.
                if engine.requests._since:
                    engine.stop("interrupted")
                    engine.stop("interrupted")
                else:
                    loop.call_soon(stop_at_once)

            loop = asyncio.get_running_loop()
            engine.requests.lease = lease_and_stop  # type: ignore[method-assign, assignment]
            try:
                return await asyncio.wait_for(engine.run(), 5)
            finally:
                await engine.parts.fetcher.close()
                engine.parts.thread.shutdown()

    assert asyncio.run(crawl()) == "interrupted"
    assert small.asked() == []


def test_a_disk_that_gives_up_ends_the_crawl_with_its_own_error_and_keeps_no_half_visit(
    small: SmallWeb, folder: Folder, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        small.page(f"http://a.example/{number}", f"/{number + 1}")
    small.page("http://b.example/", seconds=5)  # in flight when it happens

    async def crawl() -> None:
        async with serve(small):
            opened = folder.open("http://a.example/0", "http://b.example/")
            store = opened._engine.parts.store
            link, count = store.link, 0

            def failing(seq: int, targets: object) -> None:
                nonlocal count
                count += 1
                if count == 3:
                    raise StorageError("the disk is full")
                link(seq, targets)  # type: ignore[arg-type]

            monkeypatch.setattr(store, "link", failing)
            try:
                with pytest.raises(StorageError, match="the disk is full"):
                    await asyncio.wait_for(opened.run(), 4)
            finally:
                opened.close()

    asyncio.run(crawl())
    with closing(sqlite3.connect(folder.root / "crawl.db")) as db:
        visited = [seq for (seq,) in db.execute("SELECT seq FROM visits WHERE kind = 'page'")]
        linked = [seq for (seq,) in db.execute("SELECT seq FROM links")]
    assert visited == linked
    assert len(visited) < 3
    small.page("http://b.example/")
    assert folder.run("http://a.example/0", "http://b.example/") == "frontier empty"
    assert folder.figures()["fetched"] == 7  # the last one is a 404


def test_a_commit_that_fails_ends_the_crawl_and_what_was_committed_before_is_safe(
    small: SmallWeb, folder: Folder, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(200):
        small.page(f"http://a.example/{number}", f"/{number + 1}", seconds=0.02)

    async def crawl() -> None:
        async with serve(small):
            opened = folder.open("http://a.example/0")
            store = opened._engine.parts.store
            commit, count = store.commit, 0

            def failing() -> None:
                nonlocal count
                count += 1
                if count == 2:
                    raise StorageError("the disk is full")
                commit()

            monkeypatch.setattr(store, "commit", failing)
            try:
                with pytest.raises(StorageError, match="the disk is full"):
                    await asyncio.wait_for(opened.run(), 10)
            finally:
                opened.close()

    asyncio.run(crawl())
    pages = folder.pages()
    assert pages == [f"http://a.example/{number}" for number in range(len(pages))]
    assert 0 < len(pages) < len(small.asked())
    with Reader(folder.root) as reader:
        assert all(reader.reply(row) is not None for row in reader.pages())


def test_a_bug_in_a_strategy_is_not_hidden(small: SmallWeb, build: Build, serve: Serve) -> None:
    class Broken(BreadthFirst):
        """Does not work."""

        def learn(self, visit: object) -> None:
            raise ZeroDivisionError

    async def crawl() -> None:
        async with serve(small):
            small.page(SEED)
            engine = build(Broken(), MemoryStore(), [SEED])
            try:
                with pytest.raises(ExceptionGroup) as caught:
                    await asyncio.wait_for(engine.run(), 5)
                assert caught.group_contains(ZeroDivisionError)
            finally:
                await engine.parts.fetcher.close()
                engine.parts.thread.shutdown()

    asyncio.run(crawl())


def test_a_best_first_crawl_with_one_request_in_flight_is_the_same_every_time(
    small: SmallWeb, build: Build, serve: Serve
) -> None:
    for host in "abc":
        for number in range(4):
            small.page(
                f"http://{host}.example/{number}",
                *(f"http://{other}.example/{number + 1}" for other in "abc"),
            )

    async def crawl() -> list[str]:
        small.log.clear()
        async with serve(small):
            limits = Limits(concurrency=1, pages=9)
            engine = build(BreadthFirst(), MemoryStore(), ["http://a.example/0"], limits=limits)
            try:
                assert await engine.run() == "pages"
            finally:
                await engine.parts.fetcher.close()
                engine.parts.thread.shutdown()
        return small.asked()

    first = asyncio.run(crawl())
    assert asyncio.run(crawl()) == first
    assert len(first) == 9
