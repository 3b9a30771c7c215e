"""One visit in the database: its row in ``visits``, its metadata record, its failure."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from homing.model import Entry, Failure, Judgement, Page, Priority, Why
from homing.store.archive.warc import Place
from homing.store.base import NewVisit
from homing.store.catalog.rows import read_why, signed, storable, write_why

_NO_PAGE = Page(url="")
_PORTION = 200

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
_SELECT_JUDGED = """
    SELECT step, seq, tier, priority, priority_why, memo, score, relevant, judge, why, warc_file, warc_offset
    FROM visits
    WHERE step > ? AND kind = 'page' AND score IS NOT NULL AND warc_file IS NOT NULL
    ORDER BY step LIMIT ?
"""


def metadata(visit: NewVisit, *, parent: str | None, strategy: str) -> dict[str, object]:
    """Return what the WARC says beside the reply: where it was found, and how it was judged."""
    entry, judgement = visit.entry, visit.judgement
    about: dict[str, object] = {
        "step": visit.step,
        "kind": visit.kind,
        "depth": entry.depth,
        "parent": parent,
        "anchor": storable(entry.anchor),
        "strategy": strategy,
        "priority": {"tier": entry.priority.tier, "score": entry.priority.score, "why": entry.why},
    }
    if judgement is not None:
        about |= {"score": judgement.score, "relevant": judgement.relevant, "judge": judgement.judge}
    return about


def insert_visit(db: sqlite3.Connection, visit: NewVisit, digest: str, place: Place | None) -> int | None:
    """Write the row of a visit; return its id."""
    reply, entry, page, judgement = visit.reply, visit.entry, visit.page or _NO_PAGE, visit.judgement
    row = (
        visit.step,
        entry.seq,
        visit.kind,
        reply.status,
        None if reply.final_url == entry.url else reply.final_url,
        reply.asked_at,
        reply.took,
        len(reply.body),
        storable(reply.header("content-type")),
        reply.truncated,
        storable(reply.header("etag")),
        storable(reply.header("last-modified")),
        digest,
        signed(page.fingerprint),
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
    return db.execute(_INSERT_VISIT, row).lastrowid


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A judged and archived visit, read back: with the priority and memo its URL was taken with."""

    step: int
    seq: int
    priority: Priority
    why: Why
    memo: bytes
    judgement: Judgement
    file: int
    offset: int


def judged_since(db: sqlite3.Connection, step: int) -> Iterator[Judged]:
    """Yield judged and archived visits after that step, in order."""
    last = step
    while rows := db.execute(_SELECT_JUDGED, (last, _PORTION)).fetchall():
        for (
            number,
            seq,
            tier,
            priority,
            priority_why,
            memo,
            score,
            relevant,
            judge,
            why,
            file,
            offset,
        ) in rows:
            yield Judged(
                step=number,
                seq=seq,
                priority=Priority(tier=tier, score=priority),
                why=read_why(priority_why),
                memo=memo or b"",
                judgement=Judgement(score=score, relevant=bool(relevant), judge=judge, why=read_why(why)),
                file=file,
                offset=offset,
            )
            last = number


def insert_failure(db: sqlite3.Connection, entry: Entry, failure: Failure, *, at: float, final: bool) -> None:
    """Write down an attempt that failed; ``final`` if the URL is abandoned."""
    row = (
        entry.seq,
        failure.kind,
        storable(failure.detail),
        at,
        final,
        entry.priority.tier,
        entry.priority.score,
        write_why(entry.why),
    )
    db.execute(_INSERT_FAILURE, row)
