"""``homing demo``: try it without a network."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from homing.cli.output import errors, print_json, results
from homing.demo.demonstration import Demonstration, demonstrate, make_room
from homing.demo.harvest_chart import HarvestChart
from homing.errors import UsageError


def demo(
    pages: Annotated[
        int, typer.Option(metavar="N", help="Pages fetched by each of the two crawls, 10 to 1500.")
    ] = 300,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for the focused crawl; an earlier demo is replaced.")
    ] = Path("demo-crawl"),
    web: Annotated[
        int, typer.Option(metavar="N", help="Seed of the little web: each number gives another one.")
    ] = 1,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print the two curves as JSON.")
    ] = False,
) -> None:
    """Try a crawl of a built-in little web of 1,500 pages; needs no network.

    The web is served on this machine and crawled twice with the same number of pages: once by a focused
    crawl, once breadth-first. Both curves are drawn, and the focused crawl stays in its folder.
    """
    if not 10 <= pages <= 1_500:
        raise UsageError(f"--pages must be between 10 and 1500, not {pages}")
    make_room(out)
    with Progress(
        TextColumn("{task.description:<14}"), BarColumn(), MofNCompleteColumn(), console=errors()
    ) as bars:
        tasks: dict[str, TaskID] = {}

        def show(name: str, done: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=pages)
            bars.update(tasks[name], completed=done)

        shown = demonstrate(out, pages=pages, seed=web, progress=show)
        for name in tasks:
            show(name, pages)
    if as_json:
        print_json(_as_json(shown))
    else:
        _show(shown)


def _show(shown: Demonstration) -> None:
    console, folder = results(), shlex.quote(str(shown.folder))
    console.print()
    console.print(
        f'{shown.targets} of 1,500 pages are about "{shown.topic}", 3 to 7 links away from the start.'
    )
    console.print()
    console.print(HarvestChart([shown.focused, shown.blind]))
    console.print()
    console.print(
        "The targets are known, because this web is generated; relevant pages in the report are the judge's\n"
        "opinion. Both crawls fetch one page at a time: with more in flight, there is less choice.\n"
    )
    for command, meaning in (
        (f"homing report {folder}", "the figures"),
        (f"homing export {folder} --format urls --relevant-only", "the pages, best first"),
        (f"homing explain {folder} URL", "why a page was fetched"),
        (f"homing search {folder} WORDS", "search what was found"),
        (f"homing serve {folder}", "watch, search and steer it in the browser"),
    ):
        console.print(f"  {command:<58} {meaning}", markup=False)


def _as_json(shown: Demonstration) -> dict[str, object]:
    return {
        "topic": shown.topic,
        "pages": shown.pages,
        "targets": shown.targets,
        "found": {curve.name: curve.total for curve in (shown.focused, shown.blind)},
        "curves": {curve.name: list(curve.found) for curve in (shown.focused, shown.blind)},
        "folder": str(shown.folder),
    }
