"""The catalog: everything a crawl knows, in one SQLite file, written by one connection.

Whatever a visit changes goes into one open transaction. ``commit`` first brings the WARC records to the
disk and then closes the transaction, so that the catalog never points at a reply that is not there.
After a kill the catalog stands at the last commit, and the archive is cut back to it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Literal, cast

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from homing.model import (
    Entry,
    Failure,
    Host,
    Judgement,
    Known,
    Page,
    Ranking,
    Reply,
    RobotsRecord,
    Standing,
    State,
    Tally,
)
from homing.store.archive.warc import Archive, Place
from homing.store.catalog import waking as recall
from homing.store.catalog.database import PlainWords
from homing.store.catalog.labels import insert_label, select_labels
from homing.store.catalog.ranking import delete_ranking, insert_ranking, select_ranking
from homing.store.catalog.rows import (
    SELECT_ENTRY,
    entry_of,
    pack_seqs,
    storable,
    unpack_seqs,
    visit_kind,
    write_json,
    write_why,
)
from homing.store.catalog.strategy_state import insert_state, select_state
from homing.store.catalog.visits import Arrival, insert_failure, judged_since
from homing.store.lock import Lock

Keep = Literal["all", "relevant"]

_INSERT_URL = """
    INSERT INTO urls (seq, key, host, tier, score, depth, parent, hops, tries, kind, url, anchor, memo, why)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPDATE_URL = """
    UPDATE urls SET tier = ?, score = ?, memo = ?, why = ?, anchor = ?, depth = min(depth, ?),
        parent = iif(parent IS NULL, NULL, ?)  -- where a crawl begins is not told by who links there
    WHERE seq = ?
"""
# A URL that is finished has spent its priority and memo; the visit or failure remembers them.
_SETTLE_URL = """
    UPDATE urls SET standing = ?, visit = coalesce(?, visit),
        tier = 0, score = 0, memo = NULL, why = NULL, tries = 0, retry_at = NULL
    WHERE seq = ?
"""
_REJUDGE = "UPDATE visits SET score = ?, relevant = ?, judge = ?, why = ? WHERE step = ? AND kind = 'page'"
_COUNT_PAGE = "UPDATE hosts SET asked = asked + 1 WHERE number = (SELECT host FROM urls WHERE seq = ?)"


