"""A crawl by the screenful, for its web pages.

Every query must be fast on a running crawl of a million pages, so every result is short: lists continue from
the last row of the screen before (never by counting rows to skip), and following a crawl reads only new rows.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct, json

from homing import urls
from homing.model import Host, RobotsRecord, Standing
from homing.store.catalog.graph_store import select_targets
from homing.store.catalog.rows import unpack_seqs
from homing.store.catalog.totals import count_failed, count_queued, select_hosts
from homing.store.views.page_row import SELECT_ROWS, PageRow, row_of
from homing.store.views.reader import Reader

PORTION = 5_000
"""Visits read at a time when a crawl is followed."""

Order = Literal["newest", "best"]

_ARRIVED = """
    SELECT v.id, v.seq, v.kind, v.relevant, v.asked_at, v.bytes, u.host
    FROM visits v CROSS JOIN urls u ON u.seq = v.seq WHERE v.id > ? ORDER BY v.id LIMIT ?
"""
_MISSED = """
    SELECT f.id, u.host FROM failures f CROSS JOIN urls u ON u.seq = f.seq WHERE f.id > ? ORDER BY f.id
"""
_FAILED = """
    SELECT f.id, f.seq, u.url, f.kind, f.detail, f.at, f.final
    FROM failures f CROSS JOIN urls u ON u.seq = f.seq
"""
_NEIGHBOURS = """
    SELECT u.seq, u.url, u.standing, coalesce(v.title, ''), v.score, coalesce(v.relevant, 0)
    FROM json_each(?) AS wanted CROSS JOIN urls u ON u.seq = wanted.value LEFT JOIN visits v ON v.id = u.visit
