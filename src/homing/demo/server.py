"""Serves a little web on loopback: every host of it from one port, told apart by the Host header.

It speaks as much HTTP/1.1 as a crawler needs (keep-alive, HEAD, entity tags), straight on an asyncio
protocol: benchmarks measure the crawler, so the server has to be cheap. It keeps a log with times, from
which a test can see how polite its visitor was.

``python -m homing.demo.server --seed 1 --log requests.jsonl`` serves from a process of its own, for tests
that kill the crawler and want to go on counting.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import asdict, dataclass
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import TextIO

from homing.demo.asking import Ask, understand
from homing.demo.web import LittleWeb

_LONGEST_HEAD = 65_536
_PREPARED = 4096
"""Answers kept ready to be sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request as the server saw it; times are those of the event loop's clock."""

    host: str
    path: str
    began: float
    """When the last byte of its head had come."""
    ended: float
    """When the answer went to the network, or the client had gone. Whoever has the answer finds it logged."""
    status: int
    """0 if the client went before it was answered."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """An answer as bytes, but for the line that says what becomes of the connection."""

    status: int
    head: bytes
    body: bytes = b""
    tag: str = ""


class Server:
    """A web being served: its address, and the log of what it was asked."""

    def __init__(self, web: LittleWeb, *, latency: float = 0.0, log: TextIO | None = None) -> None:
        self.web = web
        self.latency = latency
        self.address = ""
        """``127.0.0.1:PORT``, for ``--connect-to``."""
        self.log: list[Request] = []
        self._file = log
        self.connections: set[asyncio.Transport] = set()
        # Not for ever: a trap has endless pages.
        self.prepare = lru_cache(maxsize=_PREPARED)(self._prepare)

    def record(self, request: Request) -> None:
        self.log.append(request)
        if self._file:
            self._file.write(json.dumps(asdict(request)) + "\n")
            self._file.flush()

    def _prepare(self, host: str, path: str) -> _Prepared:
        page = self.web.answer(host, path)
        # No Date header: this server has no clock, and the same seed gives the same bytes.
        head = _head(page.status, (*page.headers, ("Content-Length", str(len(page.body)))))
        return _Prepared(page.status, head, page.body, page.header("ETag"))


@asynccontextmanager
async def serve(
    web: LittleWeb, port: int = 0, *, latency: float = 0.0, log: TextIO | None = None
) -> AsyncIterator[Server]:
    """Serve a web on loopback while the block runs.

    Parameters
    ----------
    port
        0 takes any that is free.
    latency
        Seconds between a request and its answer.
    log
        An open file that gets every request as a line of JSON, besides ``server.log``.
    """
    loop = asyncio.get_running_loop()
    server = Server(web, latency=latency, log=log)
    listening = await loop.create_server(lambda: _Connection(server, loop), "127.0.0.1", port)
    server.address = "{}:{}".format(*listening.sockets[0].getsockname())
    try:
        yield server
    finally:
        listening.close()
        for transport in list(server.connections):
            transport.abort()
        await listening.wait_closed()


class _Connection(asyncio.Protocol):
    """One connection: requests are answered one after the other."""

    def __init__(self, server: Server, loop: asyncio.AbstractEventLoop) -> None:
        self._server = server
        self._loop = loop
        self._buffer = bytearray()
        self._transport: asyncio.Transport
        self._held_back: tuple[asyncio.TimerHandle, Ask, float] | None = None
        """The request whose answer waits for the latency to pass."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.connections.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connections.discard(self._transport)
        if self._held_back:
            timer, ask, began = self._held_back
            timer.cancel()
            self._record(ask, began, 0)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._read()

    def _read(self) -> None:
        while not self._held_back and not self._transport.is_closing():
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self._buffer) > _LONGEST_HEAD:
                    self._refuse(431)
                return
            ask = understand(bytes(self._buffer[:end]))
            del self._buffer[: end + 4]
            began = self._loop.time()
            if ask is None:
                self._refuse(400)
            elif self._server.latency:
                timer = self._loop.call_later(self._server.latency, self._answer_late)
                self._held_back = timer, ask, began
            else:
                self._answer(ask, began)

    def _answer_late(self) -> None:
        assert self._held_back
        _, ask, began = self._held_back
        self._held_back = None
        self._answer(ask, began)
        self._read()

    def _answer(self, ask: Ask, began: float) -> None:
        prepared = _NOT_ALLOWED
        if ask.method in ("GET", "HEAD"):
            prepared = self._server.prepare(ask.host, ask.path)
        if ask.tag and ask.tag == prepared.tag:
            prepared = _Prepared(304, _head(304, (("ETag", ask.tag),)))
        self._record(ask, began, prepared.status)
        self._send(prepared.head, b"" if ask.method == "HEAD" else prepared.body, ask.keep)

    def _record(self, ask: Ask, began: float, status: int) -> None:
        ended = self._loop.time()
        self._server.record(Request(host=ask.host, path=ask.path, began=began, ended=ended, status=status))

    def _refuse(self, status: int) -> None:
        """What came cannot be understood, nor what comes after it."""
        self._send(_head(status, (("Content-Length", "0"),)), b"", keep=False)

    def _send(self, head: bytes, body: bytes, keep: bool) -> None:
        end = b"Connection: keep-alive\r\n\r\n" if keep else b"Connection: close\r\n\r\n"
        self._transport.write(head + end + body)
        if not keep:
            self._transport.close()


def _head(status: int, headers: Sequence[tuple[str, str]]) -> bytes:
    """The head of an answer but for its last line."""
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{fields}".encode("latin-1")


_NOT_ALLOWED = _Prepared(405, _head(405, (("Allow", "GET, HEAD"), ("Content-Length", "0"))))


async def _serve_for(web: LittleWeb, options: argparse.Namespace) -> None:
    with Path(options.log).open("a", encoding="utf-8") if options.log else nullcontext() as log:
        async with serve(web, options.port, latency=options.latency, log=log) as server:
            sys.stdout.write(server.address + "\n")
            sys.stdout.flush()
            await asyncio.sleep(options.seconds)


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve a little web for a while; the first line printed is its address."""
    parser = argparse.ArgumentParser(prog="python -m homing.demo.server", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--hosts", type=int, default=40)
    parser.add_argument("--port", type=int, default=0, help="0 takes any that is free")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds between request and answer")
    parser.add_argument("--log", help="file that gets every request as a line of JSON")
    parser.add_argument("--seconds", type=float, default=120.0, help="stop by itself after so long")
    options = parser.parse_args(arguments)
    asyncio.run(_serve_for(LittleWeb(options.seed, pages=options.pages, hosts=options.hosts), options))


if __name__ == "__main__":
    main()