class Catalog:
    """A crawl on disk: a ``ports.Store``. ``folder.open_catalog`` makes one.

    The engine calls it from one thread at a time. ``close`` drops what was not committed, because half
    a visit must never be kept.

    Parameters
    ----------
    db, path
        A writer's connection to a catalog of the present schema, and where that lies.
    archive
        The WARC files that belong to it.
    lock
        The lock on the crawl folder; released by ``close``.
    strategy, judge
        Their names, for reports and for the metadata records.
    keep
        ``relevant``: only bodies of relevant pages are archived.
    wall
        Tells the seconds since 1970.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        path: Path,
        archive: Archive,
        lock: Lock,
        *,
        strategy: str,
        judge: str,
        keep: Keep,
        wall: Callable[[], float],
    ) -> None:
        self._db = db
        self._archive = archive
        self._lock = lock
        self._strategy = strategy
        self._keep = keep
        self._wall = wall
        self._words = PlainWords(path)
        with self._words:
            self._db.execute("BEGIN IMMEDIATE")
        self.note("strategy", strategy)
        self.note("judge", judge)
        self.commit()

    # -- waking up

    def known(self) -> Known:
        with self._words:
            return recall.known(self._db, self._words.path)

    def hosts(self) -> list[Host]:
        with self._words:
            return recall.hosts(self._db)

    def delayed(self) -> list[tuple[int, float]]:
        with self._words:
            return recall.delayed(self._db, self._wall())

    def roots(self) -> list[str]:
        with self._words:
            return recall.roots(self._db)

    def tally(self) -> Tally:
        with self._words:
            return recall.tally(self._db)

    def fact(self, name: str) -> object:
        with self._words:
            return cast("object", recall.fact(self._db, name))

    def strategy_state(self) -> tuple[int, State] | None:
        with self._words:
            return select_state(self._db)

    def ranking(self) -> Ranking | None:
        with self._words:
            ranking = select_ranking(self._db)
            delete_ranking(self._db)
        return ranking

    def visits_since(self, step: int) -> Iterator[tuple[int, Entry, Reply, Judgement]]:
        with self._words:
            self._archive.spill()
            for visit in judged_since(self._db, step):
                entry = replace(
                    self.entry(visit.seq), priority=visit.priority, why=visit.why, memo=visit.memo
                )
                yield visit.step, entry, self._archive.read(visit.file, visit.offset), visit.judgement

    def answers(self) -> Iterator[tuple[str, int, int | None]]:
        with self._words:
            yield from recall.answers(self._db)

    # -- one visit

    def entry(self, seq: int) -> Entry:
        with self._words:
            row = self._db.execute(SELECT_ENTRY, (seq,)).fetchone()
            if row is None:
                raise KeyError(seq)
            visit = row[-1]
            if visit is None:
                return entry_of(row)
            validators = self._db.execute("SELECT etag, last_modified FROM visits WHERE id = ?", (visit,))
            return entry_of(row, validators.fetchone())

    def add_hosts(self, hosts: Sequence[Host]) -> None:
        with self._words:
            self._db.executemany(
                "INSERT INTO hosts (number, name, delay, asked) VALUES (?, ?, ?, ?)",
                [(host.number, host.name, host.delay, host.asked) for host in hosts],
            )

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
        with self._words:
            self._db.executemany(_INSERT_URL, rows)

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
        with self._words:
            self._db.executemany(_UPDATE_URL, rows)
            if revisits:
                again = [(int(Standing.WAITING), seq) for seq in revisits]
                self._db.executemany("UPDATE urls SET standing = ? WHERE seq = ?", again)

    def keep(
        self,
        reply: Reply,
        entry: Entry,
        *,
        step: int,
        page: Page | None,
        judgement: Judgement | None,
        standing: Standing,
    ) -> None:
        kind = visit_kind(entry, reply.status, standing)
        arrival = Arrival(reply=reply, entry=entry, step=step, kind=kind, page=page, judgement=judgement)
        digest = arrival.digest
        with self._words:
            place = self._put_away(arrival, digest)
            visit = arrival.insert(self._db, digest, place)
            # "Not modified" says nothing new: the visit before still tells title, score and validators.
            content = None if kind == "unchanged" else visit
            self._db.execute(_SETTLE_URL, (int(standing), content, entry.seq))
            if kind == "page":
                self._db.execute(_COUNT_PAGE, (entry.seq,))

    def link(self, seq: int, targets: Sequence[int]) -> None:
        with self._words:
            self._db.execute(
                "INSERT OR REPLACE INTO links (seq, targets) VALUES (?, ?)", (seq, pack_seqs(targets))
            )

    def targets(self, seq: int) -> Sequence[int]:
        with self._words:
            row = self._db.execute("SELECT targets FROM links WHERE seq = ?", (seq,)).fetchone()
        return () if row is None else unpack_seqs(row[0]).tolist()

    def settle(self, entry: Entry, standing: Standing, failure: Failure) -> None:
        with self._words:
            insert_failure(self._db, entry, failure, at=self._wall(), final=True)
            self._db.execute(_SETTLE_URL, (int(standing), None, entry.seq))

    def postpone(self, entry: Entry, failure: Failure, until: float) -> None:
        with self._words:
            insert_failure(self._db, entry, failure, at=self._wall(), final=False)
            self._db.execute(
                "UPDATE urls SET tries = tries + 1, retry_at = ? WHERE seq = ?", (until, entry.seq)
            )

    def keep_robots(self, record: RobotsRecord) -> None:
        with self._words:
            self._db.execute(
                "INSERT OR REPLACE INTO robots (origin, status, text, fetched_at) VALUES (?, ?, ?, ?)",
                (record.origin, record.status, storable(record.text), record.fetched_at),
            )

    def set_delay(self, host: int, delay: float) -> None:
        with self._words:
            self._db.execute("UPDATE hosts SET delay = ? WHERE number = ?", (delay, host))

    def label(self, seq: int, relevant: bool) -> None:
        """A person says whether a page is on the topic; it replaces what was said before."""
        with self._words:
            insert_label(self._db, seq, relevant, at=self._wall())

    def labels(self) -> dict[int, bool]:
        with self._words:
            return {label.seq: label.relevant for label in select_labels(self._db)}

    def rejudge(self, step: int, judgement: Judgement) -> None:
        row = (judgement.score, judgement.relevant, judgement.judge, write_why(judgement.why), step)
        with self._words:
            self._db.execute(_REJUDGE, row)

    def save_strategy(self, step: int, state: State) -> None:
        with self._words:
            insert_state(self._db, step, state)

    def save_ranking(self, ranking: Ranking) -> None:
        with self._words:
            insert_ranking(self._db, ranking)

    def note(self, name: str, value: object) -> None:
        with self._words:
            self._db.execute(
                "INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, write_json(value))
            )

    # -- the graph

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        with self._words:
            return recall.links(self._db)

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        with self._words:
            return recall.judged(self._db)

    # -- the transaction

    def commit(self) -> None:
        with self._words:
            sizes = self._archive.flush()
            self._db.executemany("INSERT OR REPLACE INTO archive (file, size) VALUES (?, ?)", sizes.items())
            self._db.execute("COMMIT")
            self._db.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        try:
            self._db.close()  # rolls back what is open
        finally:
            self._archive.close()
            self._lock.release()

    def _put_away(self, arrival: Arrival, digest: str) -> Place | None:
        """Archive the reply, if it is one to be archived."""
        if self._keep == "relevant" and not (arrival.judgement is not None and arrival.judgement.relevant):
            return None
        parent = None
        if arrival.entry.parent is not None:
            query = "SELECT url FROM urls WHERE seq = ?"
            parent = self._db.execute(query, (arrival.entry.parent,)).fetchone()[0]
        about = arrival.metadata(parent=parent, strategy=self._strategy)
        unchanged = arrival.kind == "unchanged"
        return self._archive.write(arrival.reply, digest=digest, unchanged=unchanged, about=about)
