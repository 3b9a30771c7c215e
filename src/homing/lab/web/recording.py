"""Write recorded webs, and parse them again when the parser of Homing has changed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import orjson

from homing.errors import FolderError, UsageError
from homing.lab.web.parsing import parser_digest
from homing.lab.web.recorded import FILE, FORMAT, RecordedWeb
from homing.lab.web.writer import SCHEMA, Writer
from homing.lab.workers import ended_like_ctrl_c
from homing.records import Record
from homing.store.catalog.database import ErrorTranslator

_DRAFT = f"{FILE}.part"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """Figures of a recorded web."""

    replies: int
    pages: int
    links: int
    """Links from one recorded page to another."""
    outside: int
    """Links to URLs that were not recorded."""
    hosts: int
    labels: int
    """Number of different labels."""
    skipped: int
    """Replies of URLs that were recorded already, or that are not http(s) URLs."""
    size: int
    """Bytes on disk."""


def record(
    records: Iterable[Record],
    folder: Path,
    *,
    source: str = "",
    cut: str = "",
    processes: int | None = None,
) -> Recorded:
    """Create a recorded web from these replies.

    Of several replies for one URL the first counts, unless it was an error and a later one is not. The folder
    appears with a complete web in it or not at all; to keep the good part of a source that breaks off, end
    ``records`` there.

    Parameters
    ----------
    source
        Where the records come from; it is stored.
    cut
        Regular expression; its matches are removed from every body, such as a line that names the label.
    processes
        Number of processes that parse pages. Default: one per core.
    """
    pattern = _pattern(cut)
    with ended_like_ctrl_c(), _place_for(folder), _draft(folder / FILE) as db:
        writer = Writer(db, cut=pattern, processes=processes)
        facts = writer.write(records)
        if not facts["replies"]:
            raise UsageError("nothing was recorded: there is no reply of a web server in what was named")
        _write_facts(db, {"source": source, "cut": cut, **facts})
    return recorded(folder)


def refresh(folder: Path, *, processes: int | None = None) -> bool:
    """Parse a recorded web again if the parser has changed; return whether it has.

    The web is replaced only when all of it is parsed.
    """
    with RecordedWeb(folder) as web:
        facts = web.facts
        if facts.get("parser") == parser_digest():
            return False
        with _draft(folder / FILE) as db:
            parsed = Writer(db, processes=processes).write(_recorded_before(web))
            kept = {name: facts[name] for name in ("source", "cut", "skipped")}
            _write_facts(db, parsed | kept)
    return True


def recorded(folder: Path) -> Recorded:
    """Return the figures of a recorded web."""
    with RecordedWeb(folder) as web:
        facts = web.facts
    names = set(Recorded.__dataclass_fields__) - {"size"}
    counts = msgspec.convert({name: facts[name] for name in names}, dict[str, int])
    return Recorded(**counts, size=(folder / FILE).stat().st_size)


def _recorded_before(web: RecordedWeb) -> Iterator[Record]:
    """Yield the records, without the redirects that recording added: other links may need others."""
    made = msgspec.convert(web.facts.get("made", 0), int)
    for url in list(web)[: len(web) - made]:
        reply = web.reply(url, with_body=True)
        assert reply is not None
        yield Record(reply=reply, labels=web.labels.get(url, ()))


def _pattern(cut: str) -> re.Pattern[bytes] | None:
    try:
        return re.compile(cut.encode(), re.DOTALL) if cut else None
    except re.error as error:
        raise UsageError(f"--cut is no regular expression: {error}") from None


@contextmanager
def _place_for(folder: Path) -> Iterator[None]:
    """Create a folder for a web; remove it again if nothing was recorded."""
    if (folder / FILE).exists():
        raise FolderError(f"{folder} holds a recorded web already; choose another --out")
    if folder.exists() and not (folder.is_dir() and {each.name for each in folder.iterdir()} <= {_DRAFT}):
        raise FolderError(f"{folder} is there already and is no empty folder; choose another --out")
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make {folder}: {error.strerror}; choose another --out") from None
    try:
        yield
    except BaseException:
        if is_new:
            with suppress(OSError):  # another program has created it meanwhile
                folder.rmdir()
        raise


@contextmanager
def _draft(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a draft of the database, which replaces an older one when the block ends without an error."""
    draft = path.with_name(_DRAFT)
    try:
        with ErrorTranslator(draft):
            draft.unlink(missing_ok=True)
            db = sqlite3.connect(draft, isolation_level=None)
            try:
                # A draft is never resumed, so it needs no journal.
                db.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {SCHEMA} BEGIN;")
                yield db
                db.execute("COMMIT")
            finally:
                db.close()
            draft.replace(path)
    finally:
        with suppress(OSError):  # it was moved into place, or never created
            draft.unlink()


def _write_facts(db: sqlite3.Connection, facts: dict[str, object]) -> None:
    facts = {"format": FORMAT, "parser": parser_digest(), **facts}
    rows = ((name, orjson.dumps(value)) for name, value in facts.items())
    db.executemany("INSERT INTO facts VALUES (?, ?)", rows)
