"""Real servers on loopback, as odd as they need to be, and fetchers that may connect to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from homing.crawler.clock import WallClock
from homing.fetch.fetcher import HttpFetcher
from homing.fetch.settings import Limits
from homing.model import Entry, Kind, Priority
from homing.urls import key

Request = dict[str, str]
"""Header names in lower case, and ``path`` and ``connection-number``."""
Answer = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serve_raw(
    answer: Answer, address: str = "127.0.0.1", **options: Any
) -> AsyncIterator[tuple[int, list[Request]]]:
    """A server that answers with whatever bytes it likes; its port, and the requests it got."""
    requests: list[Request] = []
    connections = 0
    busy: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        number = connections
        task = asyncio.current_task()
        assert task is not None
        busy.add(task)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode("latin-1").rstrip().split("\r\n")
                request = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
                request |= {"path": first.split(" ")[1], "connection-number": str(number)}
                requests.append(request)
                await answer(request, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            busy.discard(task)
            writer.close()

    server = await asyncio.start_server(talk, address, 0, **options)
    try:
        yield server.sockets[0].getsockname()[1], requests
    finally:
        server.close()
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)


@pytest.fixture
def serve() -> Callable[..., AbstractAsyncContextManager[tuple[int, list[Request]]]]:
    return serve_raw


@pytest.fixture
def make_fetcher() -> Callable[..., AbstractAsyncContextManager[HttpFetcher]]:
    """A fetcher for loopback, with short limits and by default no delays."""

    @asynccontextmanager
    async def make(**options: Any) -> AsyncIterator[HttpFetcher]:
        limits = {"first_byte_seconds": 5.0, "total_seconds": 5.0, "delay": 0.0} | options.pop("limits", {})
        defaults: dict[str, Any] = {
            "clock": WallClock(),
            "load_robots": lambda origin: None,
            "allow_networks": ["127.0.0.0/8"],
        }
        fetcher = HttpFetcher(**(defaults | options), limits=Limits(**limits))
        try:
            yield fetcher
        finally:
            await fetcher.close()

    return make


@pytest.fixture
def entry() -> Callable[..., Entry]:
    def make(
        url: str, *, tries: int = 0, kind: Kind = "page", validators: tuple[str, str] = ("", "")
    ) -> Entry:
        return Entry(
            key=key(url), url=url, priority=Priority(), tries=tries, kind=kind, validators=validators
        )

    return make
