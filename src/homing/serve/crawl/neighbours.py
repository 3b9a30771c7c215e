"""The crawls beside the one served: each has the same pages, under ``/crawls/NAME/``."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from homing.errors import HomingError
from homing.serve.crawl.crawl_folder import CrawlFolder

MakeApp = Callable[[CrawlFolder, str], ASGIApp]
"""Builds the pages of a crawl, given the prefix of their addresses."""


class NeighbourCrawls:
    """ASGI app that routes a request to the crawl it names.

    Parameters
    ----------
    parent
        The folder that holds the crawl folders.
    make_app
        Builds the pages of a crawl on its first request.
    """

    def __init__(self, parent: Path, make_app: MakeApp) -> None:
        self._parent = parent
        self._make_app = make_app
        self._apps: dict[str, ASGIApp] = {}
        self._one_at_a_time = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope["path_params"]["name"])(scope, receive, send)

    def _app(self, name: str) -> ASGIApp:
        if not is_crawl(self._parent, name):
            raise HTTPException(404, f"there is no crawl {name} here")
        with self._one_at_a_time:
            if name not in self._apps:
                self._apps[name] = self._make_app(CrawlFolder(self._parent / name), address_of(name))
            return self._apps[name]


def address_of(name: str) -> str:
    """Return the prefix of the addresses of a neighbouring crawl.

    >>> address_of("moths & bees")
    '/crawls/moths%20%26%20bees'
    """
    return f"/crawls/{quote(name, safe='')}"


def is_crawl(parent: Path, name: str) -> bool:
    """Tell whether a folder of that name holds a crawl. A name with a path in it never does."""
    # Not by Path, which fails where a name is longer than the file system allows.
    is_name = not name.startswith(".") and name == Path(name).name
    return is_name and os.path.isfile(parent / name / "crawl.db")


def crawls_in(parent: Path) -> list[str]:
    """Return the names of the readable crawls in a folder."""
    found = list[str]()
    for path in sorted(parent.iterdir()):
        if is_crawl(parent, path.name):
            try:
                CrawlFolder(path)
            except HomingError:
                continue
            found.append(path.name)
    return found
