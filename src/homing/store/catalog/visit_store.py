"""What happens to one URL at a time, written to a catalog: ``ports.VisitStore``."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

from homing.header_values import returnable
from homing.model import (
    Entry,
    Failure,
    Host,
    Judgement,
    Page,
    Ranking,
    RobotsRecord,
    Standing,
    State,
    digest_of,
)
from homing.ports import NewVisit
from homing.ports.storage import VisitKind
from homing.store.archive.warc import Place
from homing.store.catalog.base import CatalogBase
from homing.store.catalog.labels import insert_label
from homing.store.catalog.ranking import insert_ranking
from homing.store.catalog.rows import pack_seqs, select_entry, storable, write_json, write_why
from homing.store.catalog.strategy_state import insert_state

_Row = tuple[object, ...]

_INSERT_HOST = "INSERT INTO hosts (number, name, delay, asked) VALUES (?, ?, ?, ?)"
_INSERT_URL = """
    INSERT INTO urls (seq, key, host, tier, score, depth, parent, hops, tries, kind, url, anchor, memo, why)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPDATE_URL = """
    UPDATE urls SET tier = ?, score = ?, memo = ?, why = ?, anchor = ?, depth = min(depth, ?),
        parent = iif(parent IS NULL, NULL, ?)  -- a seed stays a seed, whichever page links to it
    WHERE seq = ?
"""
_INSERT_VISIT = """
    INSERT INTO visits (
        step, seq, kind, status, final_url, asked_at, took, bytes, content_type, truncated, etag,
        last_modified, digest, fingerprint, title, language, noindex, score, relevant, judge, why, tier,
        priority, priority_why, memo, warc_file, warc_offset, warc_length)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_INSERT_FAILURE = """
    INSERT INTO failures (seq, kind, detail, at, final, tier, priority, priority_why)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
# A settled URL has spent its priority and memo; its visit or failure keeps them.
_SETTLE_URL = """
    UPDATE urls SET standing = ?, visit = iif(?, last_insert_rowid(), visit),  -- the one just inserted
        tier = 0, score = 0, memo = NULL, why = NULL, tries = 0, retry_at = NULL
    WHERE seq = ?
"""
_REJUDGE = "UPDATE visits SET score = ?, relevant = ?, judge = ?, why = ? WHERE step = ? AND kind = 'page'"
_COUNT_PAGE = "UPDATE hosts SET asked = asked + 1 WHERE number = (SELECT host FROM urls WHERE seq = ?)"
_REPLACE_LINKS = "INSERT OR REPLACE INTO links (seq, targets) VALUES (?, ?)"
_REPLACE_ROBOTS = "INSERT OR REPLACE INTO robots (origin, status, text, fetched_at) VALUES (?, ?, ?, ?)"

_NO_PAGE = Page(url="")
_SIGN = 1 << 63


