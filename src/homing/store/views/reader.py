"""A crawl as its readers see it: reports, exports, explanations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from homing import urls
from homing.model import Entry, Failure, Priority, Reply, RobotsRecord, Standing, State
from homing.store.archive.reading import read_reply
from homing.store.catalog.graph_store import select_links, select_targets
from homing.store.catalog.labels import Label, select_labels
from homing.store.catalog.ranking import select_ranking
from homing.store.catalog.rows import read_why, select_entry, unpack_seqs
from homing.store.catalog.strategy_state import select_state
from homing.store.catalog.totals import count_all, count_queued
from homing.store.views.backlinks import CatalogBacklinks
from homing.store.views.base import PORTION, ReaderBase
from homing.store.views.page_row import SCORE, SELECT_ROWS, PageRow, row_of

_ONE = f"{SELECT_ROWS} WHERE v.id = ?"
_IN_ORDER = f"{SELECT_ROWS} WHERE v.id > ? AND v.kind = 'page' ORDER BY v.id LIMIT ?"
_UNJUDGED = f"{SELECT_ROWS} WHERE v.id > ? AND v.kind = 'page' AND v.score IS NULL ORDER BY v.id LIMIT ?"
_BEST_FIRST = f"""{SELECT_ROWS}
    WHERE v.kind = 'page' AND v.relevant >= ? AND v.score <= ? AND (v.score < ? OR v.id > ?)
    ORDER BY v.score DESC, v.id LIMIT ?"""

LONGEST_ROBOTS = 1024 * 1024
"""Letters of a robots.txt, twice as many as are read of one. A longer one is not ours, and is fetched again:
half a rule is another rule."""

_LAST_FAILURE = """
    SELECT tier, priority, priority_why FROM failures WHERE seq = ? AND final ORDER BY id DESC LIMIT 1
