"""A reply as the bytes HTTP/1.1 would have sent, and back.

Bodies are decoded when they get here, so that headers about the encoded form would be wrong in an archive.
They are kept under ``X-Homing-Original-...``, and a true Content-Length takes their place.
"""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from urllib.parse import urlsplit

from homing.model import Reply

Headers = tuple[tuple[str, str], ...]

_ORIGINAL = "X-Homing-Original-"
_OF_THE_WIRE = frozenset({"content-encoding", "transfer-encoding", "content-length"})
_PHRASES = {status.value: status.phrase for status in HTTPStatus}
_NO_BREAKS = str.maketrans({"\r": " ", "\n": " ", "\x00": " "})


def response_head(reply: Reply) -> bytes:
    """Return the status line and headers; the decoded body follows."""
    fields = []
    for name, value in reply.headers:
        is_of_the_wire = name.lower() in _OF_THE_WIRE
        fields.append((f"{_ORIGINAL}{name}" if is_of_the_wire else name, value))
    fields.append(("Content-Length", str(len(reply.body))))
    return encode_head(f"HTTP/1.1 {reply.status} {_PHRASES.get(reply.status, '')}", fields)


def request_head(reply: Reply) -> bytes:
    """Return the request that was answered."""
    parts = urlsplit(reply.final_url)
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    fields = reply.request
    if "host" not in map(str.lower, dict(fields)):
        fields = (("Host", parts.netloc), *fields)
    return encode_head(f"GET {target} HTTP/1.1", fields)


def encode_head(first: str, fields: Iterable[tuple[str, str]]) -> bytes:
    """Encode a first line, fields and an empty line; no line break inside them begins another field."""
    lines = [first, *map(": ".join, fields)]
    if not "".join(lines).isprintable():
        lines = [one_line(line) for line in lines]
    # The HTTP client hands on bytes that are no UTF-8 as lone surrogates; this gives them back.
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")


def read_response(block: bytes) -> tuple[int, Headers, bytes]:
    """Read status, headers as the server sent them, and body of a response."""
    first, headers, body = _split(block)
    words = first.split(maxsplit=2)
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    kept = []
    for name, value in headers:
        if name.lower() == "content-length":
            continue
        original = name.removeprefix(_ORIGINAL)
        kept.append((original if original.lower() in _OF_THE_WIRE else name, value))
    return status, tuple(kept), body


def read_request(block: bytes) -> Headers:
    """Read the headers of a ``request_head``."""
    return _split(block)[1]


def one_line(text: str) -> str:
    """Replace line breaks, where one would begin another field."""
    return text if text.isprintable() else text.translate(_NO_BREAKS)


def _split(block: bytes) -> tuple[str, Headers, bytes]:
    head, _, body = block.partition(b"\r\n\r\n")
    first, *lines = head.decode("utf-8", "surrogateescape").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return first, tuple((name, value.removeprefix(" ")) for name, _, value in pairs), body
