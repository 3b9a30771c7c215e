"""The archive: WARC 1.1 files, one gzip member a record.

Three records a reply, the response first: it is what a place in the catalog points at, and
reading on from there finds the request and the metadata (judgement, priority, parent) behind it.

Records are collected in memory and reach the disk when the catalog commits, so that a file never holds
more than half a record that no one knows of. On start the archive is cut back to what was committed.
"""

from __future__ import annotations

import os
from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from io import BytesIO, FileIO
from pathlib import Path

import orjson
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from isal import isal_zlib
from msgspec import Struct
from msgspec.json import decode
from msgspec.structs import replace

from homing.errors import DamagedError
from homing.model import Reply
from homing.store.archive.http import one_line, read_request, read_response, request_block, response_head

LEVEL = 3
"""ISA-L's best: a sixth of the time of zlib's level 6, for files two per cent larger."""
_GZIP = 16 + isal_zlib.MAX_WBITS
BUFFER = 8 * 1024 * 1024
"""Bytes held for a commit before they are written anyway."""
_LARGE = 1024 * 1024
"""Bytes of a body from which on its record is put together as it is compressed: FastWARC would have it in
memory three times."""
_PIECE = 64 * 1024

RECORDS = 3
"""Of a reply: the response, the request, the metadata."""

_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_PREFIX, _SUFFIX = "homing-", ".warc.gz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a response record lies: number of the file, first byte, and how many bytes."""

    file: int
    offset: int
    length: int


def file_name(number: int) -> str:
    """Return the name of a file. It comes from a counter only, never from anything a server says.

    >>> file_name(7)
    'homing-00007.warc.gz'
    """
    return f"{_PREFIX}{number:05}{_SUFFIX}"


