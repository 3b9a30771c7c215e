"""What happens to one URL at a time, written to a catalog: ``ports.VisitStore``."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from homing.model import (
    Entry,
    Failure,
    Host,
    Judgement,
    Ranking,
    RobotsRecord,
    Standing,
    State,
)
from homing.store.archive.warc import Place
from homing.store.base import BaseVisitStore, NewVisit
from homing.store.catalog.base import CatalogBase
from homing.store.catalog.labels import insert_label
from homing.store.catalog.ranking import insert_ranking
from homing.store.catalog.rows import pack_seqs, select_entry, storable, write_json, write_why
from homing.store.catalog.strategy_state import insert_state
from homing.store.catalog.visits import insert_failure, insert_visit, metadata

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


class CatalogVisits(CatalogBase, BaseVisitStore):
    """Writes visits, links and failures into the open transaction."""

    def entry(self, seq: int) -> Entry:
        with self._errors:
            return select_entry(self._db, seq)

    def add_hosts(self, hosts: Sequence[Host]) -> None:
        with self._errors:
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
        with self._errors:
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
        with self._errors:
            self._db.executemany(_UPDATE_URL, rows)
            if revisits:
                again = [(int(Standing.WAITING), seq) for seq in revisits]
                self._db.executemany("UPDATE urls SET standing = ? WHERE seq = ?", again)

    def _keep_visit(self, visit: NewVisit, standing: Standing) -> None:
        digest = visit.digest
        with self._errors:
            place = self._put_away(visit, digest)
            number = insert_visit(self._db, visit, digest, place)
            # "Not modified" says nothing new: the visit before still tells title, score and validators.
            content = None if visit.kind == "unchanged" else number
            self._db.execute(_SETTLE_URL, (int(standing), content, visit.entry.seq))
            if visit.kind == "page":
                self._db.execute(_COUNT_PAGE, (visit.entry.seq,))

    def link(self, seq: int, targets: Sequence[int]) -> None:
        with self._errors:
            self._db.execute(
                "INSERT OR REPLACE INTO links (seq, targets) VALUES (?, ?)", (seq, pack_seqs(targets))
            )

    def settle(self, entry: Entry, standing: Standing, failure: Failure) -> None:
        with self._errors:
            insert_failure(self._db, entry, failure, at=self._wall(), final=True)
            self._db.execute(_SETTLE_URL, (int(standing), None, entry.seq))

    def postpone(self, entry: Entry, failure: Failure, until: float) -> None:
        with self._errors:
            insert_failure(self._db, entry, failure, at=self._wall(), final=False)
            self._db.execute(
                "UPDATE urls SET tries = tries + 1, retry_at = ? WHERE seq = ?", (until, entry.seq)
            )

    def keep_robots(self, record: RobotsRecord) -> None:
        with self._errors:
            self._db.execute(
                "INSERT OR REPLACE INTO robots (origin, status, text, fetched_at) VALUES (?, ?, ?, ?)",
                (record.origin, record.status, storable(record.text), record.fetched_at),
            )

    def set_delay(self, host: int, delay: float) -> None:
        with self._errors:
            self._db.execute("UPDATE hosts SET delay = ? WHERE number = ?", (delay, host))

    def label(self, seq: int, relevant: bool) -> None:
        """Keep what a person says of a page; it replaces what was said before."""
        with self._errors:
            insert_label(self._db, seq, relevant, at=self._wall())

    def rejudge(self, step: int, judgement: Judgement) -> None:
        row = (judgement.score, judgement.relevant, judgement.judge, write_why(judgement.why), step)
        with self._errors:
            self._db.execute(_REJUDGE, row)

    def save_strategy(self, step: int, state: State) -> None:
        with self._errors:
            insert_state(self._db, step, state)

    def save_ranking(self, ranking: Ranking) -> None:
        with self._errors:
            insert_ranking(self._db, ranking)

    def note(self, name: str, value: object) -> None:
        with self._errors:
            self._db.execute(
                "INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, write_json(value))
            )

    def commit(self) -> None:
        with self._errors:
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

    def _put_away(self, visit: NewVisit, digest: str) -> Place | None:
        """Archive the reply, if it is one to be archived."""
        if self._keep == "relevant" and not (visit.judgement is not None and visit.judgement.relevant):
            return None
        parent = None
        if visit.entry.parent is not None:
            query = "SELECT url FROM urls WHERE seq = ?"
            parent = self._db.execute(query, (visit.entry.parent,)).fetchone()[0]
        about = metadata(visit, parent=parent, strategy=self._strategy)
        unchanged = visit.kind == "unchanged"
        return self._archive.write(visit.reply, digest=digest, unchanged=unchanged, about=about)
