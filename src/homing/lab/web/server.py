"""A recorded web served over real HTTP, under its own host names.

A crawler that sends every connection here (``homing crawl --connect-to``) meets the web as it was recorded:
status, type, body, redirects. What was not recorded is a 404. So is every robots.txt, recorded or not: who
has recorded a page may read it again, and no host is disturbed by it.

https URLs are requested in plain HTTP under ``--connect-to``, so that both forms of a URL look the same here.
The http form counts if it was recorded, unless it only leads to the https form: that would never end.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from homing.lab.web import serving
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.request_head import Ask
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
"""Headers that say something of the page. Others speak of a connection or a browser of long ago."""
_TEXT = (("Content-Type", "text/plain; charset=utf-8"),)
_UNKNOWN = prepared(404, _TEXT, b"This was not recorded.\n")


class Server(serving.Server):
    """A recorded web being served."""

    def __init__(self, web: RecordedWeb) -> None:
        super().__init__()
        self.web = web

    def answer(self, ask: Ask) -> Prepared:
        if ask.path.partition("?")[0] == "/robots.txt":
            return _UNKNOWN
        reply = self._reply(f"{ask.host}:{ask.port}" if ask.port else ask.host, ask.path)
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
        0 takes any that is free.
    host
        The address of this machine to listen on.
    """
    with RecordedWeb(folder) as web:
        server = Server(web)
        async with serving.listening(server, host, port):
            yield server