class Archive:
    """The WARC files of a crawl, open for writing.

    Parameters
    ----------
    folder
        Where the files lie.
    committed
        Number and true size of every file, as the catalog remembers them after ``mend``. Longer files are
        cut, others of our naming are removed.
    limit
        Size from which on the next reply begins a new file.
    about
        What the ``warcinfo`` record says of the crawl.
    """

    def __init__(
        self, folder: Path, *, committed: Mapping[int, int], limit: int, about: Mapping[str, str]
    ) -> None:
        self._folder = folder
        self._limit = limit
        self._about = about
        self._file: FileIO | None = None
        self._unwritten = BytesIO()
        self._grown: dict[int, int] = {}
        self.number = max(committed, default=0)
        """The file that is written now; 0 before the first."""
        self._flushed = committed.get(self.number, 0)
        self._recover(committed)

    @property
    def size(self) -> int:
        """How long the present file is, with what is still in memory."""
        return self._flushed + self._unwritten.tell()

    def write(self, reply: Reply, *, digest: str, unchanged: bool, about: Mapping[str, object]) -> Place:
        """Append a reply; nothing is safe before ``flush``."""
        if self.number == 0 or self.size >= self._limit:
            self._next_file(reply.asked_at)
        date = _date(reply.asked_at)
        offset = self.size
        response = _record(
            WarcRecordType.revisit if unchanged else WarcRecordType.response, reply.final_url, date
        )
        response.is_http = True
        response.headers["Content-Type"] = "application/http; msgtype=response"
        if unchanged:
            response.headers["WARC-Profile"] = _NOT_MODIFIED
            response.headers["WARC-Refers-To-Target-URI"] = one_line(reply.final_url)
        else:
            response.headers["WARC-Payload-Digest"] = digest
        if reply.address:
            response.headers["WARC-IP-Address"] = one_line(reply.address)
        if reply.truncated:
            response.headers["WARC-Truncated"] = one_line(reply.truncated)
        self._append(response, response_head(reply), reply.body)
        length = self.size - offset

        name = response.record_id or ""
        request = _record(WarcRecordType.request, reply.final_url, date)
        request.headers["Content-Type"] = "application/http; msgtype=request"
        request.headers["WARC-Concurrent-To"] = name
        self._append(request, request_block(reply))
        metadata = _record(WarcRecordType.metadata, reply.final_url, date)
        metadata.headers["Content-Type"] = "application/json"
        metadata.headers["WARC-Concurrent-To"] = name
        facts = {"url": reply.url, "took": reply.took, **about}
        self._append(metadata, orjson.dumps(facts, option=orjson.OPT_SERIALIZE_NUMPY))

        if self._unwritten.tell() > BUFFER:
            self.spill()
        return Place(file=self.number, offset=offset, length=length)

    def flush(self) -> dict[int, int]:
        """Bring everything to the disk; tells the size of every file that has grown since the last time."""
        self.spill()
        if self._file is not None:
            os.fsync(self._file.fileno())
        grown, self._grown = self._grown, {}
        return grown

    def spill(self) -> None:
        """Hand what is in memory to the operating system, so that it can be read."""
        unwritten = memoryview(self._unwritten.getvalue())
        if not unwritten:
            return
        file = self._open()
        while unwritten:  # a disk that fills up takes a part before it refuses
            unwritten = unwritten[file.write(unwritten) :]
        self._flushed = self.size
        self._unwritten.seek(0)
        self._unwritten.truncate()
        self._grown[self.number] = self._flushed

    def read(self, file: int, offset: int) -> Reply:
        """Return a reply that was written before."""
        return read_record(self._folder / file_name(file), offset)

    def close(self) -> None:
        """Let go of the file; what was not flushed is dropped."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(self, record: WarcRecord, head: bytes, body: bytes = b"") -> None:
        """Append one record as one gzip member: a reader can begin at any of them."""
        if len(body) > _LARGE:
            self._append_large(record, head, body)
            return
        record.set_bytes_content(head + body)
        plain = BytesIO()
        record.write(plain, checksum_data=True)
        self._unwritten.write(isal_zlib.compress(plain.getbuffer(), LEVEL, _GZIP))

    def _append_large(self, record: WarcRecord, head: bytes, body: bytes) -> None:
        """Write the same record by hand."""
        record.headers["Content-Length"] = str(len(head) + len(body))
        block = sha1(head, usedforsecurity=False)
        block.update(body)
        record.headers["WARC-Block-Digest"] = f"sha1:{b32encode(block.digest()).decode()}"
        fields = b"".join(name + b": " + value + b"\r\n" for name, value in record.headers.items_bytes())
        stream = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, _GZIP)
        self._unwritten.write(stream.compress(b"WARC/1.1\r\n" + fields + b"\r\n" + head))
        rest = memoryview(body)
        for start in range(0, len(rest), _PIECE):
            self._unwritten.write(stream.compress(rest[start : start + _PIECE]))
        self._unwritten.write(stream.compress(b"\r\n\r\n") + stream.flush())

    def _open(self) -> FileIO:
        if self._file is None:
            path = self._folder / file_name(self.number)
            is_new = not path.exists()
            self._file = FileIO(path, "ab")
            if is_new:
                _sync_folder(self._folder)
        return self._file

    def _next_file(self, now: float) -> None:
        self.spill()
        if self._file is not None:
            os.fsync(self._file.fileno())
        self.close()
        self.number += 1
        self._flushed = 0
        info = _record(WarcRecordType.warcinfo, "", _date(now))
        info.headers["Content-Type"] = "application/warc-fields"
        info.headers["WARC-Filename"] = file_name(self.number)
        fields = "".join(f"{name}: {one_line(value)}\r\n" for name, value in self._about.items())
        self._append(info, fields.encode("utf-8", "replace"))

    def _recover(self, committed: Mapping[int, int]) -> None:
        for path in self._folder.glob(f"{_PREFIX}*{_SUFFIX}"):
            digits = path.name[len(_PREFIX) : -len(_SUFFIX)]
            if digits.isdigit() and int(digits) not in committed:
                path.unlink()
        if self.number == 0:
            return
        path = self._folder / file_name(self.number)
        if path.stat().st_size > self._flushed:
            os.truncate(path, self._flushed)


def read_record(path: Path, offset: int) -> Reply:
    """Return the reply whose response record begins at that byte of a file."""
    reply: Reply | None = None
    try:
        with path.open("rb") as file:
            file.seek(offset)
            for record in ArchiveIterator(file, parse_http=False):
                block = record.reader.read()
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
    """What ``read_record`` wants of a metadata record."""

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
        asked_at=datetime.fromisoformat(record.headers.get("WARC-Date", "") or "").timestamp(),
        truncated=record.headers.get("WARC-Truncated", "") or "",
        address=record.headers.get("WARC-IP-Address", "") or "",
    )


def _record(kind: WarcRecordType, url: str, date: str) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(kind)
    record.headers["WARC-Date"] = date
    if url:
        record.headers["WARC-Target-URI"] = one_line(url)
    return record


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _sync_folder(folder: Path) -> None:
    """Make the name of a new file as safe as its bytes."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
