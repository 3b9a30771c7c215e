"""What a later run needs to resume a crawl: ``ports.ResumeStore``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import orjson
from msgspec.structs import replace

from homing.errors import BrokenStateError, DamagedError, DamagedRecordError
from homing.model import Entry, Host, Judgement, Known, Priority, Ranking, Reply, State, Tally
from homing.store.catalog.base import CatalogBase
from homing.store.catalog.labels import select_labels
from homing.store.catalog.ranking import delete_ranking, select_ranking, take_ranking
from homing.store.catalog.rows import read_why, select_entry
from homing.store.catalog.strategy_state import select_state, take_state
from homing.store.catalog.totals import count_all, select_hosts

_URLS, _VISITS = 10_000, 200
"""How many are read at a time."""

# Not later than the delay as it was set, counted from now: the clock may have been set back since.
_DELAYED = """
    SELECT seq, min(retry_at, :wall + retry_at - coalesce(
        (SELECT at FROM failures WHERE failures.seq = urls.seq ORDER BY id DESC LIMIT 1), :wall)) AS until
    FROM urls WHERE retry_at IS NOT NULL ORDER BY until, seq
"""

_SELECT_JUDGED = """
    SELECT step, seq, warc_file, warc_offset, tier, priority, priority_why, memo, score, relevant, judge, why
    FROM visits
    WHERE step > ? AND kind = 'page' AND score IS NOT NULL AND warc_file IS NOT NULL
    ORDER BY step LIMIT ?
"""


class CatalogResume(CatalogBase):
    """Reads the crawl back from the last commit."""

    def known(self) -> Known:
        """Return every known URL as parallel arrays; a million take little more than a second."""
        with self._errors:
            count = self._db.execute("SELECT coalesce(max(seq) + 1, 0) FROM urls").fetchone()[0]
            rows = self._db.execute("SELECT key, host, standing, tier, score FROM urls ORDER BY seq")
            table = np.empty(count, dtype="i8, i4, i1, i4, f8")
            filled = 0
            # In portions: a million tuples at once would keep the garbage collector busy for seconds.
            while portion := rows.fetchmany(_URLS):
                table[filled : filled + len(portion)] = portion
                filled += len(portion)
            if filled != count:
                path = self._errors.path
                raise DamagedError(f"{path} has lost {count - filled} URLs; restore it from a copy")
        keys, hosts, standings, tiers, scores = (table[name].copy() for name in table.dtype.names or ())
        return Known(keys=keys, hosts=hosts, standings=standings, tiers=tiers, scores=scores)

    def hosts(self) -> list[Host]:
        """Return every host in order of its number."""
        with self._errors:
            return select_hosts(self._db)

    def delayed(self) -> list[tuple[int, float]]:
        """Return (seq, seconds since 1970) of URLs not to be requested before that time, earliest first."""
        with self._errors:
            return self._db.execute(_DELAYED, {"wall": self._wall()}).fetchall()

    def roots(self) -> list[str]:
        """Return the URLs that were found on no page."""
        with self._errors:
            rows = self._db.execute("SELECT url FROM urls WHERE parent IS NULL ORDER BY seq")
            return [url for (url,) in rows]

    def tally(self) -> Tally:
        """Count what was fetched and what was abandoned."""
        with self._errors:
            return count_all(self._db)

    def fact(self, name: str) -> object:
        """Return what was noted under that name; ``None`` if nothing was."""
        with self._errors:
            row = self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
            value: object = None if row is None else orjson.loads(row[0])
        return value

    def labels(self) -> dict[int, bool]:
        """Return people's labels by ``seq``: whether the page is relevant."""
        with self._errors:
            return {label.seq: label.relevant for label in select_labels(self._db)}

    def strategy_state(self) -> tuple[int, State] | None:
        """Return the last saved state of the strategy and the step it was saved at."""
        with self._errors:
            return select_state(self._db)

    def set_state_aside(self) -> str:
        """Write the saved state to a file of its own, and forget it; return its name."""
        with self._errors:
            return str(take_state(self._db, self._errors.path.parent))

    def ranking(self) -> Ranking | None:
        """Return the saved ranking, and forget it."""
        with self._errors:
            try:
                ranking = select_ranking(self._db)
            except ValueError as error:
                aside = take_ranking(self._db, self._errors.path.parent)
                raise BrokenStateError(f"the saved ranking is damaged ({error}); it is now {aside}") from None
            delete_ranking(self._db)
        return ranking

    def visits_since(
        self, step: int, note: Callable[[str], None] = lambda trouble: None
    ) -> Iterator[tuple[int, Entry, Reply, Judgement]]:
        """Yield judged visits after that step whose body was archived, in order."""
        with self._errors:
            self._archive.spill()
            while rows := self._db.execute(_SELECT_JUDGED, (step, _VISITS)).fetchall():
                for step, seq, file, offset, tier, score, why, memo, *judged in rows:
                    known = select_entry(self._db, seq)
                    try:
                        reply = self._archive.read(file, offset, known.url)
                    except DamagedRecordError as error:
                        note(str(error))
                        continue
                    priority = Priority(tier=tier, score=score)
                    entry = replace(known, priority=priority, why=read_why(why), memo=memo or b"")
                    yield step, entry, reply, _judgement_of(*judged)

    def answers(self) -> Iterator[tuple[str, int, int | None]]:
        """Yield (URL, status, fingerprint) of every page in order; ``None`` where none was read.

        By its first visit: a page that was fetched again resembles itself, and is no trap for that.
        """
        with self._errors:
            rows = self._db.execute(
                "SELECT url, status, fingerprint, visits.score IS NULL, seq FROM visits JOIN urls USING (seq)"
                " WHERE visits.kind = 'page' ORDER BY id"
            )
            seen: set[int] = set()
            for url, status, fingerprint, unread, seq in rows:
                if seq not in seen:
                    seen.add(seq)
                    yield url, status, None if unread else fingerprint % (1 << 64)


def _judgement_of(score: float, relevant: int, judge: str, why: str | None) -> Judgement:
    return Judgement(score=score, relevant=bool(relevant), judge=judge, why=read_why(why))
