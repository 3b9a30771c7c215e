"""Large bodies share a budget: the oldest goes on, the others wait. How they are read: test_exchange.py."""

import asyncio
import tracemalloc
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from tests.fetch.test_exchange import no_robots

from homing.fetch.body import BodyBudget

Open = Callable[..., AbstractAsyncContextManager[Any]]


def test_small_bodies_are_never_kept_waiting() -> None:
    budget = BodyBudget(most=100, large=10)
    assert budget.grant(1, 200)
    assert budget.grant(2, 10)


def test_a_body_beyond_the_budget_waits_until_the_oldest_is_archived() -> None:
    async def run() -> list[str]:
        budget, told = BodyBudget(most=100, large=10), []

        async def grow(holder: int) -> None:
            if not budget.grant(holder, 60):
                await budget.wait(holder)
            told.append(f"{holder} goes on")

        tasks = [asyncio.create_task(grow(holder)) for holder in (1, 2, 3)]
        await asyncio.sleep(0.01)
        for holder in (1, 2, 3):
            told.append(f"{holder} is archived")
            budget.release(holder)
            await asyncio.sleep(0.01)
        await asyncio.gather(*tasks)
        return told

    assert asyncio.run(run()) == [
        "1 goes on",
        "1 is archived",
        "2 goes on",
        "2 is archived",
        "3 goes on",
        "3 is archived",
    ]


def test_the_oldest_may_grow_beyond_the_budget() -> None:
    budget = BodyBudget(most=100, large=10)
    assert budget.grant(1, 90)
    assert not budget.grant(2, 20)
    assert budget.grant(1, 1_000)


def test_a_release_without_a_grant_changes_nothing() -> None:
    budget = BodyBudget(most=100, large=10)
    budget.grant(1, 90)
    budget.release(7)
    assert not budget.grant(2, 20)


def test_a_body_that_waits_holds_little_that_is_not_counted(
    serve: Open, make_fetcher: Open, entry: Callable[..., Any]
) -> None:
    piece = b"x" * 65_536

    async def endless(request: dict[str, str], writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(piece)
            await writer.drain()

    async def held() -> int:
        budget = BodyBudget(most=0, large=1_000)
        budget.grant(-1, 10_000)  # the oldest, in no hurry
        async with (
            serve(endless, "0.0.0.0") as (port, _),
            make_fetcher(load_robots=no_robots, budget=budget) as fetcher,
        ):
            before = tracemalloc.get_traced_memory()[0]
            urls = [f"http://127.0.3.{number}:{port}/" for number in range(1, 17)]
            tasks = [asyncio.create_task(fetcher.fetch(entry(url))) for url in urls]
            await asyncio.sleep(0.5)
            after = tracemalloc.get_traced_memory()[0]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return (after - before) // len(urls)

    tracemalloc.start()
    try:
        assert asyncio.run(held()) < 300_000  # of which the server has a good part
    finally:
        tracemalloc.stop()
