"""``homing lab import``: records a web from archives, crawls or the little web."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from homing.cli.options import AsJson
from homing.cli.output import errors, print_json, printable, results
from homing.demo.web.little_web import LittleWeb
from homing.demo.web_records import records_of
from homing.errors import UsageError
from homing.lab.archives.sources import Sources
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.recording import Recorded, record
from homing.records import Record

_NAMED = 12
_MEANINGS = {
    "replies": "with redirects and errors",
    "pages": "",
    "links": "between recorded URLs",
    "outside": "links to URLs not recorded",
    "hosts": "",
    "labels": "",
    "skipped": "replies for a URL recorded already, or without one",
}


def import_(
    out: Annotated[Path, typer.Option(metavar="WEB", help="The folder to create.", show_default=False)],
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SRC",
            help="WARC files, JSONL files (.gz, .xz, .zst), folders of them, or crawls of Homing.",
            show_default=False,
        ),
    ] = None,
    little_web: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Instead of sources: the built-in little web with this seed; 1 is the demo's.",
            show_default=False,
        ),
    ] = None,
    cut: Annotated[
        str,
        typer.Option(
            metavar="REGEX",
            help="Remove matches from every page, e.g. a line that names its label.",
            show_default=False,
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Record a web from WARC files of any producer, from crawls of Homing, or from JSONL files.

    homing lab import archive/*.warc.gz --out webs/archive

    homing lab import --little-web 1 --out webs/little

    Several sources make one web. Of two replies for one URL the first counts, unless it is an error. Damaged
    records are reported and left out.
    """
    if bool(sources) == (little_web is not None):
        raise UsageError("give what to record: either SRC ... or --little-web N")
    read = Sources(sources or ())
    records = read if little_web is None else records_of(LittleWeb(little_web))
    source = " ".join(sources or [f"little web {little_web}"])
    recorded = record(_shown(records), out, source=source, cut=cut)
    for trouble in read.troubles:
        errors().print(f"homing: {printable(trouble)}", markup=False, soft_wrap=True)
    if as_json:
        print_json({"web": str(out), **asdict(recorded), "troubles": read.troubles})
        return
    _show(recorded, out)


def _shown(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records, and show their number as they pass."""
    columns = SpinnerColumn(), TextColumn("{task.completed:,} replies read"), TimeElapsedColumn()
    console = errors()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("reading", total=None)
        for record in records:
            progress.advance(task)
            yield record


def _show(recorded: Recorded, out: Path) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_column(style="dim")
    for name, meaning in (_MEANINGS | {"labels": _names_of_labels(out)}).items():
        table.add_row(name, f"{getattr(recorded, name):,}", Text(meaning))
    table.add_row("size", f"{recorded.size / 1e6:,.1f} MB", "on disk")
    console, folder = results(), shlex.quote(str(out))
    console.print(table)
    for command, meaning in (
        ("homing lab run EXPERIMENT.toml --out RUN", f'compare strategies on it, with web = "{out}"'),
        (f"homing lab serve {folder}", "serve it over HTTP"),
    ):
        console.print(Text.assemble(f"  {command}", (f"  {meaning}", "dim")), soft_wrap=True)


def _names_of_labels(folder: Path) -> str:
    """Return the most frequent labels: an experiment has to name them."""
    with RecordedWeb(folder) as web:
        counts = Counter(label for labels in web.labels.values() for label in labels)
    most = ", ".join(printable(label) for label, _ in counts.most_common(_NAMED))
    return f"distinct: {most}" + ", ..." * (len(counts) > _NAMED) if counts else ""
