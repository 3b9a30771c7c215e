"""The archive: WARC 1.1 files, one gzip member a record.

Three records a reply. The response comes first: a place in the catalog points at it, and the request and the
metadata (judgement, priority, parent) follow.

Records are collected in memory and reach the disk when the catalog commits, so that a file never holds more
than half a record that the catalog does not know. On start the archive is cut back to what was committed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO, FileIO
from pathlib import Path
from uuid import uuid4

import orjson
from isal import isal_zlib

from homing.model import Reply, digest_of
from homing.store.archive.http import encode_head, one_line, request_head, response_head
from homing.store.archive.reading import read_reply

LEVEL = 3
"""ISA-L's best: a sixth of the time of zlib's level 6, for files two per cent larger."""
_GZIP = 16 + isal_zlib.MAX_WBITS
BUFFER = 8 * 1024 * 1024
"""Bytes held for a commit; more are written at once."""
_LARGE = 1024 * 1024
"""Bytes; a larger body is compressed in pieces, without a copy of the whole record."""
_PIECE = 64 * 1024
_END = b"\r\n\r\n"

_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_PREFIX, _SUFFIX = "homing-", ".warc.gz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a response record lies: number of the file, first byte, and length in bytes."""

    file: int
    offset: int
    length: int


def file_name(number: int) -> str:
    """Return the name of a file. It comes from a counter only, never from what a server sends.

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
        Number and true size of every file, according to the catalog after ``mend``. Longer files are cut,
        others named like ours are removed.
    limit
        Size in bytes at which the next reply starts a new file.
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
        self.size = committed.get(self.number, 0)
        """How long that file is, with what is still in memory."""
        self._recover(committed)

    def write(self, reply: Reply, *, digest: str, unchanged: bool, about: Mapping[str, object]) -> Place:
        """Append a reply; nothing is safe before ``flush``."""
        at = datetime.fromtimestamp(reply.requested_at, UTC)
        date = at.isoformat(timespec="microseconds").replace("+00:00", "Z")
        if self.number == 0 or self.size >= self._limit:
            self._next_file(date)
        offset = self.size
        url = {"WARC-Target-URI": reply.final_url}
        fields = {**url, "Content-Type": "application/http; msgtype=response"}
        if unchanged:
            fields |= {"WARC-Profile": _NOT_MODIFIED, "WARC-Refers-To-Target-URI": reply.final_url}
        else:
            fields["WARC-Payload-Digest"] = digest
        if reply.address:
            fields["WARC-IP-Address"] = reply.address
        if reply.truncated:
            fields["WARC-Truncated"] = reply.truncated
        kind = "revisit" if unchanged else "response"
        name = self._append(kind, date, fields, response_head(reply), reply.body)
        length = self.size - offset

        fields = {**url, "Content-Type": "application/http; msgtype=request", "WARC-Concurrent-To": name}
        self._append("request", date, fields, request_head(reply))
        fields = {**url, "Content-Type": "application/json", "WARC-Concurrent-To": name}
        facts = {"url": reply.url, "took": reply.took, **about}
        self._append("metadata", date, fields, orjson.dumps(facts, option=orjson.OPT_SERIALIZE_NUMPY))

        if self._unwritten.tell() > BUFFER:
            self.spill()
        return Place(file=self.number, offset=offset, length=length)

    def flush(self) -> dict[int, int]:
        """Write everything to the disk; return the size of every file that has grown since the last time."""
        self.spill()
        if self._file is not None:
            os.fsync(self._file.fileno())
        grown, self._grown = self._grown, {}
        return grown

    def spill(self) -> None:
        """Hand what is in memory to the operating system, so that it can be read back."""
        unwritten = memoryview(self._unwritten.getvalue())
        if not unwritten:
            return
        file = self._open()
        while unwritten:  # a disk that fills up takes a part before it refuses
            unwritten = unwritten[file.write(unwritten) :]
        self._unwritten.seek(0)
        self._unwritten.truncate()
        self._grown[self.number] = self.size

    def read(self, file: int, offset: int, url: str) -> Reply:
        """Return a reply that was written before."""
        return read_reply(self._folder / file_name(file), offset, url)

    def close(self) -> None:
        """Close the file; what was not flushed is dropped."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(
        self, kind: str, date: str, fields: Mapping[str, str], block: bytes, body: bytes = b""
    ) -> str:
        """Append one record as one gzip member, so that a reader can begin at any of them; return its id."""
        name = f"<urn:uuid:{uuid4()}>"
        head = {
            "WARC-Type": kind,
            "WARC-Date": date,
            "WARC-Record-ID": name,
            "Content-Length": str(len(block) + len(body)),
            **fields,
            "WARC-Block-Digest": digest_of(block, body),
        }
        start = encode_head("WARC/1.1", head.items()) + block
        before = self._unwritten.tell()
        if len(body) > _LARGE:
            self._compress_in_pieces(start, body)
        else:
            record = b"".join((start, body, _END))
            self._unwritten.write(isal_zlib.compress(record, LEVEL, _GZIP))
        self.size += self._unwritten.tell() - before
        return name

    def _compress_in_pieces(self, start: bytes, body: bytes) -> None:
        """Compress a record without a copy of its large body."""
        stream = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, _GZIP)
        self._unwritten.write(stream.compress(start))
        rest = memoryview(body)
        for begin in range(0, len(rest), _PIECE):
            self._unwritten.write(stream.compress(rest[begin : begin + _PIECE]))
        self._unwritten.write(stream.compress(_END) + stream.flush())

    def _open(self) -> FileIO:
        if self._file is None:
            path = self._folder / file_name(self.number)
            is_new = not path.exists()
            self._file = FileIO(path, "ab")
            if is_new:
                _sync_folder(self._folder)
        return self._file

    def _next_file(self, date: str) -> None:
        self.spill()
        if self._file is not None:
            os.fsync(self._file.fileno())
        self.close()
        self.number += 1
        self.size = 0
        fields = {"Content-Type": "application/warc-fields", "WARC-Filename": file_name(self.number)}
        about = "".join(f"{name}: {one_line(value)}\r\n" for name, value in self._about.items())
        self._append("warcinfo", date, fields, about.encode("utf-8", "replace"))

    def _recover(self, committed: Mapping[int, int]) -> None:
        for path in self._folder.glob(f"{_PREFIX}*{_SUFFIX}"):
            digits = path.name[len(_PREFIX) : -len(_SUFFIX)]
            if digits.isdigit() and int(digits) not in committed:
                path.unlink()
        if self.number == 0:
            return
        path = self._folder / file_name(self.number)
        if path.stat().st_size > self.size:
            os.truncate(path, self.size)


def _sync_folder(folder: Path) -> None:
    """Write the name of a new file to the disk, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
