"""Serves a little web on loopback: all its hosts from one port, distinguished by the Host header.

It logs requests with their times, so that tests can check how polite a crawler was.

``python -m homing.demo.web_server --seed 1 --log requests.jsonl`` runs it as a process, for tests
that kill the crawler and keep counting its requests.
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
from pathlib import Path
from typing import TextIO

from homing.demo.web.little_web import LittleWeb
from homing.lab.web import serving
from homing.lab.web.request_head import RequestHead
from homing.lab.web.serving import Prepared, prepared

_PREPARED = 4096
"""Prepared answers kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request as the server saw it; times are those of the event loop's clock."""

    host: str
    path: str
    began: float
    """When the last byte of its head was received."""
    ended: float
    """When the answer was sent, or the client had left. A client that has the answer finds it in the log."""
    status: int
    """0 if the client left before the answer."""


class Server(serving.Server):
    """A little web being served, with its address and the log of its requests."""

    def __init__(self, web: LittleWeb, *, latency: float = 0.0, log: TextIO | None = None) -> None:
        super().__init__(latency=latency)
        self.web = web
        self.log: list[Request] = []
        self._file = log
        # Bounded: a trap has endless pages.
        self._prepare = lru_cache(maxsize=_PREPARED)(self._prepared)

    def answer(self, head: RequestHead) -> Prepared:
        return self._prepare(head.host, head.path)

    def answered(self, head: RequestHead, status: int, *, began: float, ended: float) -> None:
        request = Request(host=head.host, path=head.path, began=began, ended=ended, status=status)
        self.log.append(request)
        if self._file:
            self._file.write(json.dumps(asdict(request)) + "\n")
            self._file.flush()

    def _prepared(self, host: str, path: str) -> Prepared:
        page = self.web.answer(host, path)
        return prepared(page.status, page.headers, page.body, tag=page.header("ETag"))


@asynccontextmanager
async def serve(
    web: LittleWeb, port: int = 0, *, latency: float = 0.0, log: TextIO | None = None
) -> AsyncIterator[Server]:
    """Serve a web on loopback while the block runs.

    Parameters
    ----------
    port
        0 takes any free port.
    latency
        Seconds between a request and its answer.
    log
        An open file that gets every request as a line of JSON, in addition to ``server.log``.
    """
    server = Server(web, latency=latency, log=log)
    async with serving.listening(server, "127.0.0.1", port):
        yield server


async def _serve_for(web: LittleWeb, options: argparse.Namespace) -> None:
    with Path(options.log).open("a", encoding="utf-8") if options.log else nullcontext() as log:
        async with serve(web, options.port, latency=options.latency, log=log) as server:
            sys.stdout.write(server.address + "\n")
            sys.stdout.flush()
            await asyncio.sleep(options.seconds)


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve a little web for a while; the first line printed is its address."""
    parser = argparse.ArgumentParser(prog="python -m homing.demo.web_server", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--hosts", type=int, default=40)
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds between request and answer")
    parser.add_argument("--log", help="file that gets every request as a line of JSON")
    parser.add_argument("--seconds", type=float, default=120.0, help="stop after this time")
    options = parser.parse_args(arguments)
    asyncio.run(_serve_for(LittleWeb(options.seed, pages=options.pages, hosts=options.hosts), options))


if __name__ == "__main__":
    main()
