"""``homing lab``: webs are recorded once, and strategies tried on them as often as one likes."""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from homing.cli.lab import report as lab_report
from homing.cli.lab import run as lab_run
from homing.cli.options import AsJson
from homing.cli.output import errors, print_json, printable, results
from homing.demo.recorded import records_of
from homing.demo.web.little_web import LittleWeb
from homing.errors import UsageError
from homing.lab.archives.sources import Sources
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.recording import Recorded, record
from homing.lab.web.server import serve
from homing.records import Record

app = typer.Typer(
    help="Record a web once, and try strategies on it as often as you like.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


@app.command("import")
def import_(
    out: Annotated[
        Path, typer.Option(metavar="WEB", help="The folder to make; a new one.", show_default=False)
    ],
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
            help="Instead of sources: the built-in little web, another one for each number; 1 is the demo's.",
            show_default=False,
        ),
    ] = None,
    cut: Annotated[
        str,
        typer.Option(
            metavar="REGEX",
            help="Cut what matches out of every page, such as a line that names its label.",
            show_default=False,
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """A recorded web from WARC files of any producer, from crawls of Homing, or from JSONL files.

    homing lab import archive/*.warc.gz --out webs/archive

    homing lab import --little-web 1 --out webs/little

    Several sources make one web. Of two replies for one URL the first counts, unless it was an error. What is
    damaged is left out and told; the rest is recorded all the same.
    """
    if bool(sources) == (little_web is not None):
        raise UsageError("say what to record: SRC ..., or --little-web N; one of the two")
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


@app.command("serve")
def serve_(
    web: Annotated[
        Path,
        typer.Argument(metavar="WEB", help="What homing lab import has made.", show_default=False),
    ],
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65_535, help="0 takes any that is free.")
    ] = 8_080,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address of this machine to serve on.")
    ] = "127.0.0.1",
) -> None:
    """Give a recorded web back over real HTTP, under its own host names, until Ctrl-C.

    Status, type, body and redirects are as recorded, and everything else is a 404. So is every robots.txt:
    what was recorded may be read.
    """
    asyncio.run(_serve(web, port, host))


def _shown(records: Iterable[Record]) -> Iterator[Record]:
    """The same, counted on the screen while they pass."""
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
        ("homing lab run EXPERIMENT.toml --out RUN", f'try strategies on it, with web = "{out}"'),
        (f"homing lab serve {folder}", "give it back over HTTP"),
    ):
        console.print(Text.assemble(f"  {command}", (f"  {meaning}", "dim")), soft_wrap=True)


def _names_of_labels(folder: Path) -> str:
    """Those of most pages: whoever writes an experiment must know what they are called."""
    with RecordedWeb(folder) as web:
        counts = Counter(label for labels in web.labels.values() for label in labels)
    most = ", ".join(printable(label) for label, _ in counts.most_common(_NAMED))
    return f"different ones: {most}" + ", ..." * (len(counts) > _NAMED) if counts else ""


_NAMED = 12
_MEANINGS = {
    "replies": "with redirects and errors",
    "pages": "",
    "links": "from one of the URLs to another",
    "outside": "links to what was not recorded",
    "hosts": "",
    "labels": "",
    "skipped": "replies for a URL that was there already, or for none",
}


async def _serve(folder: Path, port: int, host: str) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with serve(folder, port, host=host) as server:
        seed = shlex.quote(next(filter(server.web.has_page, server.web), "URL"))
        errors().print(f"serving {folder} on {server.address}; Ctrl-C ends it", markup=False, soft_wrap=True)
        line = f"homing crawl TOPIC {seed} --connect-to {server.address} --delay 0"
        results().print(line, markup=False, soft_wrap=True)
        await stopped.wait()


app.command("run")(lab_run.run)
app.command("report")(lab_report.report)
app.command("verify")(lab_run.verify)
