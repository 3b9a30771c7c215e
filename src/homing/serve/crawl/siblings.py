"""The crawls beside the one that is served: each has the same pages, under ``/crawls/NAME/``."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from homing.errors import HomingError
from homing.serve.crawl.folder import CrawlFolder

MakeApp = Callable[[CrawlFolder, str], ASGIApp]
"""The pages of a crawl whose addresses begin with that."""


class Siblings:
    """ASGI app: hands a request to the crawl that it names.

    Parameters
    ----------
    parent
        The folder that the crawl folders are in.
    make_app
        Makes the pages of one of them, when it is first asked for.
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
    """Where the pages of a crawl beside this one are."""
    return f"/crawls/{quote(name, safe='')}"


def is_crawl(parent: Path, name: str) -> bool:
    """Whether a folder of that name is there, and holds a crawl. A name is no path: it leads nowhere else."""
    return not name.startswith(".") and name == Path(name).name and (parent / name / "crawl.db").is_file()


def crawls_in(parent: Path) -> list[str]:
    """The names of the crawls in a folder that can be read."""
    found = list[str]()
    for path in sorted(parent.iterdir()):
        if is_crawl(parent, path.name):
            try:
                CrawlFolder(path)
            except HomingError:
                continue
            found.append(path.name)
    return found
