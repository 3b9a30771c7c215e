"""The reply in a WARC record: head parsed, chunks joined, body decoded.

Heads on the web lack colons, have lone line feeds, or are missing; and archives hold bodies that were decoded
before they were written, under headers that say otherwise. Whatever can be read is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from homing.fetch.body import Body
from homing.fetch.settings import Caps
from homing.lab.archives.warcs import LINE_END, WarcRecord
from homing.model import Reply

Headers = tuple[tuple[str, str], ...]

_STATUS = re.compile(rb"(?:HTTP/\d(?:\.\d)?|ICY)[ \t]+(\d{3})(?!\d)")
_OTHER_METHOD = re.compile(rb"(?!GET )[A-Z]+ ")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_CAPS = Caps()


def reply_of(record: WarcRecord) -> Reply | None:
    """Return the reply in a ``response``, ``revisit`` or ``resource`` record; ``None`` if there is none.

    A resource was saved without a head and gets a minimal one. So does a response without a head, as in HTTP
    before version 1.0.
    """
    if not record.url.lower().startswith(("http://", "https://")):
        return None  # name look-ups, logs, thumbnails
    status, headers, body = 200, _own_type(record), record.block
    if record.kind != "resource":
        status, headers, body = read_head(record.block)
    body, damage = _decoded(body, headers)
    return Reply(
        url=record.url,
        final_url=record.url,
        status=status,
        headers=headers,
        body=body,
        requested_at=_seconds(record["warc-date"]),
        truncated=record["warc-truncated"] or ("" if record.is_whole else "length") or damage,
        address=record["warc-ip-address"],
    )


def answers_to_get(records: Iterable[WarcRecord]) -> Iterator[WarcRecord]:
    """Yield the records without answers to forms and the like: no link leads there."""
    held: WarcRecord | None = None
    others: set[str] = set()
    for record in records:
        if record.kind == "request" and _OTHER_METHOD.match(record.block):
            # Some producers write the request before the response, most after it.
            others.add(record["warc-record-id"])
            if held is not None and held["warc-record-id"] == record["warc-concurrent-to"]:
                held = None
        if held is not None:
            yield held
        held = None if record["warc-concurrent-to"] in others else record
    if held is not None:
        yield held


def read_head(block: bytes) -> tuple[int, Headers, bytes]:
    r"""Read status and headers; return them with the body as received.

    >>> read_head(b"HTTP/1.1 404 Not Found\nServer: x\n\nnothing here")
    (404, (('Server', 'x'),), b'nothing here')
    >>> read_head(b"<title>HTTP/0.9</title>")
    (200, (), b'<title>HTTP/0.9</title>')
    """
    found = _STATUS.match(block)
    if found is None:
        return 200, (), block
    end = _HEAD_END.search(block)
    head, body = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    status = int(found[1])
    if status < 200 and _STATUS.match(body):  # "100 Continue", followed by the final answer
        return read_head(body)
    lines = LINE_END.split(re.sub(rb"\r?\n[ \t]+", b" ", head).decode("utf-8", "replace"))[1:]
    pairs = (line.partition(":") for line in lines if ":" in line)
    return status, tuple((name.strip(), value.strip()) for name, _, value in pairs), body


def _decoded(body: bytes, headers: Headers) -> tuple[bytes, str]:
    """Return the body without chunks and encodings, and why it is incomplete, if it is."""
    if "chunked" in _joined(headers, "transfer-encoding"):
        body = _joined_chunks(body)
    decoder = Body(_joined(headers, "content-encoding"), _CAPS)
    decoder.feed(body)
    return decoder.take(), decoder.truncated


def _joined_chunks(body: bytes) -> bytes:
    """Join a chunked body; return it as it is if it is not chunked, whatever its head says."""
    chunks: list[bytes] = []
    at = 0
    while found := _CHUNK.match(body, at):
        size = int(found[1], 16)
        if not size:
            break
        chunks.append(body[found.end() : found.end() + size])
        at = found.end() + size
        while body[at : at + 1] in (b"\r", b"\n"):
            at += 1
    return b"".join(chunks) if chunks or _CHUNK.match(body) else body


def _joined(headers: Headers, name: str) -> str:
    return ",".join(value for key, value in headers if key.lower() == name).lower()


def _own_type(record: WarcRecord) -> Headers:
    return (("Content-Type", record["content-type"]),) if record["content-type"] else ()


def _seconds(date: str) -> float:
    """Return seconds since 1970; 0 if the date is invalid."""
    try:
        return datetime.fromisoformat(date).timestamp()
    except (ValueError, OverflowError):
        return 0.0