"""


class Reader(ReaderBase):
    """The pages, URLs, links and figures of a crawl."""

    # -- the crawl as a whole

    def figures(self) -> dict[str, object]:
        """Return the figures of ``homing report``. Only final responses count as fetched, and a URL once."""
        with self._errors:
            self._db.execute("BEGIN")  # all of them at one moment
            tally = count_all(self._db)
            frontier = count_queued(self._db)
            (size,) = self._db.execute("SELECT coalesce(sum(bytes), 0) FROM visits").fetchone()
            (hosts,) = self._db.execute("SELECT count(*) FROM hosts WHERE asked > 0").fetchone()
            facts = self._facts()
            self._db.execute("COMMIT")
        noted = facts.get("seconds", 0.0)
        seconds = float(noted) if isinstance(noted, int | float) else 0.0
        return {
            "fetched": tally.pages,
            "relevant": tally.relevant,
            "harvest_rate": tally.relevant / tally.pages if tally.pages else 0.0,
            "failed": dict(tally.failed),
            "cut": facts.get("cut", {}),
            "held_back": facts.get("held_back", {}),
            "redirects": tally.redirects,
            "frontier": frontier,
            "hosts": hosts,
            "bytes": size,
            "seconds": seconds,
            "pages_per_second": (tally.steps + tally.unchanged) / seconds if seconds else 0.0,
            "strategy": facts.get("strategy"),
            "judge": facts.get("judge"),
            "doubt": facts.get("doubt", ""),
            "stop_reason": facts.get("stop_reason"),
        }

    def strategy_state(self) -> State | None:
        """Return the last saved state of the strategy."""
        with self._errors:
            saved = select_state(self._db)
        return None if saved is None else saved[1]

    # -- pages

    def pages(self, *, relevant_only: bool = False, ranked: bool = False) -> Iterator[PageRow]:
        """Yield every page by its last visit, in order; relevant or ranked ones best first."""
        if relevant_only or ranked:
            yield from self._best_first(relevant_only=relevant_only)
        if not relevant_only:
            strategy = self._strategy()
            for rows in self._portions(_UNJUDGED if ranked else _IN_ORDER):
                yield from (row_of(row, strategy) for row in rows)

    def visit(self, seq: int) -> PageRow | None:
        """Return the last reply of a URL that had a content of its own, with its judgement."""
        with self._errors:
            number = self._db.execute("SELECT visit FROM urls WHERE seq = ?", (seq,)).fetchone()
            row = self._db.execute(_ONE, number).fetchone() if number else None
        return None if row is None else row_of(row, self._strategy())

    def reply(self, row: PageRow) -> Reply | None:
        """Return the archived reply; ``None`` where the body was not kept. A damaged one is an error."""
        if row.warc_file is None or row.warc_offset is None:
            return None
        return read_reply(self._layout.warc / row.warc_file, row.warc_offset, row.url)

    def labels(self) -> list[Label]:
        """Return people's labels, in the order in which their pages were discovered."""
        with self._errors:
            return select_labels(self._db)

    def backlinks(self, also: Iterable[str] = ()) -> CatalogBacklinks:
        """Return the links between the pages of the crawl, and those to these URLs if it has found them."""
        others = [entry for url in also if (entry := self.find(url))]
        with self._errors:
            rows = self._db.execute("SELECT seq, url FROM urls WHERE visit IS NOT NULL").fetchall()
            sources, targets = select_links(self._db)
        return CatalogBacklinks({**{each.seq: each.url for each in others}, **dict(rows)}, sources, targets)

    # -- URLs

    def find(self, url_or_key: str | int) -> Entry | None:
        """Return a known URL, with the priority it was taken with or is queued with."""
        if isinstance(url_or_key, str):
            url_or_key = urls.key(urls.canonical(url_or_key) or url_or_key)
        with self._errors:
            found = self._db.execute("SELECT seq FROM urls WHERE key = ?", (url_or_key,)).fetchone()
        return None if found is None else self.entry(found[0])

    def entry(self, seq: int) -> Entry:
        """Return a known URL by its number."""
        with self._errors:
            entry = select_entry(self._db, seq)
            query = "SELECT standing, visit FROM urls WHERE seq = ?"
            standing, visit = self._db.execute(query, (seq,)).fetchone()
            if standing == Standing.WAITING:
                return self._as_ranked(entry)
            taken = self._taken_with(seq, visit)
        if taken is None:
            return entry
        tier, score, why = taken
        return replace(entry, priority=Priority(tier=tier, score=score), why=read_why(why))

    def standing(self, seq: int) -> Standing:
        with self._errors:
            row = self._db.execute("SELECT standing FROM urls WHERE seq = ?", (seq,)).fetchone()
        if row is None:
            raise KeyError(seq)
        return Standing(row[0])

    def way(self, seq: int) -> list[Entry]:
        """Return the way from the seed to this URL, each page found on the one before."""
        way = [self.entry(seq)]
        seen = {seq}
        # A parent is fetched before its child; a damaged file must not make this endless.
        while (parent := way[-1].parent) is not None and parent not in seen:
            seen.add(parent)
            way.append(self.entry(parent))
        return way[::-1]

    def failure(self, seq: int) -> Failure | None:
        """Return the last failed attempt at a URL."""
        with self._errors:
            row = self._db.execute(
                "SELECT url, f.kind, detail FROM failures f JOIN urls USING (seq)"
                " WHERE seq = ? ORDER BY f.id DESC LIMIT 1",
                (seq,),
            ).fetchone()
        return None if row is None else Failure(url=row[0], kind=row[1], detail=row[2])

    def targets(self, seq: int) -> list[str]:
        """Return where a page or a redirect leads."""
        with self._errors:
            query = "SELECT url FROM urls WHERE seq = ?"
            return [
                self._db.execute(query, (target,)).fetchone()[0] for target in select_targets(self._db, seq)
            ]

    def addresses(self) -> Iterator[tuple[int, str]]:
        """Yield (seq, URL) of everything known."""
        for rows in self._portions("SELECT seq, url FROM urls WHERE seq > ? ORDER BY seq LIMIT ?"):
            yield from rows

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield (from, to) of every link, both ``seq``."""
        for rows in self._portions("SELECT seq, targets FROM links WHERE seq > ? ORDER BY seq LIMIT ?"):
            for seq, packed in rows:
                yield from ((seq, target) for target in unpack_seqs(packed).tolist())

    def robots_record(self, origin: str) -> RobotsRecord | None:
        """Return the last robots.txt of an origin."""
        with self._errors:
            row = self._db.execute(
                "SELECT status, text, fetched_at FROM robots WHERE origin = ? AND length(text) <= ?",
                (origin, LONGEST_ROBOTS),
            ).fetchone()
        if row is None:
            return None
        return RobotsRecord(origin=origin, status=row[0], text=row[1], fetched_at=row[2])

    # -- within

    def _as_ranked(self, entry: Entry) -> Entry:
        """Return a queued URL as the re-ranks had left it when the crawl was stopped."""
        ranking = select_ranking(self._db)
        if ranking is None or entry.key not in ranking.keys:
            return entry
        row = int((ranking.keys == entry.key).argmax())
        priority = Priority(tier=int(ranking.tiers[row]), score=float(ranking.scores[row]))
        return replace(entry, priority=priority, why=ranking.why(row) or entry.why)

    def _taken_with(self, seq: int, visit: int | None) -> tuple[int, float, str | None] | None:
        """Return the priority that a finished URL has spent: of its visit, or of its final failure."""
        if visit is not None:
            query, number = "SELECT tier, priority, priority_why FROM visits WHERE id = ?", visit
        else:
            query, number = _LAST_FAILURE, seq
        row = self._db.execute(query, (number,)).fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def _best_first(self, *, relevant_only: bool) -> Iterator[PageRow]:
        strategy, score, last = self._strategy(), math.inf, -1
        while True:
            with self._errors:
                rows = self._db.execute(_BEST_FIRST, (relevant_only, score, score, last, PORTION)).fetchall()
            if not rows:
                return
            yield from (row_of(row, strategy) for row in rows)
            last, score = rows[-1][0], rows[-1][SCORE]
