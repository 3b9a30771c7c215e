"""Running a crawl in the foreground: its display, its signals, its last words."""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from homing.cli.crawl.panel import Display, display_for
from homing.cli.crawl.tuning import save_memory, tune
from homing.cli.output import errors, print_json
from homing.cli.report import nothing_fetched, summary
from homing.config import Config
from homing.crawler.crawl import Crawl
from homing.crawler.opening import open_crawl
from homing.errors import HomingError
from homing.store.folder import Layout
from homing.store.views.reader import Reader
from homing.topic.gathered import example_urls


def run(config: Config, folder: Path, *, quiet: bool, as_json: bool) -> None:
    """Crawl until a limit or a signal, and say what came of it; exit code 1 if nothing did."""
    save_memory()
    if not quiet and not Layout(folder).config.is_file() and (pages := len(example_urls(config.topic))):
        errors().print(f"fetching {pages} example page{'s' * (pages > 1)} first")
    opened = open_crawl(config, folder)
    tune()
    try:
        with display_for(errors(), config.stop, topic=config.topic.title, quiet=quiet) as display:
            display.say(
                f"{'going on with' if opened.resumed else 'crawling into'} {folder}: {opened.summary}"
            )
            go_on = f"homing crawl --out {shlex.quote(str(folder))}"
            asyncio.run(until_done(opened, display, go_on))
            counters = opened.counters
            if opened.resumed and counters.pages == counters.started_with > 0:
                display.say(f"nothing new was fetched: {_already_over(counters.stop_reason)}")
            if counters.stop_reason == "yield":
                expected = counters.expected_yield
                display.say(f"of the next hundred pages {expected:.1f} are expected to be relevant: enough")
    finally:
        opened.close()
    with Reader(folder) as reader:
        figures = reader.figures()
        why_nothing = nothing_fetched(reader, config.seeds.urls)
    if as_json:
        print_json(figures)
    elif not quiet and not why_nothing:
        summary(figures, folder)
    if why_nothing:
        raise HomingError(why_nothing)


def _already_over(reason: str) -> str:
    """Why a crawl that was gone on with had nothing to do."""
    if reason in ("pages", "relevant", "minutes"):
        return f"the limit was reached before; raise --{reason}"
    return reason


async def until_done(opened: Crawl, display: Display, go_on: str) -> None:
    """Run a crawl to its end, or to a signal, and show how it goes.

    Parameters
    ----------
    go_on
        The command that does the rest, for whoever stops it.
    """
    watching = asyncio.create_task(_watch(opened, display))
    try:
        with _signals(opened, display, go_on):
            await opened.run()
    finally:
        watching.cancel()


async def _watch(opened: Crawl, display: Display) -> None:
    said = ""
    while True:
        display.show(opened.counters)
        if opened.counters.doubt != said:
            said = opened.counters.doubt
            display.say(said)
        await asyncio.sleep(display.every)


@contextmanager
def _signals(opened: Crawl, display: Display, go_on: str) -> Iterator[None]:
    """Ctrl-C or SIGTERM: once, finish what is in flight; twice, drop it."""
    loop = asyncio.get_running_loop()
    words = iter([f"finishing the pages in flight; to go on: {go_on}", "dropping them"])

    def stop() -> None:
        if said := next(words, ""):
            display.say(said)
        opened.stop("interrupted")

    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
