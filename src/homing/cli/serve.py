"""``homing serve``: the web app over a crawl folder."""

from __future__ import annotations

import os
import secrets
import socket
import webbrowser
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
import uvicorn
from fastapi import FastAPI

from homing.cli.index import tell
from homing.cli.output import results
from homing.cli.report import Folder
from homing.crawler.index.catch_up import catch_up
from homing.errors import LockedError, UsageError
from homing.lab.results.file import Results
from homing.serve.access import LOOPBACK
from homing.serve.app import create_app

_SHORTEST = 8
"""Minimum characters of a token."""


def serve(
    folder: Folder,
    port: Annotated[
        int, typer.Option(min=0, max=65_535, metavar="N", help="Port; 0 takes any free one.")
    ] = 8765,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address of this machine to serve on.")
    ] = "127.0.0.1",
    token: Annotated[
        str,
        typer.Option(metavar="TOKEN", help="Token for changes. Default: a random one.", show_default=False),
    ] = "",
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Another host name that the app answers to; repeatable.", show_default=False
        ),
    ] = None,
    lab: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="RUN", help="A folder written by homing lab run; repeatable.", show_default=False
        ),
    ] = None,
    open_: Annotated[
        bool, typer.Option("--open/--no-open", metavar="", help="Open the app in the browser.")
    ] = False,
) -> None:
    """Browse and steer a crawl, and start new ones: dashboard, pages, search, lab, API.

    Anyone on this machine may read; changes need the token in the printed address. On any address other than
    loopback, reading needs it as well.
    """
    if token and len(token) < _SHORTEST:
        raise UsageError(f"--token is too short to be safe; use {_SHORTEST} characters or more")
    for run in lab or ():
        Results.read(run)  # fail now, rather than at the first request, if it is no run
    token = token or secrets.token_urlsafe(24)
    app = create_app(
        folder,
        token=token,
        allowed_hosts={*LOOPBACK, host, *(allow_host or ())},
        open_to_read=host in LOOPBACK,
        labs=lab or (),
    )
    listener = listen(host, port)
    # A running crawl keeps the index up to date by itself.
    with suppress(LockedError):
        catch_up(folder, command="homing serve", tell=tell)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/?token={token}"
    results().print(f"{address}\nCtrl-C stops it.", markup=False)
    if open_:
        webbrowser.open(address)
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=3)
    with suppress(KeyboardInterrupt):  # the way to stop it
        _Server(config, app).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Ends the streams of events when it is stopped; it would wait for them for ever otherwise."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._is_over = app.state.is_over

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._is_over.set()
        super().handle_exit(sig, frame)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; what is wrong with host or port is said in one line."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        # Errors of the resolver have negative numbers and messages of their own.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise UsageError(
            f"cannot serve on {host}:{port}: {reason}; choose another with --port or --host"
        ) from None
    # Connections inherit it. Without it, an answer in two packets takes 40 ms: the second one is held back
    # until the browser has acknowledged the first.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
