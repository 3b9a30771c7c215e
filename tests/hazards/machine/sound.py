"""Check a crawl folder: catalog, archive, export and figures must agree."""

from __future__ import annotations

import shutil
import subprocess
import time
from argparse import Namespace
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from homing.cli.export.export_pages import export
from homing.model import digest_of
from homing.store.catalog.database import open_for_reading
from homing.store.folder import Layout, open_catalog
from homing.store.views.reader import Reader

warcio = pytest.importorskip("warcio.checker")


@dataclass(frozen=True)
class Holdings:
    """What a catalog has committed."""

    known: frozenset[str]
    """Every URL it knows."""
    visited: frozenset[str]
    """Those with a reply, redirects and sitemaps among them."""


def holdings(folder: Path) -> Holdings:
    """Return what any reader sees, while a crawl writes the folder or after its death."""
    path = Layout(folder).database
    if not path.exists():
        return Holdings(frozenset(), frozenset())
    # Read-only: the last writer to close would fold away the log that the next start must find.
    with closing(open_for_reading(path)) as db:
        known = frozenset(url for (url,) in db.execute("SELECT url FROM urls"))
        visits = db.execute("SELECT url FROM visits v JOIN urls USING (seq) WHERE v.kind <> 'lost'")
        return Holdings(known, frozenset(url for (url,) in visits))


def assert_sound_after_a_start(folder: Path, scratch: Path) -> None:
    """Assert that a start on a copy loses nothing, cuts the torn tail, and leaves a sound crawl."""
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(folder, scratch)
    open_catalog(scratch, strategy="any", judge="any", wall=time.time).close()
    assert holdings(scratch) == holdings(folder)
    assert_sound(scratch)


def assert_sound(folder: Path) -> None:
    """Assert that archive, catalog, export and figures agree, and that other tools can read the archive."""
    files = sorted(Layout(folder).warc.iterdir())
    if files:
        # Both are needed: warcio accepts a file that was cut 20 bytes short, and gzip knows no digests.
        subprocess.run(["gzip", "-t", *files], check=True)
        assert (
            warcio.Checker(Namespace(inputs=[str(path) for path in files], verbose=False)).process_all() == 0
        )
    with closing(open_for_reading(Layout(folder).database)) as db:
        sizes = dict(db.execute("SELECT file, size FROM archive ORDER BY file").fetchall())
        kept = "SELECT count(*) FROM visits WHERE kind NOT IN ('unchanged', 'lost')"
        (replies,) = db.execute(kept).fetchone()
    assert [path.stat().st_size for path in files] == list(sizes.values())
    assert sum(map(_responses, files)) == replies

    out = folder.parent / f"{folder.name}.urls"
    export(folder, form="urls", out=out)
    exported = out.read_text().split()
    with Reader(folder) as reader:
        rows = list(reader.pages())
        assert reader.figures()["fetched"] == len(rows)
        for row in rows:
            reply = reader.reply(row)
            assert reply is not None
            assert digest_of(reply.body) == row.digest
    assert len(exported) == len(set(exported))
    assert set(exported) == {row.url for row in rows}


def _responses(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=False))
