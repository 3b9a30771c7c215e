"""Quality against cost: AUC up to the budget over the CPU time that a strategy takes for a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from homing.lab.pictures.dots import MEASURE
from homing.lab.pictures.style import GREY, INK, PLAIN, Style, new_figure
from homing.lab.results.file import Results
from homing.lab.results.timings import Timings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEAST_MS = 0.001
"""Lower end of the logarithmic axis, where strategies that cost nothing are drawn."""


class Point(Struct, frozen=True):
    """A strategy: its cost of a page in ms, and its AUC with the interval."""

    name: str
    ms: float
    quality: float
    low: float
    high: float


def costs(results: Results, timings: Timings, styles: Mapping[str, Style]) -> Figure:
    """Draw quality against cost, without the oracle, which no crawl could use."""
    figure = new_figure(7.6, 4.8)
    axes = figure.add_subplot()
    points = []
    for each in results.summary:
        ms, known = timings.cpu_ms(each.name), each.estimates[MEASURE]
        if ms is None or each.is_limit:
            continue
        low, high = (known.mean if end is None else end for end in (known.low, known.high))
        point = Point(each.name, max(ms, _LEAST_MS), known.mean, low, high)
        points.append(point)
        style = styles.get(each.name, PLAIN)
        colour = style.colour if each.name in styles else "#737373"
        axes.plot([point.ms] * 2, [low, high], color=colour, linewidth=1, alpha=0.5)
        axes.plot([point.ms], [point.quality], style.marker, color=colour, markersize=6)
    best = frontier(points)
    axes.plot(
        [point.ms for point in best], [point.quality for point in best], color=GREY, linewidth=0.8, zorder=1
    )
    _mark_milliseconds(axes)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("CPU ms a page, of the strategy alone, fits apart")
    axes.set_ylabel("AUC up to the budget")
    axes.set_title(f"quality against cost on {results.web}; the line joins those that nothing cheaper beats")
    _label(figure, axes, points, styles)
    return figure


def _mark_milliseconds(axes: Axes) -> None:
    """Mark a logarithmic axis with plain numbers: .1 .2 .5 1 2 5 rather than powers of ten."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(lambda ms, _: f"{ms:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())


def frontier(points: list[Point]) -> list[Point]:
    """Return the points that no cheaper one equals, cheapest first.

    >>> a, b, c = Point("a", 2, 0.3, 0, 1), Point("b", 1, 0.4, 0, 1), Point("c", 3, 0.5, 0, 1)
    >>> [point.name for point in frontier([a, b, c])]
    ['b', 'c']
    """
    kept: list[Point] = []
    for point in sorted(points, key=lambda point: (point.ms, -point.quality)):
        if not kept or point.quality > kept[-1].quality:
            kept.append(point)
    return kept


def _label(figure: Figure, axes: Axes, points: list[Point], styles: Mapping[str, Style]) -> None:
    """Write each name beside its point, on the side where it covers least."""
    figure.draw_without_rendering()  # positions of points are known only now
    a_pixel = 72 / figure.dpi
    right = axes.get_window_extent().x1 * a_pixel

    def place(point: Point, quality: float) -> tuple[float, float]:
        x, y = axes.transData.transform((point.ms, quality))
        return float(x) * a_pixel, float(y) * a_pixel

    names = [_around(*place(point, point.quality)) for point in points]
    strokes = [(*place(point, point.low), *place(point, point.high)) for point in points]
    for point in points:
        x, y = place(point, point.quality)
        width = _LETTER * len(point.name)
        sides = {
            (dx, dy): (
                x + dx - (width if dx < 0 else 0),
                y + dy,
                x + dx + (width if dx > 0 else 0),
                y + dy + _LINE,
            )
            for dy in (-3, 7, -13, 17, -23)
            for dx in (7, -7)
        }
        hidden = {
            side: 10 * _overlaps(box, names) + 10 * (box[2] > right) + _overlaps(box, strokes)
            for side, box in sides.items()
        }
        side = min(sides, key=hidden.__getitem__)
        names.append(sides[side])
        axes.annotate(
            point.name,
            (point.ms, point.quality),
            side,
            textcoords="offset points",
            ha="left" if side[0] > 0 else "right",
            fontsize=8,
            color=styles[point.name].colour if point.name in styles else INK,
        )


Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points."""
_LETTER, _LINE = 5.0, 8.0
"""Approximate width of a letter, and height of a line."""


def _around(x: float, y: float) -> Box:
    return x - 4, y - 4, x + 4, y + 4


def _overlaps(box: Box, others: Iterable[Box]) -> int:
    left, bottom, right, top = box
    return sum(
        left < other[2] and other[0] < right and bottom < other[3] and other[1] < top for other in others
    )
