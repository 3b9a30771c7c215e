"""A recorded web: replies as the hosts sent them, with their pages parsed, labelled and linked.

It is a folder with one SQLite file. Bodies are stored so that the web can be served; pages are parsed once,
when the web is recorded, and not by every replay. ``recording.py`` writes it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
import numpy as np
import orjson
from numpy.typing import NDArray

from homing.bounded import Unzstd
from homing.errors import DamagedError, FolderError
from homing.model import Page, Reply
from homing.scope import Glob
from homing.store.catalog.database import ErrorTranslator, open_for_reading

FILE = "web.db"
FORMAT = 1
LARGEST = 128 * 1024 * 1024
"""Bytes of a body or a page, unpacked: twice the largest page that is read from a file."""
Integers = NDArray[np.int64]


class RecordedWeb:
    """A recorded web, open for reading, by one thread at a time.

    Pages have numbers, in the order in which they were recorded.

    Parameters
    ----------
    folder
        Folder that ``homing lab import`` has written.
    exclude
        Globs; URLs that match one of them are treated as if they had not been recorded.
    """

    def __init__(self, folder: Path, *, exclude: Iterable[str] = ()) -> None:
        path = folder / FILE
        if not path.is_file():
            raise FolderError(f"{folder} holds no recorded web; make one with `homing lab import`")
        self.folder = folder
        self._errors = ErrorTranslator(path)
        self._unzstd = Unzstd()
        self._read_page = msgspec.msgpack.Decoder(Page).decode
        with self._errors:
            self._db = open_for_reading(path)
            self.facts = _facts(self._db, path)
            rows = self._db.execute("SELECT url, id, status, labels FROM replies ORDER BY id").fetchall()
        globs = [Glob(pattern) for pattern in exclude]
        kept = [row for row in rows if not any(glob.matches(row[0]) for glob in globs)]
        self.numbers: Mapping[str, int] = {url: number for url, number, _, _ in kept}
        """Number of each recorded page, by URL."""
        self._statuses = {url: status for url, _, status, _ in kept}
        self.labels: Mapping[str, tuple[str, ...]] = {
            url: tuple(orjson.loads(labels)) for url, _, _, labels in kept if labels
        }
        """Labels that people gave to pages, by URL; a dot separates levels."""

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> RecordedWeb:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, url: object) -> bool:
        return url in self.numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    @property
    def digest(self) -> str:
        """Digest of all that was recorded; the same for the same web."""
        return str(self.facts["digest"])

    def has_page(self, url: str) -> bool:
        """Return whether a URL was recorded as a page, not as a redirect or an error."""
        return 200 <= int(self._statuses.get(url, 0)) < 300

    def reply(self, url: str, *, with_body: bool = False) -> Reply | None:
        """Return the reply of the host; ``None`` if the URL was not recorded."""
        number = self.numbers.get(url)
        if number is None:
            return None
        with self._errors:
            (headers,) = self._db.execute("SELECT headers FROM replies WHERE id = ?", (number,)).fetchone()
            row = self._db.execute("SELECT body FROM bodies WHERE id = ?", (number,)).fetchone()
        return Reply(
            url=url,
            final_url=url,
            status=self._statuses[url],
            headers=tuple((name, value) for name, value in orjson.loads(headers)),
            body=self._unpack(row[0]) if with_body else b"",
        )

    def page(self, url: str) -> Page:
        """Return the page, as it was parsed when it was recorded."""
        with self._errors:
            row = self._db.execute("SELECT page FROM pages WHERE id = ?", (self.numbers[url],)).fetchone()
        if row is None:
            raise KeyError(url)
        page = self._unpack(row[0])
        try:
            return self._read_page(page)
        except ValueError as error:
            raise self._damaged(error) from None

    def labelled(self, name: str) -> list[str]:
        """Return the pages with this label, or one below it, in order."""
        below = f"{name}."
        return [
            url
            for url, labels in self.labels.items()
            if any(label == name or label.startswith(below) for label in labels)
        ]

    def links(self) -> tuple[Integers, Integers]:
        """Return every link and redirect between two recorded URLs as (from, to), both numbers."""
        with self._errors:
            rows = dict(self._db.execute("SELECT name, data FROM arrays"))
        sources, targets = (np.frombuffer(rows[name], dtype=np.int64) for name in ("sources", "targets"))
        known = np.fromiter(self.numbers.values(), dtype=np.int64, count=len(self.numbers))
        if len(known) == self.facts["replies"]:
            return sources, targets
        kept = np.isin(sources, known) & np.isin(targets, known)
        return sources[kept], targets[kept]

    def edges(self) -> Iterator[tuple[str, str]]:
        """Yield the same as URLs."""
        urls = {number: url for url, number in self.numbers.items()}
        for source, target in zip(*(ends.tolist() for ends in self.links()), strict=True):
            yield urls[source], urls[target]

    def _unpack(self, packed: bytes) -> bytes:
        try:
            return self._unzstd(packed, most=LARGEST)
        except ValueError as error:
            raise self._damaged(error) from None

    def _damaged(self, error: ValueError) -> DamagedError:
        return DamagedError(f"{self.folder / FILE} is damaged ({error}); import the web again")


def _facts(db: sqlite3.Connection, path: Path) -> dict[str, object]:
    facts = {name: orjson.loads(value) for name, value in db.execute("SELECT name, value FROM facts")}
    if facts.get("format") != FORMAT:
        raise FolderError(f"{path} was written by another version of Homing; import the web again")
    return facts
