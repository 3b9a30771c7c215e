"""``homing lab serve``: a recorded web over HTTP."""

from __future__ import annotations

import asyncio
import shlex
import signal
from pathlib import Path
from typing import Annotated

import typer

from homing.cli.output import errors, results
from homing.lab.web.server import serve


def serve_(
    web: Annotated[
        Path,
        typer.Argument(metavar="WEB", help="A folder written by homing lab import.", show_default=False),
    ],
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65_535, help="Port; 0 takes any free one.")
    ] = 8_080,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address of this machine to serve on.")
    ] = "127.0.0.1",
) -> None:
    """Serve a recorded web over real HTTP, under its own host names, until Ctrl-C.

    Status, type, body and redirects are as recorded; everything else is a 404, including every robots.txt, so
    that all recorded pages may be fetched.
    """
    asyncio.run(_serve(web, port, host))


async def _serve(folder: Path, port: int, host: str) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with serve(folder, port, host=host) as server:
        seed = shlex.quote(next(filter(server.web.has_page, server.web), "URL"))
        errors().print(f"serving {folder} on {server.address}; Ctrl-C stops it", markup=False, soft_wrap=True)
        line = f"homing crawl TOPIC {seed} --connect-to {server.address} --delay 0"
        results().print(line, markup=False, soft_wrap=True)
        await stopped.wait()
