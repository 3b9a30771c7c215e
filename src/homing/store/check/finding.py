"""Something that is wrong in a crawl folder, and the reader that looks for it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec import Struct

from homing.store.folder import Layout
from homing.store.views.base import ReaderBase

Part = Literal["catalog", "archive", "index", "strategy", "ranking", "inbox", "topic"]

Read = TypeVar("Read")


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is wrong."""

    part: Part
    place: str
    """The file, and where in it."""
    problem: str
    url: str = ""
    """The page concerned, if it is one."""
    visit: int = 0
    """The visit whose record is damaged: mending takes it back."""

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}{f' ({self.url})' if self.url else ''}"


Findings = Iterator[Finding]


class Checked(ReaderBase):
    """A crawl folder under examination."""

    def __init__(self, folder: Path, read: Counter[str]) -> None:
        super().__init__(folder)
        self.read = read
        self.damaged: set[int] = set()
        """The visits whose records are damaged: no other part is blamed for lacking them."""

    @property
    def layout(self) -> Layout:
        return self._layout

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """See the catalog as it is now, whatever a running crawl commits meanwhile.

        The crawl's log cannot be folded away as long: it grows by what is committed, and shrinks again.
        """
        with self._errors:
            self._db.execute("BEGIN")
        yield
        with self._errors:
            self._db.execute("COMMIT")

    def rows(self, query: str, *parameters: object) -> Iterator[Any]:
        """Yield the rows of a query, each a short look at the database when it is its turn."""
        with self._errors:
            rows = self._db.execute(query, parameters)
        while True:
            with self._errors:
                portion = rows.fetchmany(500)
            if not portion:
                return
            yield from portion

    def select(self, read: Callable[[sqlite3.Connection], Read]) -> Read:
        """Return what reads a value of several rows."""
        with self._errors:
            return read(self._db)

    def portions(self, query: str) -> Iterator[Any]:
        """Yield the rows after the number of the last one, a portion at a time."""
        for portion in self._portions(query):
            yield from portion
