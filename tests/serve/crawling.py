"""Real crawls of the little web: one to its end, one that runs while a test looks at it."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

from homing.config import Config
from homing.crawler.opening import open_crawl
from homing.demo.web.little_web import LittleWeb
from homing.demo.web_server import serve
from homing.store.catalog.catalog import Catalog
from homing.store.folder import open_catalog


def config(address: str, seeds: list[str], *, pages: int, delay: float = 0.0) -> Config:
    return Config.of(
        {
            "topic": {"text": "butterfly gardening"},
            "seeds": {"urls": seeds},
            "fetch": {"connect_to": address, "concurrency": 1},
            "pace": {"delay": delay, "crawl_delay_cap": 0.05},
            "strategy": {"name": "link-context"},
            "stop": {"pages": pages},
        }
    )


async def crawl_little_web(folder: Path, pages: int) -> None:
    """Crawl until that many pages are there."""
    async with serve(LittleWeb(1)) as server:
        crawl = open_crawl(config(server.address, list(server.web.seeds), pages=pages), folder)
        try:
            await crawl.run()
        finally:
            crawl.close()


class RunningCrawl:
    """A crawl in a thread of its own, some forty pages a second, until it is stopped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._done = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self._thread.start()
        while not (folder / "crawl.db").exists():
            assert self._thread.is_alive()
            time.sleep(0.02)

    def stop(self) -> None:
        """End it cleanly; may be called twice."""
        self._done.set()
        self._thread.join(20)
        assert not self._thread.is_alive()

    async def _run(self) -> None:
        async with serve(LittleWeb(1), latency=0.02) as server:
            crawl = open_crawl(config(server.address, list(server.web.seeds), pages=10_000), self.folder)
            try:
                running = asyncio.create_task(crawl.run())
                while not self._done.is_set():
                    await asyncio.sleep(0.05)
                for _ in range(2):  # the second drops what is in flight: some hosts of that web are very slow
                    crawl.stop("stopped by the test")
                await running
            finally:
                crawl.close()


class open_for_writing:  # noqa: N801 - reads as the verb it is
    """The catalog of a crawl, held as a running crawl holds it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> Catalog:
        self._catalog = open_catalog(self._folder, strategy="link-context", judge="keywords", wall=time.time)
        return self._catalog

    def __exit__(self, *_: object) -> None:
        self._catalog.close()
