"""A web of a few pages on loopback, and crawls of it: whole ones in a folder, and engines part by part."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from tests.engines import engine_of, put_away

from homing.config import Config
from homing.crawler.crawl import Crawl
from homing.crawler.engine import Engine
from homing.crawler.opening import open_crawl
from homing.crawler.progress import Limits
from homing.fetch.fetcher import HttpFetcher
from homing.fetch.settings import Limits as FetchLimits
from homing.frontier.frontier import Frontier
from homing.judge import JUDGES, Brief
from homing.ports import Parser, Store
from homing.store.views.reader import Reader
from homing.strategies import Strategy

Answer = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    url: str
    began: float
    headers: Mapping[str, str]


@dataclass
class SmallWeb:
    """Pages by address, on any number of hosts behind one port. What it does not know is a 404."""

    address: str = ""
    log: list[Asked] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)

    def page(
        self,
        url: str,
        *links: str,
        text: str = "",
        html: str = "",
        head: str = "",
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        seconds: float = 0.0,
    ) -> None:
        """A page with these links, after so many seconds."""
        hrefs = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
        body = html or f"<html><head>{head}</head><body><p>{text}</p><ul>{hrefs}</ul></body></html>"

        async def answer(request: web.BaseRequest) -> web.Response:
            await asyncio.sleep(seconds)
            return web.Response(status=status, text=body, content_type="text/html", headers=headers)

        self.answers[url] = answer

    def redirect(self, url: str, target: str, status: int = 302) -> None:
        async def answer(request: web.BaseRequest) -> web.Response:
            return web.Response(status=status, headers={"Location": target})

        self.answers[url] = answer

    def robots(self, origin: str, text: str) -> None:
        self.text(f"{origin}/robots.txt", text, "text/plain")

    def text(self, url: str, text: str, content_type: str) -> None:
        async def answer(request: web.BaseRequest) -> web.Response:
            return web.Response(text=text, content_type=content_type)

        self.answers[url] = answer

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        url = f"http://{request.host}{request.path_qs}"
        self.log.append(Asked(url=url, began=time.monotonic(), headers=dict(request.headers)))
        answer = self.answers.get(url)
        return await answer(request) if answer else web.Response(status=404)

    def asked(self) -> list[str]:
        """What was asked for, robots.txt apart."""
        return [asked.url for asked in self.log if not asked.url.endswith("/robots.txt")]

    def moments(self, host: str) -> list[float]:
        return [asked.began for asked in self.log if urlsplit(asked.url).hostname == host]


Serve = Callable[[SmallWeb], AbstractAsyncContextManager[SmallWeb]]


@asynccontextmanager
async def _serve(small: SmallWeb) -> AsyncIterator[SmallWeb]:
    runner = web.ServerRunner(web.Server(small.handle), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    small.address = "{}:{}".format(*runner.addresses[0])
    try:
        yield small
    finally:
        await runner.cleanup()


@pytest.fixture
def serve() -> Serve:
    return _serve


@pytest.fixture
def small() -> SmallWeb:
    return SmallWeb()


@dataclass
class Folder:
    """Crawls of a small web in one folder, by ``open_crawl`` as every real crawl."""

    small: SmallWeb
    root: Path

    def config(self, *seeds: str, **sections: Mapping[str, object]) -> Config:
        base: dict[str, dict[str, object]] = {
            "topic": {"text": "butterfly gardening"},
            "seeds": {"urls": list(seeds)},
            "strategy": {"name": "breadth-first"},
            "scope": {"avoid_traps": False},  # pages of small webs are much alike
            "pace": {"delay": 0.0},
            "fetch": {"connect_to": self.small.address, "retry_base_seconds": 0.05},
        }
        return Config.of(base).merged(sections)

    def open(self, *seeds: str, **sections: Mapping[str, object]) -> Crawl:
        return open_crawl(self.config(*seeds, **sections), self.root)

    def run(self, *seeds: str, **sections: Mapping[str, object]) -> str:
        """Serve, crawl to the end; the reason why it stopped."""

        async def crawl() -> str:
            async with _serve(self.small):
                opened = self.open(*seeds, **sections)
                try:
                    return await asyncio.wait_for(opened.run(), 30)
                finally:
                    opened.close()

        return asyncio.run(crawl())

    def figures(self) -> dict[str, object]:
        with Reader(self.root) as reader:
            return reader.figures()

    def pages(self) -> list[str]:
        with Reader(self.root) as reader:
            return [row.url for row in reader.pages()]

    def failure(self, url: str) -> tuple[str, str] | None:
        """Kind and detail of the last failed attempt at a URL."""
        with Reader(self.root) as reader:
            entry = reader.find(url)
            failure = reader.failure(entry.seq) if entry else None
        return None if failure is None else (failure.kind, failure.detail)


@pytest.fixture
def folder(small: SmallWeb, tmp_path: Path) -> Folder:
    return Folder(small, tmp_path / "crawl")


Build = Callable[..., Engine]


@pytest.fixture
def build(small: SmallWeb) -> Build:
    """An engine for strategies and stores of a test's own."""

    def make(
        strategy: Strategy,
        store: Store,
        seeds: Sequence[str],
        *,
        limits: Limits | None = None,
        parser: Parser | None = None,
        workers: int = 0,
        patient: bool = True,
    ) -> Engine:
        return engine_of(
            strategy,
            store,
            lambda clock: HttpFetcher(
                clock=clock,
                load_robots=lambda origin: None,
                limits=FetchLimits(delay=0.0, retry_base_seconds=0.05),
                connect_to=small.address,
            ),
            seeds,
            judge=JUDGES.get("keywords")(Brief(text="butterfly gardening")),
            frontier=Frontier(delay=0.0, patient=patient),
            limits=limits or Limits(concurrency=1),
            parser=parser,
            workers=workers,
        )

    return make


Run = Callable[[Callable[[], Engine]], str]


@pytest.fixture
def run(small: SmallWeb) -> Run:
    """Serve, build an engine, run it to the end and put it away; the reason why it stopped."""

    def run(make: Callable[[], Engine]) -> str:
        async def crawl() -> str:
            async with _serve(small):
                engine = make()
                try:
                    return await asyncio.wait_for(engine.run(), 30)
                finally:
                    await put_away(engine)

        return asyncio.run(crawl())

    return run
