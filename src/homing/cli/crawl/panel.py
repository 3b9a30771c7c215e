"""The progress of a running crawl, on stderr.

On a terminal it is a panel that redraws itself, elsewhere a plain line every few seconds, and with
``--quiet`` nothing.
"""

from __future__ import annotations

import sys
import termios
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from homing.cli.output import printable
from homing.config import StopSection
from homing.crawler.progress import Counters


class Display(Protocol):
    """Shows the counters of a crawl, every few seconds."""

    every: float

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def show(self, counters: Counters) -> None: ...
    def say(self, message: str) -> None: ...


def display_for(console: Console, stop: StopSection, *, topic: str, quiet: bool) -> Display:
    """Return the display that suits stderr: a panel for a terminal, lines otherwise."""
    if quiet:
        return Silence()
    if console.is_terminal:
        return LivePanel(console, stop, topic=topic)
    return PlainLines(console)


class Silence:
    """Shows nothing."""

    every = 3_600.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def show(self, counters: Counters) -> None:
        pass

    def say(self, message: str) -> None:
        pass


class PlainLines(Silence):
    """One line every ten seconds, for log files and pipes."""

    every = 10.0

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last = ""

    def show(self, counters: Counters) -> None:
        line = (
            f"{counters.pages} pages, {counters.relevant} relevant, "
            f"harvest {counters.harvest_now:.0%} now {counters.harvest_rate:.0%} in all, "
            f"{counters.pages_per_second:.1f} pages/s, frontier {counters.frontier}, hosts {counters.hosts}"
        )
        if not counters.pages:
            line = printable(counters.last_trouble)
        # While a crawl waits for slow hosts, the line stays the same.
        if line and line != self._last:
            self.say(line)
            self._last = line

    def say(self, message: str) -> None:
        self._console.print(message, markup=False, highlight=False, soft_wrap=True)


class LivePanel(Silence):
    """Figures, the last relevant title, and a progress bar if the crawl has a limit."""

    every = 0.25

    def __init__(self, console: Console, stop: StopSection, *, topic: str) -> None:
        self._stop = stop
        self._topic = topic
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        self._undo.enter_context(_without_caret())
        self._undo.enter_context(self._live)
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def show(self, counters: Counters) -> None:
        self._live.update(self._draw(counters), refresh=True)

    def say(self, message: str) -> None:
        self._live.console.print(message, markup=False, highlight=False)

    def _draw(self, counters: Counters) -> RenderableType:
        rows: list[RenderableType] = [_figures(counters)]
        done = portion_done(counters, self._stop)
        if done is not None:
            # In a table of its own, because a bar does not end its line.
            bar = Table.grid(expand=True)
            bar.add_row(ProgressBar(total=1.0, completed=done))
            rows.append(bar)
        if counters.last_title or counters.last_url:
            rows.append(self._line(counters.last_title or counters.last_url))
        if counters.last_trouble:
            rows.append(self._line(counters.last_trouble, style="dim"))
        return Panel(Group(*rows), title=Text(self._topic[:60]), title_align="left", border_style="dim")

    def _line(self, text: str, style: str = "") -> Text:
        """Return one line of the panel; a ``Text``, as a title from the web must not be read as markup."""
        line = Text(printable(text), style=style)
        line.truncate(self._live.console.width - 6, overflow="ellipsis")
        return line


@contextmanager
def _without_caret() -> Iterator[None]:
    """Keep the terminal from echoing ``^C``: it would shift the panel by a line."""
    if not sys.stdin.isatty():
        yield
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    changed = termios.tcgetattr(keyboard)
    changed[3] &= ~termios.ECHOCTL
    termios.tcsetattr(keyboard, termios.TCSANOW, changed)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


def portion_done(counters: Counters, stop: StopSection) -> float | None:
    """Return the progress to the nearest limit, 0 to 1; ``None`` without limits."""
    ways = [
        have / limit
        for have, limit in (
            (counters.spent, stop.pages),
            (counters.relevant, stop.relevant),
            (counters.seconds / 60, stop.minutes),
        )
        if limit
    ]
    return min(1.0, max(ways)) if ways else None


def _figures(counters: Counters) -> Table:
    table = Table.grid(padding=(0, 3))
    expected = counters.expected_yield
    cells = (
        ("pages", f"{counters.pages:,}"),
        ("relevant", f"{counters.relevant:,}"),
        ("harvest", f"{counters.harvest_rate:.0%}"),
        ("now", f"{counters.harvest_now:.0%}"),
        ("of the next 100", "?" if expected is None else f"{expected:.1f}"),
        ("pages/s", f"{counters.pages_per_second:.1f}"),
        ("frontier", f"{counters.frontier:,}"),
        ("hosts", f"{counters.hosts:,}"),
        ("failed", f"{counters.failed.total():,}"),
    )
    table.add_row(*(Text(name, style="dim") for name, _ in cells))
    table.add_row(*(Text(value, style="bold") for _, value in cells))
    return table
