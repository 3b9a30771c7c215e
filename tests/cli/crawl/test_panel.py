"""What a person sees while a crawl runs."""

import io

import pytest
from rich.console import Console

from homing.cli.crawl.panel import LivePanel, PlainLines, Silence, display_for, portion_done
from homing.config import StopSection
from homing.crawler.progress import Counters


def counters() -> Counters:
    return Counters(
        pages=1200,
        steps=1200,
        relevant=300,
        frontier=45_678,
        hosts=17,
        run_seconds=60,
        last_title="Wild \x1b[2Jbees [bold]",
    )


def terminal(width: int = 100) -> tuple[Console, io.StringIO]:
    screen = io.StringIO()
    return Console(file=screen, force_terminal=True, width=width, color_system=None), screen


def test_the_panel_shows_figures_and_the_last_relevant_title() -> None:
    console, screen = terminal()
    with LivePanel(console, StopSection(pages=2400), topic="bees") as panel:
        panel.show(counters())
    shown = screen.getvalue()
    for words in ("bees", "1,200", "300", "25%", "20.0", "45,678", "17", "Wild [2Jbees [bold]", "━"):
        assert words in shown


def test_a_title_cannot_command_the_terminal() -> None:
    console, screen = terminal()
    with LivePanel(console, StopSection(), topic="bees") as panel:
        panel.show(counters())
    assert "\x1b[2Jbees" not in screen.getvalue()


def test_without_a_limit_there_is_no_bar() -> None:
    console, screen = terminal()
    with LivePanel(console, StopSection(), topic="bees") as panel:
        panel.show(counters())
    assert "━" not in screen.getvalue()


def test_a_pipe_gets_a_plain_line_and_no_line_twice() -> None:
    pipe = io.StringIO()
    display = display_for(Console(file=pipe), StopSection(), topic="bees", quiet=False)
    assert isinstance(display, PlainLines)
    with display:
        display.show(counters())
        display.show(counters())
    assert pipe.getvalue() == (
        "1200 pages, 300 relevant, harvest 0% now 25% in all, 20.0 pages/s, frontier 45678, hosts 17\n"
    )


def test_quiet_is_silent_even_on_a_terminal() -> None:
    console, screen = terminal()
    display = display_for(console, StopSection(), topic="bees", quiet=True)
    assert type(display) is Silence
    with display:
        display.say("hello")
        display.show(counters())
    assert screen.getvalue() == ""


@pytest.mark.parametrize(
    ("stop", "portion"),
    [
        (StopSection(), None),
        (StopSection(pages=2400), 0.5),
        (StopSection(pages=2400, relevant=400), 0.75),
        (StopSection(minutes=4), 0.25),
        (StopSection(pages=600), 1.0),
    ],
)
def test_the_bar_follows_the_nearest_limit(stop: StopSection, portion: float | None) -> None:
    assert portion_done(counters(), stop) == portion
