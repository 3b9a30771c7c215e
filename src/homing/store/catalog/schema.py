"""The tables of ``crawl.db``, their version, and the migrations from older versions.

``SCHEMA`` is the present form in full. A change of it raises ``VERSION`` and appends to ``MIGRATIONS`` the
statements that turn the previous form into the new one.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from homing.errors import DamagedError

APPLICATION_ID = 0x486F6D65
"""``Home`` in ASCII, at byte 68 of the file: distinguishes our database from any other."""

VERSION = 4

DRAFT = ".new"
"""How the name of a catalog ends while it is being created."""

SCHEMA = """
-- A host's number is its place in order of discovery.
CREATE TABLE hosts (
    number  INTEGER PRIMARY KEY,
    name    TEXT    NOT NULL,
    delay   REAL,                         -- Crawl-delay of its robots.txt
    asked   INTEGER NOT NULL DEFAULT 0    -- pages it has given
);

-- Every known URL. What a resumed crawl reads stands first in the row, so that reading it back does
-- not walk over the long columns. There is no index on key: at a million URLs its sixty random leaves a
-- page were measured at 0.4 ms, more than the rows themselves, and a reader's scan for one URL at 0.1 s.
CREATE TABLE urls (
    seq       INTEGER PRIMARY KEY,        -- number in order of discovery, from 0 without gaps
    key       INTEGER NOT NULL,           -- urls.key(url), signed
    host      INTEGER NOT NULL,           -- hosts.number
    standing  INTEGER NOT NULL DEFAULT 0, -- model.Standing
    tier      INTEGER NOT NULL,
    score     REAL    NOT NULL,
    depth     INTEGER NOT NULL,
    parent    INTEGER,                    -- seq of the page it was found on
    hops      INTEGER NOT NULL,
    tries     INTEGER NOT NULL,
    retry_at  REAL,                       -- not to be requested before, in seconds since 1970
    visit     INTEGER,                    -- visits.id of the last reply that had a content of its own
    kind      TEXT    NOT NULL,           -- page | sitemap
    url       TEXT    NOT NULL,
    anchor    TEXT    NOT NULL,
    memo      BLOB,
    why       TEXT                        -- JSON [[name, value], ...]
);
-- Partial: a new URL, sixty times a page, touches neither of them.
CREATE INDEX urls_settled ON urls (standing) WHERE standing <> 0;
CREATE INDEX urls_delayed ON urls (retry_at) WHERE retry_at IS NOT NULL;

-- One row a kept reply, in order of arrival.
CREATE TABLE visits (
    id            INTEGER PRIMARY KEY,
    step          INTEGER NOT NULL,       -- counts pages; others have the step of the last page
    seq           INTEGER NOT NULL,       -- urls.seq
    kind          TEXT    NOT NULL,       -- page | redirect | sitemap | unchanged | lost (see mend.py)
    status        INTEGER NOT NULL,
    final_url     TEXT,                   -- where it is not the requested URL
    asked_at      REAL    NOT NULL,
    took          REAL    NOT NULL,
    bytes         INTEGER NOT NULL,
    content_type  TEXT    NOT NULL,
    truncated     TEXT    NOT NULL,
    etag          TEXT    NOT NULL,
    last_modified TEXT    NOT NULL,
    digest        TEXT    NOT NULL,
    fingerprint   INTEGER NOT NULL,       -- signed
    title         TEXT    NOT NULL,
    language      TEXT    NOT NULL,
    noindex       INTEGER NOT NULL,
    score         REAL,                   -- the judgement; null where there was none
    relevant      INTEGER NOT NULL,
    judge         TEXT    NOT NULL,
    why           TEXT,
    tier          INTEGER NOT NULL,       -- the priority the URL was taken with
    priority      REAL    NOT NULL,
    priority_why  TEXT,
    memo          BLOB,
    warc_file     INTEGER,                -- number of the file; null where the body was not archived
    warc_offset   INTEGER,
    warc_length   INTEGER                 -- of the response record
);
CREATE INDEX visits_step ON visits (step);
CREATE INDEX visits_best ON visits (score DESC, id) WHERE kind = 'page';

-- The links of a page as its last visit showed them: one packed array of little-endian uint32, because
-- sixty rows a page would cost more than everything else together.
CREATE TABLE links (
    seq      INTEGER PRIMARY KEY,         -- the page
    targets  BLOB    NOT NULL             -- seq of every URL it links to
);

