"""The little web, served from a thread while a test crawls it from Python."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from homing.demo.web.little_web import LittleWeb
from homing.demo.web_server import serve

WEB = LittleWeb(1, pages=200, hosts=10)

Settings = dict[str, dict[str, object]]


@contextmanager
def served() -> Iterator[Settings]:
    """Serve it while the block runs; yields the settings of a crawl that reach it."""
    loop = asyncio.new_event_loop()
    addresses: list[str] = []
    ready, leave = threading.Event(), asyncio.Event()

    async def stay() -> None:
        async with serve(WEB) as server:
            addresses.append(server.address)
            ready.set()
            await leave.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(stay(),))
    thread.start()
    assert ready.wait(10)
    try:
        yield {"fetch": {"connect_to": addresses[0]}, "pace": {"delay": 0.0}}
    finally:
        loop.call_soon_threadsafe(leave.set)
        thread.join()
        loop.close()
