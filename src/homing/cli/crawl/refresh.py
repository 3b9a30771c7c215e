"""``homing refresh``: fetch pages again that may have changed."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import Annotated

import typer

from homing.cli import options
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
            help="Refresh all pages last fetched at least DAYS ago. Default: those likely to have changed.",
        ),
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option(metavar="N", help="Refresh at most N pages, the likeliest to have changed first."),
    ] = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Fetch the pages of a crawl again that have probably changed.

    The probability is estimated from their age and from earlier refreshes; a page that was never refreshed
    is due after a week ([refresh] days in crawl.toml). Requests are conditional and as polite as in the
    crawl. Pages that are gone leave the index, redirects are followed, and new links are queued for the next
    homing crawl. Let cron call it for a crawl that stays fresh.
    """
    config = stored_in(folder)
    if config is None:
        raise FolderError(f"{folder} holds no crawl; name the folder that `homing crawl` wrote to")
    days, most = _positive("--older-than", older_than), _positive("--limit", limit)
    pages = _due(folder, typical=config.refresh.days * DAY, days=days, most=most)
    save_memory()
    opened = open_crawl(config, folder)
    tune()
    try:
        refreshed = opened.refresh(pages)
        with display_for(errors(), StopSection(), topic=config.topic.title, quiet=quiet) as display:
            display.say(f"{len(pages):,} pages of {folder} are due")
            for notice in opened.notices:
                display.say(notice)
            resume = f"homing refresh {shlex.quote(str(folder))}"
            asyncio.run(until_done(opened, display, resume))
    finally:
        opened.close()
    figures = refreshed.figures()
    if as_json:
        print_json(figures)
    elif not quiet:
        line = ", ".join(f"{count:,} {name}" for name, count in figures.items())
        results().print(line, markup=False)


def _due(folder: Path, *, typical: float, days: float | None, most: float | None) -> list[Due]:
    with Histories(folder) as histories:
        return due(
            histories.of_pages(),
            WallClock().wall(),
            typical=typical,
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
