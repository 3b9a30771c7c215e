"""Read an archived reply back from its three records, each a gzip member."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct
from msgspec.json import decode

from homing.bounded import Members
from homing.errors import DamagedRecordError, StorageError
from homing.model import Reply
from homing.store.archive.http import read_request, read_response

LARGEST = 1024 * 1024 * 1024 + 1024 * 1024
"""Bytes of a record, unpacked: the largest body that ``[fetch] max_bytes`` may permit, and its headers."""
KINDS = (("response", "revisit"), ("request",), ("metadata",))
"""What the three records of a reply may be."""

_VERSION = b"WARC/1.1\r\n"
_END = b"\r\n\r\n"


class Record(Struct, frozen=True):
    """One record as it stands in a file."""

    fields: Mapping[str, str]
    block: bytes
    end: int
    """Where the next record begins."""


class Facts(Struct):
    """What is read of a metadata record."""

    url: str
    took: float


def read_reply(path: Path, offset: int, url: str = "") -> Reply:
    """Return the reply whose response record begins at that byte of a file, and is one for that URL."""
    try:
        with path.open("rb") as file:
            response, request, metadata = records_at(file, offset)
        facts = decode(metadata.block, type=Facts)
        if url and facts.url != url:
            raise ValueError(f"its record is of {facts.url}")
        status, headers, body = read_response(response.block)
        return Reply(
            url=facts.url,
            final_url=response.fields.get("WARC-Target-URI", ""),
            status=status,
            headers=headers,
            body=body,
            request=read_request(request.block),
            requested_at=datetime.fromisoformat(response.fields.get("WARC-Date", "")).timestamp(),
            took=facts.took,
            truncated=response.fields.get("WARC-Truncated", ""),
            address=response.fields.get("WARC-IP-Address", ""),
        )
    except (FileNotFoundError, ValueError, OverflowError) as error:
        raise DamagedRecordError(path, offset, error) from error
    except OSError as error:
        raise StorageError(f"{path} cannot be read ({error.strerror}); check its permissions") from error


def records_at(file: BinaryIO, offset: int) -> Iterator[Record]:
    """Yield the three records of the reply at this byte; a ``ValueError`` says what is wrong with one."""
    file.seek(offset)
    members = Members(file)
    for kinds in KINDS:
        record = _record(members)
        if record.fields.get("WARC-Type") not in kinds:
            raise ValueError(f"a record is no {kinds[0]}")
        yield record


def _record(members: Members) -> Record:
    head, _, rest = members.take(LARGEST).partition(_END)
    if not head.startswith(_VERSION):
        raise ValueError("no record begins here")
    lines = head[len(_VERSION) :].decode("utf-8", "surrogateescape").split("\r\n")
    fields = {name: value for name, _, value in (line.partition(": ") for line in lines)}
    if not rest.endswith(_END) or fields.get("Content-Length") != str(len(rest) - len(_END)):
        raise ValueError("the length of a record is wrong")
    return Record(fields=fields, block=rest[: -len(_END)], end=members.place)
