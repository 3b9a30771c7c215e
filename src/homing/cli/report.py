"""``homing report``: the figures of a crawl, and the summary at its end."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from homing.cli import options
from homing.cli.output import print_json, printable, results
from homing.store.views.reader import Reader

_LISTED = 12
"""Maximum kinds listed in a figure with counts by kind."""

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.", show_default=False)]


def report(
    folder: Folder,
    as_json: options.AsJson = False,
) -> None:
    """Show the figures of a crawl, finished or running."""
    with Reader(folder) as reader:
        figures = reader.figures()
    if as_json:
        print_json(figures)
        return
    table = Table.grid(padding=(0, 2))
    for name, value in figures.items():
        if name == "doubt" and not value:
            continue
        table.add_row(Text(name.replace("_", " "), style="dim"), Text(worded(name, value)))
    results().print(table)
    if hint := held_back_hint(figures, folder):
        results().print(hint, markup=False)


def held_back_hint(figures: Mapping[str, object], folder: Path) -> str:
    """Say why domains are held back, and how to let them pass; empty if none is."""
    held = figures.get("held_back")
    if not isinstance(held, dict) or not held:
        return ""
    first = printable(next(iter(held)))
    return (
        "held back: each page of these domains links to more unknown pages, as on farms that generate them. "
        f"To fetch them all the same: homing crawl --out {shlex.quote(str(folder))} --trust {first}"
    )


def summary(figures: Mapping[str, object], folder: Path) -> None:
    """Print the result of ``homing crawl``, and commands to continue with."""
    console = results()
    pages = "page" if figures["fetched"] == 1 else "pages"
    console.print(
        f"{worded('fetched', figures['fetched'])} {pages}, "
        f"{worded('relevant', figures['relevant'])} relevant "
        f"(harvest {worded('harvest_rate', figures['harvest_rate'])}), "
        f"failed: {worded('failed', figures['failed'])}; "
        f"stopped after {worded('seconds', figures['seconds'])}: {figures['stop_reason']}",
        markup=False,
    )
    if hint := held_back_hint(figures, folder):
        console.print(hint, markup=False)
    name = shlex.quote(str(folder))
    for command, purpose in (
        (f"homing report {name}", "the figures"),
        (f"homing export {name} --relevant-only", "the pages, best first"),
        (f"homing search {name} WORDS", "search what was found"),
        (f"homing explain {name} URL", "why a page was fetched"),
        (f"homing serve {name}", "watch, search and steer it in the browser"),
        (f"homing crawl --out {name}", "resume it; raise a limit that was reached"),
    ):
        console.print(Text.assemble(f"  {command:<{len(name) + 32}}", (purpose, "dim")))


def nothing_fetched(reader: Reader, seeds: Iterable[str]) -> str:
    """Say in a line why a crawl has no pages; empty if it has some, or stopped before its first request."""
    figures = reader.figures()
    if any(row.status < 400 for row in islice(reader.pages(), 1_000)):
        return ""
    reasons = []
    for url in seeds:
        entry = reader.find(url)
        row = reader.visit(entry.seq) if entry else None
        failure = reader.failure(entry.seq) if entry else None
        if row and row.status >= 400:
            reasons.append(f"{url}: the host answered {row.status}")
        elif failure:
            detail = f" ({failure.detail})" if failure.detail else ""
            hint = "; --allow-network permits private addresses" if failure.kind == "address" else ""
            reasons.append(f"{url}: {failure.kind}{detail}{hint}")
    if not reasons:
        return f"nothing could be fetched: {worded('failed', figures['failed'])}" if figures["failed"] else ""
    more = f", and {len(reasons) - 1} more seeds" if len(reasons) > 1 else ""
    return printable(f"nothing could be fetched: {reasons[0]}{more}")


def worded(name: str, value: object) -> str:
    """Format a figure for people.

    >>> worded("seconds", 3725.2), worded("harvest_rate", 0.4123), worded("failed", {"dns": 2, "tls": 1})
    ('1 h 2 min', '41.2 %', '2 dns, 1 tls')
    """
    match name, value:
        case "seconds", int() | float():
            return _duration(value)
        case "harvest_rate", int() | float():
            return f"{value * 100:.1f} %"
        case "bytes", int():
            return f"{value / 1_000_000:,.1f} MB"
        case _, dict():
            counts = [printable(f"{count:,} {kind}") for kind, count in value.items()]
            more = [f"and {len(counts) - _LISTED:,} more kinds"] if len(counts) > _LISTED else []
            return ", ".join(counts[:_LISTED] + more) or "none"
        case _, float():
            return f"{value:,.1f}"
        case _, int():
            return f"{value:,}"
        case _, None:
            return "-"
        case _:
            return printable(str(value))


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes = int(seconds // 60)
    if minutes < 60:
        return f"{minutes} min {int(seconds % 60)} s"
    return f"{minutes // 60} h {minutes % 60} min"
