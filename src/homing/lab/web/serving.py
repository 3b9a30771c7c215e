"""HTTP on one port for all hosts of a web, distinguished by the Host header.

It implements as much of HTTP/1.1 as a crawler needs (keep-alive, HEAD, entity tags), directly on an asyncio
protocol: benchmarks measure the crawler, so the server must be cheap. The answers come from a ``Server``: a
recorded web (``server.py``), or the little web of the demonstration.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from homing.errors import UsageError
from homing.lab.web.request_head import RequestHead, parse_request_head

_LONGEST_HEAD = 65_536
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class Prepared:
    """An answer as bytes, without the Connection header."""

    status: int
    head: bytes
    body: bytes = b""
    tag: str = ""


def prepared(
    status: int, headers: Sequence[tuple[str, str]], body: bytes = b"", *, tag: str = ""
) -> Prepared:
    """Return an answer ready to be sent, with its length added."""
    # No Date header: this server has no clock, and the same web gives the same bytes.
    return Prepared(status, _head(status, (*headers, ("Content-Length", str(len(body))))), body, tag)


class Server:
    """The answers of a server, and its address."""

    def __init__(self, *, latency: float = 0.0) -> None:
        self.latency = latency
        """Seconds between a request and its answer."""
        self.address = ""
        """``127.0.0.1:PORT``, for ``--connect-to``."""
        self.connections: set[asyncio.Transport] = set()

    def answer(self, head: RequestHead) -> Prepared:
        """Return the answer to a GET request."""
        raise NotImplementedError

    def answered(self, head: RequestHead, status: int, *, began: float, ended: float) -> None:
        """Called with each request just before its answer is sent; status 0 if the client did not wait.

        The times are those of the event loop's clock.
        """


@asynccontextmanager
async def listening(server: Server, host: str, port: int) -> AsyncIterator[None]:
    """Answer requests while the block runs; port 0 takes any that is free."""
    loop = asyncio.get_running_loop()
    try:
        listener = await loop.create_server(lambda: _Connection(server, loop), host, port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot serve on {host}:{port}: {_worded(error)}; choose another") from None
    name, number, *_ = listener.sockets[0].getsockname()
    server.address = f"[{name}]:{number}" if ":" in name else f"{name}:{number}"
    try:
        yield
    finally:
        listener.close()
        for transport in list(server.connections):
            transport.abort()
        await listener.wait_closed()


def _worded(error: OSError | OverflowError) -> str:
    """Return the message of the system, without the address that asyncio adds."""
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno) if error.errno > 0 else str(error.strerror)
    return str(error)


class _Connection(asyncio.Protocol):
    """One connection: requests are answered one after another."""

    def __init__(self, server: Server, loop: asyncio.AbstractEventLoop) -> None:
        self._server = server
        self._loop = loop
        self._buffer = bytearray()
        self._transport: asyncio.Transport
        self._held_back: tuple[asyncio.TimerHandle, RequestHead, float] | None = None
        """Request whose answer is delayed by the latency."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.connections.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connections.discard(self._transport)
        if self._held_back:
            timer, request, began = self._held_back
            timer.cancel()
            self._note(request, began, 0)

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
            request = parse_request_head(bytes(self._buffer[:end]))
            del self._buffer[: end + 4]
            began = self._loop.time()
            if request is None:
                self._refuse(400)
            elif self._server.latency:
                timer = self._loop.call_later(self._server.latency, self._answer_late)
                self._held_back = timer, request, began
            else:
                self._answer(request, began)

    def _answer_late(self) -> None:
        assert self._held_back
        _, request, began = self._held_back
        self._held_back = None
        self._answer(request, began)
        self._read()

    def _answer(self, request: RequestHead, began: float) -> None:
        answer = _NOT_ALLOWED
        if request.method in ("GET", "HEAD"):
            answer = self._server.answer(request)
        if request.tag and request.tag == answer.tag:
            answer = Prepared(304, _head(304, (("ETag", request.tag),)))
        self._note(request, began, answer.status)
        self._send(answer.head, b"" if request.method == "HEAD" else answer.body, request.keep)

    def _note(self, request: RequestHead, began: float, status: int) -> None:
        self._server.answered(request, status, began=began, ended=self._loop.time())

    def _refuse(self, status: int) -> None:
        """Refuse a request that cannot be parsed, and everything after it."""
        self._send(_head(status, (("Content-Length", "0"),)), b"", keep=False)

    def _send(self, head: bytes, body: bytes, keep: bool) -> None:
        end = b"Connection: keep-alive\r\n\r\n" if keep else b"Connection: close\r\n\r\n"
        self._transport.write(head + end + body)
        if not keep:
            self._transport.close()


def _head(status: int, headers: Sequence[tuple[str, str]]) -> bytes:
    """Return the head of an answer without its last line."""
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {status} {_PHRASES.get(status, '')}\r\n{fields}".encode()


_NOT_ALLOWED = prepared(405, (("Allow", "GET, HEAD"),))
