"""Totals of a crawl so far: hosts, queued URLs, fetched pages, failed URLs. For resuming, and for views."""

from __future__ import annotations

import sqlite3

from homing.model import Host, Standing, Tally

# A URL counts once, by its last failure, and not if it was queued again since.
_FAILED = """
    SELECT last.kind, count(*) AS n
    FROM (SELECT seq, kind, max(id) FROM failures WHERE final GROUP BY seq) AS last JOIN urls USING (seq)
    WHERE standing IN (?, ?)
    GROUP BY last.kind ORDER BY n DESC, last.kind
"""

# A URL counts once, as what its last reply with a content of its own was. Its row in ``urls`` names that one,
# but a million rows are looked up more slowly than this groups the visits.
_FETCHED = """
    SELECT coalesce(sum(kind = 'page'), 0), coalesce(sum(kind = 'page' AND relevant), 0),
        coalesce(sum(steps), 0), coalesce(sum(unchanged), 0), coalesce(sum(redirects), 0)
    FROM (
        SELECT kind, relevant, max(iif(kind = 'unchanged', 0, id)), sum(kind = 'page') AS steps,
            sum(kind = 'unchanged') AS unchanged, sum(kind = 'redirect') AS redirects
        FROM visits WHERE kind <> 'lost' GROUP BY seq
    )
"""


def select_hosts(db: sqlite3.Connection) -> list[Host]:
    """Return every host in order of its number."""
    rows = db.execute("SELECT number, name, delay, asked FROM hosts ORDER BY number").fetchall()
    return [Host(number=number, name=name, delay=delay, pages=pages) for number, name, delay, pages in rows]


def count_queued(db: sqlite3.Connection) -> int:
    """Count the URLs in the frontier: all that are known but for those that are settled."""
    known = "SELECT coalesce(max(seq) + 1, 0) FROM urls"
    settled = "SELECT count(*) FROM urls WHERE standing <> 0"
    return int(db.execute(f"SELECT ({known}) - ({settled})").fetchone()[0])


def count_all(db: sqlite3.Connection) -> Tally:
    """Count what was fetched and what was abandoned."""
    pages, relevant, steps, unchanged, redirects = db.execute(_FETCHED).fetchone()
    return Tally(
        pages=pages,
        relevant=relevant,
        steps=steps,
        unchanged=unchanged,
        redirects=redirects,
        failed=count_failed(db),
    )


def count_failed(db: sqlite3.Connection) -> dict[str, int]:
    """Count the abandoned URLs by kind of failure, the most frequent first."""
    return dict(db.execute(_FAILED, (int(Standing.FAILED), int(Standing.REFUSED))).fetchall())
