"""Write the file of a recorded web: replies one after another, then the links between them."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator

import numpy as np
import orjson
from msgspec.structs import replace

from homing.lab.web.linking import Onward
from homing.lab.web.parsing import Parsed, Task, packed, parsed
from homing.model import Reply
from homing.records import Record
from homing.urls import canonical, host, key

SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE replies (
    id INTEGER PRIMARY KEY,       -- in the order in which they were recorded
    url TEXT NOT NULL UNIQUE,     -- canonical
    status INTEGER NOT NULL,
    headers BLOB NOT NULL,        -- JSON, pairs
    labels BLOB                   -- JSON, if it has any
);
CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL);    -- zstd
CREATE TABLE pages (id INTEGER PRIMARY KEY, page BLOB NOT NULL);     -- msgpack in zstd
CREATE TABLE arrays (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
"""


class Writer:
    """Writes replies, and collects the links of their pages until all are known.

    Parameters
    ----------
    cut
        Regular expression whose matches are removed from every body.
    processes
        Number of processes that parse pages; see ``parsing.py``.
    """

    def __init__(
        self, db: sqlite3.Connection, *, cut: re.Pattern[bytes] | None = None, processes: int | None = None
    ) -> None:
        self._db = db
        self._cut = cut
        self._processes = processes
        self._numbers: dict[str, int] = {}
        self._errors: set[int] = set()
        self._onward = Onward()
        self._digests: dict[int, bytes] = {}
        self._labels: set[str] = set()
        self._skipped = 0
        self._pages = 0

    def write(self, records: Iterable[Record]) -> dict[str, object]:
        """Write all records and links; return the figures of the web."""
        for page in parsed(self._write_replies(records), self._processes):
            self._write_page(page)
        recorded = len(self._numbers)
        # All of them before the first is added: an added page must not get other names itself.
        for url, target in [*self._onward.other_names(self._numbers)]:
            reply = Reply(url=url, final_url=url, status=301, headers=(("Location", target),))
            self._take(Record(reply=reply))
        sources, targets, outside = self._onward.within(self._numbers)
        arrays = (("sources", sources.tobytes()), ("targets", targets.tobytes()))
        self._db.executemany("INSERT INTO arrays VALUES (?, ?)", arrays)
        return {
            "digest": self._digest(),
            "replies": len(self._numbers),
            "made": len(self._numbers) - recorded,
            "pages": self._pages,
            "links": len(sources),
            "outside": outside,
            "hosts": len(set(map(host, self._numbers))),
            "labels": len(self._labels),
            "skipped": self._skipped,
        }

    def _write_replies(self, records: Iterable[Record]) -> Iterator[Task]:
        """Write the replies; yield those with a page in them."""
        for record in records:
            task = self._take(record)
            if task is not None:
                yield task

    def _take(self, record: Record) -> Task | None:
        reply = record.reply
        url = canonical(reply.url)
        number = self._numbers.get(url) if url else None
        again = number in self._errors and reply.status < 400
        if not url or (number is not None and not again):
            self._skipped += 1
            return None
        if number is None:
            number = self._numbers[url] = len(self._numbers)
        body = self._cut.sub(b"", reply.body) if self._cut else reply.body
        reply = replace(reply, url=url, final_url=url, headers=_storable(reply.headers), body=body)
        (self._errors.add if reply.status >= 400 else self._errors.discard)(number)
        labels = tuple(map(_plain, record.labels))
        self._labels.update(labels)
        self._write_reply(number, reply, labels)
        if reply.is_redirect:
            target = canonical(reply.header("Location"), reply.url)
            self._onward.add(number, np.array([key(target)] if target else [], np.int64))
        return (number, reply) if reply.has_page else None

    def _write_reply(self, number: int, reply: Reply, labels: tuple[str, ...]) -> None:
        headers = orjson.dumps(reply.headers)
        row = number, reply.url, reply.status, headers, orjson.dumps(labels) if labels else None
        self._db.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", row)
        if not reply.has_page:  # the bodies of pages are packed where they are parsed
            self._db.execute("INSERT OR REPLACE INTO bodies VALUES (?, ?)", (number, packed(reply.body)))
        digest = hashlib.sha256()
        for part in (reply.url, str(reply.status), *labels):
            digest.update(part.encode() + b"\n")
        digest.update(reply.body)
        self._digests[number] = digest.digest()

    def _write_page(self, page: Parsed) -> None:
        self._pages += 1
        self._onward.add(page.number, page.keys)
        self._db.execute("INSERT OR REPLACE INTO bodies VALUES (?, ?)", (page.number, page.body))
        self._db.execute("INSERT INTO pages VALUES (?, ?)", (page.number, page.page))

    def _digest(self) -> str:
        """Return a digest of every reply as it was stored."""
        return hashlib.sha256(b"".join(self._digests[number] for number in sorted(self._digests))).hexdigest()


def _storable(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((_plain(name), _plain(value)) for name, value in headers)


def _plain(text: str) -> str:
    """Replace lone surrogates, which stand for undecodable bytes and cannot be written as JSON."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