CREATE TABLE failures (
    id            INTEGER PRIMARY KEY,
    seq           INTEGER NOT NULL,
    kind          TEXT    NOT NULL,
    detail        TEXT    NOT NULL,
    at            REAL    NOT NULL,
    final         INTEGER NOT NULL,       -- 0: it was tried again
    tier          INTEGER NOT NULL,
    priority      REAL    NOT NULL,
    priority_why  TEXT
);
CREATE INDEX failures_seq ON failures (seq);

-- What people say of pages, whatever the judge thought. The last word counts.
CREATE TABLE labels (
    seq       INTEGER PRIMARY KEY,        -- urls.seq
    relevant  INTEGER NOT NULL,           -- 1: it is on the topic; 0: it is not
    at        REAL    NOT NULL            -- in seconds since 1970
);

CREATE TABLE robots (
    origin      TEXT PRIMARY KEY,
    status      INTEGER NOT NULL,
    text        TEXT    NOT NULL,
    fetched_at  REAL    NOT NULL
);

-- How much of each WARC file is true; what lies behind was written by a run that did not commit it.
CREATE TABLE archive (
    file  INTEGER PRIMARY KEY,
    size  INTEGER NOT NULL
);

-- One row: the priorities a re-rank had given when the crawl was stopped, as packed arrays. They live in
-- memory while it runs, because to rewrite a million rows at every re-rank would take a minute.
CREATE TABLE ranking (
    id      INTEGER PRIMARY KEY CHECK (id = 0),
    keys    BLOB NOT NULL,                -- little-endian int64
    tiers   BLOB NOT NULL,                -- int32
    scores  BLOB NOT NULL                 -- float64
);

-- What these priorities are made of: each part with its numbers in the same order, NaN where a URL has none.
CREATE TABLE ranking_parts (
    name    TEXT PRIMARY KEY,
    numbers BLOB NOT NULL                 -- float64
);

-- The state of the strategy when it was last saved: JSON, a megabyte a row, at its place in the whole.
CREATE TABLE strategy_state (
    place  INTEGER PRIMARY KEY,
    text   BLOB NOT NULL
);

-- The crawl as a whole: strategy, judge, seconds, stop_reason, ... as JSON.
CREATE TABLE facts (
    name   TEXT PRIMARY KEY,
    value  TEXT NOT NULL
);
"""

MIGRATIONS: Sequence[str] = (
    "CREATE TABLE labels (seq INTEGER PRIMARY KEY, relevant INTEGER NOT NULL, at REAL NOT NULL)",
    "CREATE TABLE ranking_parts (name TEXT PRIMARY KEY, numbers BLOB NOT NULL)",
    "CREATE TABLE strategy_state (place INTEGER PRIMARY KEY, text BLOB NOT NULL);"
    " INSERT INTO strategy_state SELECT 0, CAST(value AS BLOB) FROM facts WHERE name = 'strategy_state';"
    " DELETE FROM facts WHERE name = 'strategy_state'",
)
"""Statements that lead from version 1 to 2, from 2 to 3, and so on."""

_MAGIC = b"SQLite format 3\x00"


def create(path: Path) -> None:
    """Create an empty catalog. It appears under its name only once it is whole."""
    draft = path.with_name(path.name + DRAFT)
    draft.unlink(missing_ok=True)
    with closing(sqlite3.connect(draft, isolation_level=None)) as db:
        db.executescript(f"""
            BEGIN;
            {SCHEMA}
            PRAGMA application_id = {APPLICATION_ID};
            PRAGMA user_version = {VERSION};
            COMMIT;
            PRAGMA journal_mode = WAL;
        """)
    os.replace(draft, path)


def recognise(path: Path) -> None:
    """Check that the file is one of our catalogs, by its first hundred bytes and without opening it."""
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise DamagedError(f"{path} is no SQLite database; restore it from a copy or choose another folder")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise DamagedError(f"{path} belongs to another program; choose another folder")


def migrate(db: sqlite3.Connection, path: Path, steps: Sequence[str] = MIGRATIONS) -> None:
    """Bring an older catalog to the present form, a transaction for each step."""
    newest = 1 + len(steps)
    version = version_of(db, path, newest)
    for number, statements in enumerate(steps[version - 1 :], start=version + 1):
        db.executescript(f"BEGIN IMMEDIATE; {statements}; PRAGMA user_version = {number}; COMMIT;")


def version_of(db: sqlite3.Connection, path: Path, newest: int = VERSION) -> int:
    """Return the version of a catalog; raise if this program cannot read it."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > newest:
        raise DamagedError(
            f"{path} was written by a newer Homing (schema {version}, this one knows {newest}); update Homing"
        )
    if version < 1:
        raise DamagedError(f"{path} has no schema version; restore it from a copy or choose another folder")
    return version
