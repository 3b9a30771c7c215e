"""Harvest curves in the terminal."""

from __future__ import annotations

import io
from typing import Literal

import pytest
from rich.console import Console

from homing.demo.harvest_chart import Curve, HarvestChart

STEEP = Curve(name="link-context", found=[number // 4 for number in range(1, 301)])
FLAT = Curve(name="breadth-first", found=[number // 40 for number in range(1, 301)])


def printed(chart: HarvestChart, *, width: int = 80, encoding: str = "utf-8", colour: bool = False) -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    colours: Literal["standard"] | None = "standard" if colour else None
    console = Console(file=file, width=width, force_terminal=colour, color_system=colours)
    console.print(chart)
    file.seek(0)
    return file.read()


def test_labels_stand_where_the_curves_end() -> None:
    lines = str(HarvestChart([STEEP, FLAT])).splitlines()
    steep = next(number for number, line in enumerate(lines) if line.endswith("75 link-context"))
    flat = next(number for number, line in enumerate(lines) if line.endswith("7 breadth-first"))
    assert steep < 4 < 10 < flat


def test_axes_have_round_numbers_and_names() -> None:
    text = str(HarvestChart([STEEP, FLAT]))
    assert "targets found" in text
    assert "300 pages fetched" in text
    assert [line.split()[0] for line in text.splitlines() if "┤" in line] == ["80", "60", "40", "20"]


def test_the_legend_names_every_curve_with_its_total() -> None:
    text = str(HarvestChart([STEEP, FLAT]))
    assert "link-context: 75 targets in 300 pages" in text
    assert "breadth-first: 7 targets in 300 pages" in text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = printed(HarvestChart([STEEP, FLAT]), width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) == 19


def test_a_curve_rises_through_every_line() -> None:
    lines = str(HarvestChart([STEEP])).splitlines()[1:15]
    rows = [line.replace("┤", "│").partition("│")[2] for line in lines]
    starts = [next(place for place, mark in enumerate(row) if mark > "⠀") for row in rows]
    assert starts == sorted(starts, reverse=True)


def test_colours_only_where_there_are_some() -> None:
    chart = HarvestChart([STEEP, FLAT])
    assert "\x1b[" in printed(chart, colour=True)
    assert "\x1b[" not in printed(chart)


def test_a_terminal_without_unicode_gets_letters() -> None:
    text = printed(HarvestChart([STEEP, FLAT]), encoding="ascii")
    assert text.isascii()
    assert "***" in text
    assert "ooo" in text


def test_curves_that_end_together_keep_their_own_labels() -> None:
    text = str(HarvestChart([STEEP, Curve(name="twin", found=STEEP.found)]))
    labelled = [line for line in text.splitlines() if line.endswith((" 75 link-context", " 75 twin"))]
    assert len(labelled) == 2


@pytest.mark.parametrize("found", [[], [0], [0, 0, 0], [1]])
def test_short_and_empty_crawls_can_be_drawn(found: list[int]) -> None:
    text = str(HarvestChart([Curve(name="tiny", found=found), FLAT]))
    assert f"tiny: {sum(found)} targets in {len(found)} pages" in text
    assert "targets found" in str(HarvestChart([Curve(name="tiny", found=found)]))


def test_a_shorter_crawl_ends_sooner() -> None:
    short = Curve(name="short", found=STEEP.found[:150])
    alone = str(HarvestChart([short, FLAT]))
    assert "short: 37 targets in 150 pages" in alone
    top = next(line for line in alone.splitlines() if "37 short" in line)
    assert len(top.partition("37 short")[0].rstrip().rstrip("⠀")) < 50
