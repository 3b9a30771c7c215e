"""A crawl as a loop over its visits."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from homing.crawler.crawl import AHEAD
from homing.errors import StorageError

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, Serve, SmallWeb

SEED = "http://a.example/0"


def chain(small: SmallWeb, pages: int, hosts: str = "a", seconds: float = 0.0) -> list[str]:
    """On each host a page that leads to the next one; the first addresses."""
    for host in hosts:
        for number in range(pages):
            links = [f"/{number + 1}"] if number + 1 < pages else []
            small.page(f"http://{host}.example/{number}", *links, seconds=seconds)
    return [f"http://{host}.example/0" for host in hosts]


def test_visits_come_in_the_order_of_the_crawl(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    seeds = chain(small, 5, hosts="abc")

    async def crawl() -> list[tuple[int, str]]:
        async with serve(small):
            opened = folder.open(*seeds)
            try:
                return [(visit.step, visit.entry.url) async for visit in opened.visits()]
            finally:
                opened.close()

    visits = asyncio.run(crawl())
    assert [step for step, _ in visits] == list(range(1, 16))
    assert [url for _, url in visits] == folder.pages()
    assert folder.figures()["stop_reason"] == "frontier empty"


def test_a_slow_caller_holds_the_crawl_up(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    chain(small, 60)

    async def crawl() -> int:
        async with serve(small):
            opened = folder.open(SEED)
            try:
                async with aclosing(opened.visits()) as visits:
                    async for _ in visits:
                        await asyncio.sleep(1.0)
                        return len(small.asked())
                raise AssertionError("no visits")
            finally:
                opened.close()

    assert asyncio.run(crawl()) <= AHEAD + 3


def test_a_caller_that_keeps_up_does_not_slow_the_crawl_down(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    """More visits may arrive in one turn than may wait for the caller."""
    rounds, hosts = 8, "abcdefghijklmnopqrstuvwxyz"
    assert len(hosts) > AHEAD
    together = asyncio.Event()
    seeds = chain(small, rounds, hosts)
    waiting = 0

    async def crawl() -> float:
        nonlocal waiting, together
        answer_now = small.handle

        async def all_at_once(request: object) -> object:
            nonlocal waiting, together
            waiting += 1
            gate = together
            if waiting == len(hosts):
                waiting, together = 0, asyncio.Event()
                gate.set()
            await gate.wait()
            return await answer_now(request)  # type: ignore[arg-type]

        small.handle = all_at_once  # type: ignore[method-assign, assignment]
        async with serve(small):
            opened = folder.open(*seeds)
            began = time.monotonic()
            try:
                count = len([visit async for visit in opened.visits()])
            finally:
                opened.close()
            assert count == rounds * len(hosts)
            return time.monotonic() - began

    assert asyncio.run(crawl()) < rounds * 0.5


def test_leaving_the_loop_stops_cleanly_and_the_crawl_can_be_resumed(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    chain(small, 40)

    async def crawl() -> list[str]:
        seen = []
        async with serve(small):
            opened = folder.open(SEED)
            try:
                async with aclosing(opened.visits()) as visits:
                    async for visit in visits:
                        seen.append(visit.entry.url)
                        if len(seen) == 3:
                            break
            finally:
                opened.close()
        return seen

    assert asyncio.run(crawl()) == [f"http://a.example/{number}" for number in range(3)]
    assert folder.figures()["stop_reason"] == "left"
    folder.run(SEED)
    assert small.asked() == folder.pages() == [f"http://a.example/{number}" for number in range(40)]


def test_an_error_of_the_crawl_comes_out_of_the_loop(
    small: SmallWeb, folder: Folder, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain(small, 5)

    async def crawl() -> None:
        async with serve(small):
            opened = folder.open(SEED)

            def fail(*_: object) -> None:
                raise StorageError("the disk is full")

            monkeypatch.setattr(opened._engine.parts.store, "link", fail)
            try:
                with pytest.raises(StorageError, match="the disk is full"):
                    async for _ in opened.visits():
                        pass
            finally:
                opened.close()

    asyncio.run(crawl())
