"""Read an archived reply back from its three records."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from msgspec import Struct
from msgspec.json import decode
from msgspec.structs import replace

from homing.bounded import worded
from homing.errors import DamagedError
from homing.model import Reply
from homing.store.archive.http import read_request, read_response

LARGEST = 1024 * 1024 * 1024 + 1024 * 1024
"""Bytes of a record, unpacked: the largest body that ``[fetch] max_bytes`` may permit, and its headers."""


def read_reply(path: Path, offset: int) -> Reply:
    """Return the reply whose response record begins at that byte of a file."""
    reply: Reply | None = None
    try:
        with path.open("rb") as file:
            file.seek(offset)
            for record in ArchiveIterator(file, parse_http=False):
                block = record.reader.read(LARGEST + 1)
                if len(block) > LARGEST:
                    raise ValueError(f"it unpacks to more than {worded(LARGEST)}")
                if reply is None:
                    reply = _reply_of(record, block)
                elif record.record_type == WarcRecordType.request:
                    reply = replace(reply, request=read_request(block))
                else:
                    facts = decode(block, type=_Facts)
                    return replace(reply, url=facts.url, took=facts.took)
    except (OSError, ValueError, OverflowError) as error:
        raise DamagedError(f"{path} cannot be read at byte {offset}: {error}") from error
    raise DamagedError(f"{path} has no whole reply at byte {offset}; restore it from a copy")


class _Facts(Struct):
    """What ``read_reply`` needs of a metadata record."""

    url: str
    took: float


def _reply_of(record: WarcRecord, block: bytes) -> Reply:
    status, headers, body = read_response(block)
    url = record.headers.get("WARC-Target-URI", "") or ""
    return Reply(
        url=url,
        final_url=url,
        status=status,
        headers=headers,
        body=body,
        requested_at=datetime.fromisoformat(record.headers.get("WARC-Date", "") or "").timestamp(),
        truncated=record.headers.get("WARC-Truncated", "") or "",
        address=record.headers.get("WARC-IP-Address", "") or "",
    )
