"""The app on a real port, in a thread of the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from homing.cli.serve import listen
from homing.serve.access import LOOPBACK
from homing.serve.app import create_app

TOKEN = "a-token-for-tests"


@contextmanager
def serving(
    folder: Path,
    *,
    allowed_hosts: Collection[str] = LOOPBACK,
    open_to_read: bool = True,
    labs: Sequence[Path] = (),
    change: Callable[[FastAPI], None] = lambda app: None,
) -> Iterator[str]:
    """Serve the app while the block runs; tells its address. ``change`` may add to it what a test needs."""
    app = create_app(folder, token=TOKEN, allowed_hosts=allowed_hosts, open_to_read=open_to_read, labs=labs)
    change(app)
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=3))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        app.state.is_over.set()
        server.should_exit = True
        thread.join(10)
        listener.close()
    assert not thread.is_alive()
