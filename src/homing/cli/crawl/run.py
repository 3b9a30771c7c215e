"""Running a crawl in the foreground: display, signals, summary."""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from homing.cli.crawl.panel import Display, display_for
from homing.cli.crawl.tuning import save_memory, tune
from homing.cli.output import errors, print_json, tell_examples
from homing.cli.report import nothing_fetched, summary
from homing.config import Config
from homing.crawler.crawl import Crawl
from homing.crawler.opening import open_crawl
from homing.errors import HomingError
from homing.store.folder import Layout
from homing.store.views.reader import Reader
from homing.topic.gathered import example_urls


def run(config: Config, folder: Path, *, quiet: bool, as_json: bool) -> None:
    """Crawl until a limit or a signal, and print the figures; exit code 1 if no page was fetched."""
    save_memory()
    if not quiet and not Layout(folder).config.is_file():
        tell_examples(len(example_urls(config.topic)))
    opened = open_crawl(config, folder)
    tune()
    try:
        with display_for(errors(), config.stop, topic=config.topic.title, quiet=quiet) as display:
            display.say(f"{'resuming' if opened.resumed else 'crawling into'} {folder}: {opened.summary}")
            for notice in opened.notices:
                display.say(notice)
            resume = f"homing crawl --out {shlex.quote(str(folder))}"
            asyncio.run(until_done(opened, display, resume))
            counters = opened.counters
            if opened.resumed and counters.fetches == counters.started_with > 0:
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
    """Return why a resumed crawl had nothing to do."""
    if reason in ("pages", "relevant", "minutes"):
        return f"the limit was reached before; raise --{reason}"
    return reason


async def until_done(opened: Crawl, display: Display, resume: str) -> None:
    """Run a crawl to its end, or to a signal, and show its progress.

    Parameters
    ----------
    resume
        The command that resumes it, shown when it is stopped.
    """
    watching = asyncio.create_task(_watch(opened, display))
    try:
        with _signals(opened, display, resume):
            await opened.run()
    finally:
        watching.cancel()


async def _watch(opened: Crawl, display: Display) -> None:
    shown, damage = "", 0
    while True:
        display.show(opened.counters)
        if opened.counters.doubt != shown:
            shown = opened.counters.doubt
            display.say(shown)
        for line in opened.counters.damage[damage:]:
            display.say(line)
        damage = len(opened.counters.damage)
        await asyncio.sleep(display.every)


@contextmanager
def _signals(opened: Crawl, display: Display, resume: str) -> Iterator[None]:
    """Handle Ctrl-C, SIGTERM and SIGHUP: once, finish the pages in flight; twice, drop them."""
    loop = asyncio.get_running_loop()
    messages = iter([f"finishing the pages in flight; to resume: {resume}", "dropping them"])

    def stop() -> None:
        opened.stop("interrupted")
        if message := next(messages, ""):
            with suppress(OSError):  # there is no terminal any more
                display.say(message)

    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        numbers.append(signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
