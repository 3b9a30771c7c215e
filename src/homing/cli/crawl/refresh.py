"""``homing refresh``: ask again for pages that may have changed."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import Annotated

import typer

from homing.cli.crawl.panel import display_for
from homing.cli.crawl.request import stored_in
from homing.cli.crawl.run import until_done
from homing.cli.crawl.tuning import save_memory, tune
from homing.cli.output import errors, print_json, results
from homing.cli.report import Folder
from homing.config import StopSection
from homing.config.keys import number
from homing.crawler.clock import WallClock
from homing.crawler.live.freshness import DAY, Due, due
from homing.crawler.opening import open_crawl
from homing.errors import FolderError, UsageError
from homing.store.views.histories import Histories


def refresh(
    folder: Folder,
    older_than: Annotated[
        str | None,
        typer.Option(
            metavar="DAYS",
            help="All pages last seen so long ago, and no others; if not said, those likely to have changed.",
        ),
    ] = None,
    limit: Annotated[
        str | None, typer.Option(metavar="N", help="At most so many, the likeliest to have changed first.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", metavar="", help="No progress.")] = False,
    as_json: Annotated[bool, typer.Option("--json", metavar="", help="As JSON.")] = False,
) -> None:
    """Ask again for the pages of a crawl that have probably changed.

    How likely that is, is told by their age and by what earlier looks have found; a page that was never
    looked at again is due after a week ([refresh] days in crawl.toml). Hosts are asked whether pages have
    changed, as politely as in the crawl. What is gone leaves the index, what has moved is followed, and new
    links wait for the next homing crawl. Let cron call it for a crawl that stays fresh.
    """
    config = stored_in(folder)
    if config is None:
        raise FolderError(f"{folder} holds no crawl; name the folder that `homing crawl` wrote to")
    days, most = _positive("--older-than", older_than), _positive("--limit", limit)
    pages = _due(folder, usual=config.refresh.days * DAY, days=days, most=most)
    save_memory()
    opened = open_crawl(config, folder)
    tune()
    try:
        refreshed = opened.refresh(pages)
        with display_for(errors(), StopSection(), topic=config.topic.title, quiet=quiet) as display:
            display.say(f"{len(pages):,} pages of {folder} are due")
            go_on = f"homing refresh {shlex.quote(str(folder))}"
            asyncio.run(until_done(opened, display, go_on))
    finally:
        opened.close()
    figures = refreshed.figures()
    if as_json:
        print_json(figures)
    elif not quiet:
        said = ", ".join(f"{count:,} {name}" for name, count in figures.items())
        results().print(said, markup=False)


def _due(folder: Path, *, usual: float, days: float | None, most: float | None) -> list[Due]:
    with Histories(folder) as histories:
        return due(
            histories.of_pages(),
            WallClock().wall(),
            usual=usual,
            older_than=None if days is None else days * DAY,
            limit=None if most is None else int(most),
        )


def _positive(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    value = number(text)
    if isinstance(value, str) or not 0 <= value <= 1e9:
        raise UsageError(f"{option} {text}: give a number")
    return float(value)
