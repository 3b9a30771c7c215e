"""``homing lab``: webs are recorded once, and strategies tried on them as often as one likes."""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from homing.cli import lab_run
from homing.cli.options import AsJson
from homing.cli.output import errors, print_json, printable, results
from homing.lab.recording import Recorded, record
from homing.lab.server import serve
from homing.lab.sources import Sources
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
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SRC",
            help="WARC files, JSONL files (.gz, .xz, .zst), folders of them, or crawls of Homing.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="WEB", help="The folder to make; a new one.", show_default=False)
    ],
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

    Several sources make one web. Of two replies for one URL the first counts, unless it was an error. What is
    damaged is left out and told; the rest is recorded all the same.
    """
    read = Sources(sources)
    recorded = record(_shown(read), out, source=" ".join(sources), cut=cut)
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
    for name, meaning in _MEANINGS.items():
        table.add_row(name, f"{getattr(recorded, name):,}", meaning)
    table.add_row("size", f"{recorded.size / 1e6:,.1f} MB", "on disk")
    results().print(table)
    folder = shlex.quote(str(out))
    results().print(Text.assemble(f"  homing lab serve {folder}", ("  give it back over HTTP", "dim")))


_MEANINGS = {
    "replies": "with redirects and errors",
    "pages": "",
    "links": "from one of the URLs to another",
    "outside": "links to what was not recorded",
    "hosts": "",
    "labels": "different ones",
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
app.command("report")(lab_run.report)
app.command("verify")(lab_run.verify)
