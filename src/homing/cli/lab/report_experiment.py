"""``homing lab report``: tables and pictures of a finished experiment."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from homing.cli import options
from homing.cli.output import errors, print_document, results
from homing.lab import pictures
from homing.lab.campaign import runs_in
from homing.lab.results.compare import against
from homing.lab.results.file import Results
from homing.lab.results.tables import Sheet, comparison_sheet, summary_sheet
from homing.lab.results.timings import Timings

DRAWN = "pictures"
_BASELINE, _MEASURE = "breadth-first", "auc_budget"
"""Defaults of --against and --measure."""

Highlight = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="A strategy to highlight in the pictures; repeatable."),
]


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="RUN", help="A folder written by homing lab run.", show_default=False)
    ],
    against_: Annotated[
        str, typer.Option("--against", metavar="NAME", help="Compare all others with this strategy.")
    ] = _BASELINE,
    measure: Annotated[
        str, typer.Option(metavar="NAME", help="Compare by this measure: recall, harvest, auc ...")
    ] = _MEASURE,
    markdown: Annotated[bool, typer.Option("--markdown", metavar="", help="Print Markdown.")] = False,
    highlight: Highlight = None,
    as_json: options.AsJson = False,
) -> None:
    """Show tables and pictures of a finished experiment, and the significance of the differences.

    homing lab report my-run --against link-context --measure recall

    Measures: see docs/lab.md.
    """
    found, timings = Results.read(folder), Timings.read(folder)
    if (against_, measure) != (_BASELINE, _MEASURE):
        compared = against(found.rows, against_, by=measure, clusters=found.clusters)
        found = replace(found, comparisons=compared)
    if as_json:
        print_document(found.as_json())
        return
    for sheet in sheets(found, timings):
        if markdown:
            print_document(f"{sheet.as_markdown()}\n".encode())
        else:
            results().print(sheet.as_rich())
    if draw(folder, found, timings, highlight or ()):
        errors().print(f"pictures in {folder / DRAWN}", style="dim", markup=False, soft_wrap=True)


def sheets(found: Results, timings: Timings) -> list[Sheet]:
    """Return the tables: all strategies, and their comparison if there is one."""
    compared = [comparison_sheet(found.comparisons)] if found.comparisons else []
    return [summary_sheet(found, timings), *compared]


def draw(folder: Path, found: Results, timings: Timings, highlight: Sequence[str]) -> bool:
    """Draw the pictures beside the results; return whether any were drawn."""
    if find_spec("matplotlib") is None:
        # The figures of an experiment that ran for hours must be shown without it, too.
        line = 'no pictures: they need matplotlib; pip install "homing[lab]", then homing lab report'
        errors().print(line, markup=False, soft_wrap=True)
        return False
    return bool(pictures.draw(runs_in(folder), found, timings, folder / DRAWN, highlight=highlight))
