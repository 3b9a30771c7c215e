"""Hosts on loopback that answer with any bytes a test gives them, and whole crawls of them.

All hosts are at ``OUTSIDE``, the one address to which a crawl may connect here. At ``INSIDE`` is a canary, to
which no connection may ever be made. ``Names`` resolves their names; everything behind it is as in a real
crawl, the address guard included.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult

from homing.cli.crawl.tuning import tune
from homing.config import Config
from homing.crawler.live.freshness import Due, due
from homing.crawler.opening import open_crawl
from homing.model import Failure
from homing.store.views.histories import Histories
from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader

OUTSIDE, INSIDE = "127.0.0.2", "127.0.0.1"


@dataclass(frozen=True)
class Request:
    """One request as a host saw it."""

    url: str
    headers: Mapping[str, str]
    began: float
    connection: int


Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]
"""Bytes of a reply, or a function that writes them."""


def http(body: str | bytes = b"", status: int = 200, kind: str = "text/html", **headers: str) -> bytes:
    """Return a well-formed reply."""
    content = body.encode() if isinstance(body, str) else body
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = [f"HTTP/1.1 {status} Reason", f"Content-Type: {kind}", f"Content-Length: {len(content)}", *lines]
    return "\r\n".join([*head, "", ""]).encode() + content


NOT_FOUND = http(status=404)


def page(*links: str, title: str = "A page") -> bytes:
    """Return a reply with a page of these links."""
    return http(f"<title>{title}</title>" + "".join(f'<p><a href="{link}">{link}</a></p>' for link in links))


def moved(target: str, **headers: str) -> bytes:
    return http(b"", 302, "text/html", Location=target, **headers)


class Names(AbstractResolver):
    """Resolver by which every name is at ``OUTSIDE``, except those that are ``elsewhere``.

    A name with several addresses gives them in turn, and then always the last.
    """

    def __init__(self, port: int) -> None:
        self.elsewhere: dict[str, list[str]] = {}
        self.ports: dict[str, int] = {}
        """Port of each name that is served at another one."""
        self._port = port

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        answers = self.elsewhere.get(host, [OUTSIDE])
        address = answers.pop(0) if len(answers) > 1 else answers[0]
        kind = socket.AF_INET6 if ":" in address else socket.AF_INET
        served = self.ports.get(host, self._port)
        return [ResolveResult(hostname=host, host=address, port=served, family=kind, proto=0, flags=0)]

    async def close(self) -> None:
        pass


@dataclass
class Hosts:
    """The replies of the hosts, the requests they received, and crawls of them in ``folder``."""

    folder: Path
    answers: dict[str, Answer] = field(default_factory=dict)
    """Replies by URL, or else by host. Default: 404."""
    log: list[Request] = field(default_factory=list)
    canary: int = 0
    """Number of connections to the canary."""
    longest_stall: float = 0.0
    """Longest time that the event loop did not serve the network, in seconds of CPU."""

    def __post_init__(self) -> None:
        self._outside, self._inside = _pair_of_listeners()
        self.port: int = self._outside.getsockname()[1]
        self.names = Names(self.port)
        self._connections = 0
        self._talks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        self._outside.close()
        self._inside.close()

    def __setitem__(self, url: str, answer: Answer) -> None:
        self.answers[url] = answer

    def requested(self, host: str = "", *, robots: bool = False) -> list[str]:
        """Return the URLs that were requested, in order; of one host if it is named."""
        urls = [request.url for request in self.log if robots or not request.url.endswith("/robots.txt")]
        return [url for url in urls if not host or urlsplit(url).hostname == host]

    def requests(self, host: str) -> list[Request]:
        return [request for request in self.log if urlsplit(request.url).hostname == host]

    def crawl(self, *seeds: str, seconds: float = 30.0, **sections: Mapping[str, object]) -> str:
        """Crawl from these seeds to the end; return the reason why it stopped."""
        return asyncio.run(self._run(self._config(seeds, sections), seconds))

    def refresh(self, *seeds: str, **sections: Mapping[str, object]) -> dict[str, int]:
        """Fetch all pages of the crawl again; return how many there were of each outcome."""
        with Histories(self.folder) as histories:
            pages = due(histories.of_pages(), time.time(), typical=1.0, older_than=0.0)
        return asyncio.run(self._refresh(self._config(seeds, sections), pages))

    def _config(self, seeds: Sequence[str], sections: Mapping[str, Mapping[str, object]]) -> Config:
        base: dict[str, dict[str, object]] = {
            "topic": {"text": "butterfly gardening"},
            "seeds": {"urls": list(seeds)},
            "strategy": {"name": "breadth-first"},
            "scope": {"avoid_traps": False},  # pages are much alike here
            "pace": {"delay": 0.0},
            "fetch": {"allow_network": [OUTSIDE], "retries": 0, "retry_base_seconds": 0.05},
        }
        return Config.of(base).merged(sections)

    async def _run(self, config: Config, seconds: float) -> str:
        async with self._served():
            crawl = open_crawl(config, self.folder)
            try:
                with self._watched():
                    return await asyncio.wait_for(crawl.run(), seconds)
            finally:
                crawl.close()

    async def _refresh(self, config: Config, pages: list[Due]) -> dict[str, int]:
        async with self._served():
            crawl = open_crawl(config, self.folder)
            try:
                refreshed = crawl.refresh(pages)
                await asyncio.wait_for(crawl.run(), 30.0)
                return refreshed.figures()
            finally:
                crawl.close()

    def failure(self, url: str) -> Failure | None:
        """Return the last failed attempt at a URL."""
        with Reader(self.folder) as reader:
            entry = reader.find(url)
            return reader.failure(entry.seq) if entry else None

    def kind(self, url: str) -> str:
        """Return what kind of failure that was; empty if there was none."""
        failure = self.failure(url)
        return failure.kind if failure else ""

    def pages(self) -> dict[str, PageRow]:
        with Reader(self.folder) as reader:
            return {row.url: row for row in reader.pages()}

    def known(self) -> int:
        """Return the number of URLs that the crawl knows."""
        with Reader(self.folder) as reader:
            return sum(1 for _ in reader.addresses())

    def body(self, url: str) -> bytes:
        """Return a body as it was archived."""
        with Reader(self.folder) as reader:
            reply = reader.reply(self.pages()[url])
        assert reply is not None
        return reply.body

    @asynccontextmanager
    async def _served(self) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        outside = await asyncio.start_server(self._talk, sock=self._outside.dup())
        inside = await loop.create_server(lambda: _Canary(self), sock=self._inside.dup())
        try:
            yield
        finally:
            outside.close()
            inside.close()
            for talk in self._talks:
                talk.cancel()
            await asyncio.gather(*self._talks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        self._connections += 1
        number = self._connections
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode("latin-1").rstrip().split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
                target = first.split(" ")[1]
                url = target if target.startswith("http") else f"http://{headers['host']}{target}"
                self.log.append(Request(url, headers, time.monotonic(), number))
                host = headers["host"].partition(":")[0]
                answer = self.answers.get(url, self.answers.get(host, NOT_FOUND))
                if isinstance(answer, bytes):
                    writer.write(answer)
                    if b"\r\nConnection: close" in answer or b"\r\n\r\n" not in answer:
                        return
                else:
                    await answer(writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the crawl has closed the connection, or is over
        finally:
            self._talks.discard(task)
            writer.close()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Note the longest stall of the loop, by its own CPU time: the machine may be busy."""

        async def beat() -> None:
            last = time.thread_time()
            while True:
                await asyncio.sleep(0.005)
                now = time.thread_time()
                self.longest_stall = max(self.longest_stall, now - last)
                last = now

        # As in the process of a crawl: a collection over all that earlier tests have left would be a stall.
        thresholds, switching = gc.get_threshold(), sys.getswitchinterval()
        gc.collect()
        tune()
        beating = asyncio.create_task(beat())
        try:
            yield
        finally:
            beating.cancel()
            gc.unfreeze()
            gc.set_threshold(*thresholds)
            sys.setswitchinterval(switching)


class _Canary(asyncio.Protocol):
    def __init__(self, hosts: Hosts) -> None:
        hosts.canary += 1


def _pair_of_listeners() -> tuple[socket.socket, socket.socket]:
    """Return one listener outside and one inside, at the same port, which must be free at both."""
    while True:
        outside = socket.create_server((OUTSIDE, 0), backlog=200)
        try:
            return outside, socket.create_server((INSIDE, outside.getsockname()[1]))
        except OSError as error:
            outside.close()
            if error.errno != errno.EADDRINUSE:
                raise
