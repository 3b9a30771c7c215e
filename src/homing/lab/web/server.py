"""A recorded web served over real HTTP, under its own host names.

A crawler that sends every connection here (``homing crawl --connect-to``) finds the web as it was recorded:
status, type, body, redirects. Everything else is a 404. So is every robots.txt, recorded or not: a recorded
page may be read again, as no host is disturbed by it.

https URLs are requested in plain HTTP under ``--connect-to``, so that both forms of a URL look the same here.
The http form counts if it was recorded, unless it only leads to the https form: that would never end.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from homing.lab.web import serving
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.request_head import RequestHead
from homing.lab.web.serving import Prepared, prepared
from homing.model import Reply
from homing.store.archive.http import one_line
from homing.urls import canonical

_GIVEN = frozenset(
    {
        "content-type",
        "content-language",
        "content-disposition",
        "content-location",
        "etag",
        "last-modified",
        "link",
        "location",
        "refresh",
        "retry-after",
        "x-robots-tag",
    }
)
"""Headers about the page. Others were about the connection or the browser."""
_TEXT = (("Content-Type", "text/plain; charset=utf-8"),)
_UNKNOWN = prepared(404, _TEXT, b"This was not recorded.\n")


class Server(serving.Server):
    """A recorded web, served over HTTP."""

    def __init__(self, web: RecordedWeb) -> None:
        super().__init__()
        self.web = web

    def answer(self, head: RequestHead) -> Prepared:
        if head.path.partition("?")[0] == "/robots.txt":
            return _UNKNOWN
        reply = self._reply(f"{head.host}:{head.port}" if head.port else head.host, head.path)
        if reply is None or not 200 <= reply.status <= 999:
            return _UNKNOWN
        headers = [
            (one_line(name), one_line(value)) for name, value in reply.headers if name.lower() in _GIVEN
        ]
        body = b"" if reply.status in (204, 304) else reply.body
        return prepared(reply.status, headers, body, tag=reply.header("ETag"))

    def _reply(self, authority: str, path: str) -> Reply | None:
        plain, secure = (self._recorded(f"{scheme}://{authority}{path}") for scheme in ("http", "https"))
        if plain is None or secure is None:
            return plain or secure
        leads_to = canonical(plain.header("Location"), plain.url) if plain.is_redirect else None
        return secure if leads_to == secure.url else plain

    def _recorded(self, url: str) -> Reply | None:
        known = canonical(url)
        return self.web.reply(known, with_body=True) if known else None


@asynccontextmanager
async def serve(folder: Path, port: int = 0, *, host: str = "127.0.0.1") -> AsyncIterator[Server]:
    """Serve a recorded web while the block runs.

    Parameters
    ----------
    port
        Port; 0 for any that is free.
    host
        Address of this machine to listen on.
    """
    with RecordedWeb(folder) as web:
        server = Server(web)
        async with serving.listening(server, host, port):
            yield server
