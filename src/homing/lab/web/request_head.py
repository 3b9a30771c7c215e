"""The head of an HTTP request."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RequestHead:
    """The head of a request: what a client wants."""

    method: str
    host: str
    """Host in lower case, without the port."""
    port: str
    """Port; empty if none is given."""
    path: str
    """Path and query."""
    tag: str
    """Entity tag of the client's copy."""
    keep: bool
    """Whether the connection stays open afterwards."""


def parse_request_head(head: bytes) -> RequestHead | None:
    r"""Parse the head of a request, up to the empty line; return ``None`` if it is no HTTP/1.x request.

    >>> parse_request_head(b"GET /about HTTP/1.1\r\nHost: Meadow-Notes.example:80")
    RequestHead(method='GET', host='meadow-notes.example', port='80', path='/about', tag='', keep=True)
    >>> parse_request_head(b"hello")
    """
    line, *rest = head.decode("latin-1").split("\r\n")
    words = line.split(" ")
    if len(words) != 3 or not all(":" in field for field in rest):
        return None
    method, target, version = words
    fields = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in rest)}
    host = fields.get("host", "")
    if target.startswith(("http://", "https://")):
        host, _, path = target.partition("://")[2].partition("/")
        target = "/" + path
    if not target.startswith("/"):
        return None
    connection = fields.get("connection", "").lower()
    if version == "HTTP/1.1" and host:
        keep = connection != "close"
    elif version == "HTTP/1.0":
        keep = connection == "keep-alive"
    else:
        return None
    if fields.get("content-length", "0") != "0" or "transfer-encoding" in fields:
        # Bodies are not read, so the next request on the connection could not be found after one.
        keep = False
    name, port = _without_port(host.lower())
    return RequestHead(method, name, port, target, fields.get("if-none-match", ""), keep)


def _without_port(authority: str) -> tuple[str, str]:
    """Split off the port.

    >>> _without_port("[::1]:80"), _without_port("a.example")
    (('[::1]', '80'), ('a.example', ''))
    """
    name, colon, port = authority.rpartition(":")
    return (name, port) if colon and not port.endswith("]") else (authority, "")