class CatalogVisits(CatalogBase):
    """Writes visits, links and failures into the open transaction."""

    def entry(self, seq: int) -> Entry:
        try:
            return select_entry(self._db, seq)
        except sqlite3.Error as error:
            self._errors.translate(error)
            raise

    def add_hosts(self, hosts: Sequence[Host]) -> None:
        self._write(_INSERT_HOST, *[(host.number, host.name, host.delay, host.pages) for host in hosts])

    def add(self, entries: Sequence[Entry], hosts: Sequence[int]) -> None:
        rows = [
            (
                entry.seq,
                entry.key,
                host,
                entry.priority.tier,
                entry.priority.score,
                entry.depth,
                entry.parent,
                entry.hops,
                entry.tries,
                entry.kind,
                entry.url,
                storable(entry.anchor),
                entry.memo or None,
                write_why(entry.why),
            )
            for entry, host in zip(entries, hosts, strict=True)
        ]
        self._write(_INSERT_URL, *rows)

    def update(self, entries: Sequence[Entry], *, revisits: Collection[int] = ()) -> None:
        rows = [
            (
                entry.priority.tier,
                entry.priority.score,
                entry.memo or None,
                write_why(entry.why),
                storable(entry.anchor),
                entry.depth,
                entry.parent,
                entry.seq,
            )
            for entry in entries
        ]
        self._write(_UPDATE_URL, *rows)
        if revisits:
            again = [(int(Standing.WAITING), seq) for seq in revisits]
            self._write("UPDATE urls SET standing = ? WHERE seq = ?", *again)

    def keep(self, visit: NewVisit) -> None:
        kind, seq = visit.kind, visit.entry.seq
        digest = (visit.page.digest if visit.page else "") or digest_of(visit.reply.body)
        place = self._archive_reply(visit, kind, digest)
        self._write(_INSERT_VISIT, _visit_row(visit, kind, digest, place))
        # "Not modified" brings nothing new: title, score and validators stay those of the visit before.
        self._write(_SETTLE_URL, (int(visit.standing), kind != "unchanged", seq))
        if kind == "page":
            self._write(_COUNT_PAGE, (seq,))

    def link(self, seq: int, targets: Sequence[int]) -> None:
        self._write(_REPLACE_LINKS, (seq, pack_seqs(targets)))

    def settle(self, entry: Entry, standing: Standing, failure: Failure) -> None:
        self._write(_INSERT_FAILURE, _failure_row(entry, failure, at=self._wall(), final=True))
        self._write(_SETTLE_URL, (int(standing), False, entry.seq))

    def postpone(self, entry: Entry, failure: Failure, until: float) -> None:
        self._write(_INSERT_FAILURE, _failure_row(entry, failure, at=self._wall(), final=False))
        self._write("UPDATE urls SET tries = tries + 1, retry_at = ? WHERE seq = ?", (until, entry.seq))

    def keep_robots(self, record: RobotsRecord) -> None:
        self._write(_REPLACE_ROBOTS, (record.origin, record.status, storable(record.text), record.fetched_at))

    def set_delay(self, host: int, delay: float) -> None:
        self._write("UPDATE hosts SET delay = ? WHERE number = ?", (delay, host))

    def label(self, seq: int, relevant: bool) -> None:
        with self._errors:
            insert_label(self._db, seq, relevant, at=self._wall())

    def rejudge(self, step: int, judgement: Judgement) -> None:
        why = write_why(judgement.why)
        self._write(_REJUDGE, (judgement.score, judgement.relevant, judgement.judge, why, step))

    def save_strategy(self, step: int, state: State) -> None:
        with self._errors:
            insert_state(self._db, step, state)

    def save_ranking(self, ranking: Ranking) -> None:
        with self._errors:
            insert_ranking(self._db, ranking)

    def note(self, name: str, value: object) -> None:
        self._write("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, write_json(value)))

    def _write(self, statement: str, *rows: _Row) -> None:
        """Execute a statement for each row."""
        try:
            self._db.executemany(statement, rows)
        except sqlite3.Error as error:
            self._errors.translate(error)
            raise

    def _archive_reply(self, visit: NewVisit, kind: VisitKind, digest: str) -> Place | None:
        """Archive the reply, if it is one to be archived: with where it was found and how it was judged."""
        entry, judgement = visit.entry, visit.judgement
        if self._keep == "relevant" and not (judgement is not None and judgement.relevant):
            return None
        about: dict[str, object] = {
            "step": visit.step,
            "kind": kind,
            "depth": entry.depth,
            "parent": None,
            "anchor": storable(entry.anchor),
            "strategy": self._strategy,
            "priority": {"tier": entry.priority.tier, "score": entry.priority.score, "why": entry.why},
        }
        if judgement is not None:
            about |= {"score": judgement.score, "relevant": judgement.relevant, "judge": judgement.judge}
        try:
            if entry.parent is not None:
                query = "SELECT url FROM urls WHERE seq = ?"
                (about["parent"],) = self._db.execute(query, (entry.parent,)).fetchone()
            return self._archive.write(visit.reply, digest=digest, unchanged=kind == "unchanged", about=about)
        except (OSError, sqlite3.Error) as error:
            self._errors.translate(error)
            raise


def _visit_row(visit: NewVisit, kind: VisitKind, digest: str, place: Place | None) -> _Row:
    """Return the row of a visit in the columns of ``_INSERT_VISIT``."""
    reply, entry, page, judgement = visit.reply, visit.entry, visit.page or _NO_PAGE, visit.judgement
    return (
        visit.step,
        entry.seq,
        kind,
        reply.status,
        None if reply.final_url == entry.url else reply.final_url,
        reply.requested_at,
        reply.took,
        len(reply.body),
        storable(reply.header("content-type")),
        reply.truncated,
        returnable(reply.header("etag")),
        returnable(reply.header("last-modified")),
        digest,
        (page.fingerprint ^ _SIGN) - _SIGN,  # as a signed number: SQLite has no others
        storable(page.title),
        page.language,
        page.noindex,
        *(
            (None, False, "", None)
            if judgement is None
            else (judgement.score, judgement.relevant, judgement.judge, write_why(judgement.why))
        ),
        entry.priority.tier,
        entry.priority.score,
        write_why(entry.why),
        entry.memo or None,
        *((None, None, None) if place is None else (place.file, place.offset, place.length)),
    )


def _failure_row(entry: Entry, failure: Failure, *, at: float, final: bool) -> _Row:
    """Return the row of a failed attempt in the columns of ``_INSERT_FAILURE``."""
    return (
        entry.seq,
        failure.kind,
        storable(failure.detail),
        at,
        final,
        entry.priority.tier,
        entry.priority.score,
        write_why(entry.why),
    )
