"""``homing export``: the pages of a crawl as files for other programs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from homing.cli.export import formats
from homing.cli.export.graphml import write_graphml
from homing.cli.output import errors, stdout
from homing.cli.report import Folder
from homing.crawler.finished.ranked import ranked_by_strategy
from homing.errors import Damage, DamagedRecordError, StorageError, UsageError, did_you_mean
from homing.parse import PageParser
from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader

FORMATS = ("jsonl", "csv", "parquet", "urls", "graphml")
ORDERS = ("score", "layered")


def export(
    folder: Folder,
    form: Annotated[
        str, typer.Option("--format", metavar="NAME", help=f"One of {', '.join(FORMATS)}.")
    ] = "jsonl",
    text: Annotated[bool, typer.Option("--text", metavar="", help="Include the text of each page.")] = False,
    relevant_only: Annotated[
        bool, typer.Option("--relevant-only", metavar="", help="Only the relevant pages.")
    ] = False,
    rank_by: Annotated[
        str,
        typer.Option(
            metavar="score|layered",
            help="Rank by the judge's score, or by the strategy layered for its own crawls.",
        ),
    ] = "score",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to a file instead of stdout.")
    ] = None,
) -> None:
    """Export the pages of a crawl, best first.

    jsonl, csv and parquet hold everything known about a page, urls only its address; graphml is the graph
    of the pages and their links.
    """
    if form not in FORMATS:
        raise UsageError(f'--format cannot be "{form}"{did_you_mean(form, FORMATS)}')
    if form == "parquet" and out is None:
        raise UsageError("--format parquet needs --out FILE: it cannot be written to a pipe")
    if text and form in ("urls", "graphml"):
        raise UsageError(f"--text goes with jsonl, csv and parquet, not with {form}")
    if rank_by not in ORDERS:
        raise UsageError(f'--rank-by cannot be "{rank_by}"{did_you_mean(rank_by, ORDERS)}')
    if rank_by != "score" and form == "graphml":
        raise UsageError("--rank-by goes with jsonl, csv, parquet and urls: a graph has no order")
    damage = Damage()
    with Reader(folder) as reader, _open(out) as file:
        if form == "graphml":
            count = write_graphml(reader, file, relevant_only=relevant_only)
        else:
            rows = (
                reader.pages(relevant_only=relevant_only, ranked=True)
                if rank_by == "score"
                else ranked_by_strategy(rank_by, folder, reader, damage, relevant_only=relevant_only)
            )
            records = (record(row, _text_of(reader, row, damage) if text else None) for row in rows)
            count = formats.WRITERS[form](records, file, with_text=text)
    if damage.count:
        errors().print(f"without their text: {damage.line}", markup=False, soft_wrap=True)
    if out is not None:
        errors().print(f"{count:,} pages written to {out}", markup=False, soft_wrap=True)


def record(row: PageRow, text: str | None) -> formats.Record:
    """Return a page as it is exported; the names are a contract."""
    fetched_at = datetime.fromtimestamp(row.fetched_at, UTC)
    whole: formats.Record = {
        "url": row.url,
        "final_url": row.final_url,
        "status": row.status,
        "title": row.title,
        "score": row.score,
        "relevant": row.relevant,
        "depth": row.depth,
        "parent": row.parent,
        "anchor": row.anchor,
        "strategy": row.strategy,
        "tier": row.tier,
        "priority": row.priority,
        "fetched_at": fetched_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "language": row.language,
        "digest": row.digest,
        "warc_file": row.warc_file,
        "warc_offset": row.warc_offset,
    }
    return whole if text is None else {**whole, "text": text}


def _text_of(reader: Reader, row: PageRow, damage: Damage) -> str:
    """Return the text of a page, parsed from the archive; empty if that does not have it, or damaged."""
    try:
        reply = reader.reply(row)
    except DamagedRecordError as error:
        damage.note(str(error))
        return ""
    return PageParser().read(reply).text if reply is not None else ""


@contextmanager
def _open(path: Path | None) -> Iterator[BinaryIO]:
    """Open stdout, or a file that appears under its name only once it is complete."""
    if path is None:
        file = stdout()
        yield file
        file.flush()
        return
    try:
        # Links, pipes and devices are written to; a rename would replace them by a file.
        is_special = path.is_symlink() or (path.exists() and not path.is_file())
        with _in_place(path) if is_special else _as_draft(path) as file:
            yield file
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error


@contextmanager
def _in_place(path: Path) -> Iterator[BinaryIO]:
    with path.open("wb") as file:
        yield file


@contextmanager
def _as_draft(path: Path) -> Iterator[BinaryIO]:
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("wb") as file:
            yield file
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