"""


class VisitCounts(NamedTuple):
    """What it takes to count a visit."""

    number: int
    seq: int
    kind: str
    relevant: int
    asked_at: float
    bytes: int
    host: int


class PageFilter(Struct, frozen=True, kw_only=True):
    """Which pages to show, and in what order."""

    relevant: bool | None = None
    ok: bool | None = None
    """Answered with a page (a status below 400), or not."""
    host: int | None = None
    """Number of a host."""
    order: Order = "newest"
    """``best`` leaves out pages that were not judged."""


class FailedAttempt(Struct, frozen=True, kw_only=True):
    """One attempt that failed."""

    number: int
    seq: int
    url: str
    kind: str
    detail: str
    at: float
    final: bool
    """The URL was abandoned."""


class Neighbour(Struct, frozen=True, kw_only=True):
    """A URL one link away."""

    seq: int
    url: str
    standing: Standing
    title: str
    score: float | None
    relevant: bool


class Browser(Reader):
    """A reader for screens."""

    # -- following a crawl

    def arrived(self, after: int) -> list[VisitCounts]:
        """Return a portion of the visits after that one."""
        with self._errors:
            return [VisitCounts(*row) for row in self._db.execute(_ARRIVED, (after, PORTION))]

    def missed(self, after: int) -> list[tuple[int, int]]:
        """Return (number, host) of the attempts that failed after that one."""
        with self._errors:
            return self._db.execute(_MISSED, (after,)).fetchall()

    def abandoned(self) -> dict[str, int]:
        """Count the abandoned URLs by kind of failure."""
        with self._errors:
            return count_failed(self._db)

    def frontier(self) -> int:
        """Count the URLs in the frontier."""
        with self._errors:
            return count_queued(self._db)

    # -- pages

    def screen(self, choice: PageFilter, after: PageRow | None = None, limit: int = 50) -> list[PageRow]:
        """Return the pages that pass a filter, from the one behind ``after`` on."""
        wheres, values = ["v.kind = 'page'"], list[object]()
        if choice.relevant is not None:
            wheres.append("v.relevant = ?")
            values.append(int(choice.relevant))
        if choice.ok is not None:
            wheres.append("v.status < 400" if choice.ok else "v.status >= 400")
        if choice.host is not None:
            wheres.append("u.host = ?")
            values.append(choice.host)
        # A page's step grows with its number, and no two pages have the same.
        if choice.order == "best":
            wheres.append("v.score IS NOT NULL")
            order = "v.score DESC, v.id"
            if after is not None:
                wheres.append("v.score <= ? AND (v.score < ? OR v.step > ?)")
                values += [after.score, after.score, after.step]
        else:
            order = "v.step DESC"
            if after is not None:
                wheres.append("v.step < ?")
                values.append(after.step)
        query = f"{SELECT_ROWS} WHERE {' AND '.join(wheres)} ORDER BY {order} LIMIT ?"
        with self._errors:
            rows = self._db.execute(query, (*values, limit)).fetchall()
        strategy = self._strategy()
        return [row_of(row, strategy) for row in rows]

    def neighbour(self, seq: int) -> Neighbour:
        """Return a URL as its neighbours see it."""
        return self._neighbours([seq])[0]

    def linked_from(self, seq: int, most: int = 2_000) -> list[Neighbour]:
        """Return where a page leads; of a page with more links than ``most``, these."""
        with self._errors:
            targets = select_targets(self._db, seq)
        return self._neighbours(targets[:most])

    def linking_to(self, seq: int, most: int = 2_000) -> list[Neighbour]:
        """Return the pages that lead to a URL, if there are no more than ``most``, else some of them.

        There is no index for that: the links of every page are scanned, some 100 MB a second.
        """
        packed = struct.pack("<I", seq)
        with self._errors:
            rows = self._db.execute(
                "SELECT seq, targets FROM links WHERE instr(targets, ?) LIMIT ?", (packed, 2 * most)
            ).fetchall()
        # The four bytes may also stand across two numbers.
        sources = [source for source, targets in rows if seq in unpack_seqs(targets)]
        return self._neighbours(sources[:most])

    def _neighbours(self, seqs: Iterable[int]) -> list[Neighbour]:
        with self._errors:
            rows = self._db.execute(_NEIGHBOURS, (json.encode(list(seqs)).decode(),)).fetchall()
        return [
            Neighbour(
                seq=seq,
                url=url,
                standing=Standing(standing),
                title=title,
                score=score,
                relevant=bool(relevant),
            )
            for seq, url, standing, title, score, relevant in rows
        ]

    # -- hosts and failures

    def hosts(self) -> list[Host]:
        """Return every host in order of discovery."""
        with self._errors:
            return select_hosts(self._db)

    def host(self, name: str) -> Host | None:
        """Return a host by its name."""
        with self._errors:
            row = self._db.execute(
                "SELECT number, name, delay, asked FROM hosts WHERE name = ?", (name,)
            ).fetchone()
        return None if row is None else Host(number=row[0], name=row[1], delay=row[2], pages=row[3])

    def standings(self, host: int) -> dict[Standing, int]:
        """Count the URLs of a host by standing."""
        with self._errors:
            rows = self._db.execute(
                "SELECT standing, count(*) FROM urls WHERE host = ? GROUP BY standing", (host,)
            ).fetchall()
        return {Standing(standing): count for standing, count in rows}

    def robots_of(self, name: str) -> list[RobotsRecord]:
        """Return the last robots.txt of a host under each scheme and port."""
        with self._errors:
            origins = [origin for (origin,) in self._db.execute("SELECT origin FROM robots ORDER BY origin")]
        mine = [origin for origin in origins if urls.host(origin) == name]
        return [record for origin in mine if (record := self.robots_record(origin)) is not None]

    def failures(
        self, *, kind: str = "", host: int | None = None, before: int | None = None, limit: int = 50
    ) -> Sequence[FailedAttempt]:
        """Return attempts that failed, the last first."""
        wheres, values = ["1"], list[object]()
        for condition, value in (("f.kind = ?", kind or None), ("u.host = ?", host), ("f.id < ?", before)):
            if value is not None:
                wheres.append(condition)
                values.append(value)
        query = f"{_FAILED} WHERE {' AND '.join(wheres)} ORDER BY f.id DESC LIMIT ?"
        with self._errors:
            rows = self._db.execute(query, (*values, limit)).fetchall()
        return [
            FailedAttempt(number=number, seq=seq, url=url, kind=kind, detail=detail, at=at, final=bool(final))
            for number, seq, url, kind, detail, at, final in rows
        ]
