"""Recall and harvest curves: one panel over all topics, and one for each topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from homing.lab.pictures.means import Curve, Kind, over_draws, over_topics
from homing.lab.pictures.style import GREY, INK, PLAIN, Style, new_figure, spread
from homing.lab.results.file import Results
from homing.lab.results.measures import ORACLE
from homing.lab.runs import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 4
_FEW_POINTS = 80
"""Points of a curve in a small panel: a picture of thirty panels is large enough."""


def overview(kind: Kind, runs: Sequence[Run], results: Results, styles: Mapping[str, Style]) -> Figure:
    """Draw one panel over all topics, with a label at the end of each line."""
    figure = new_figure(8.2, 4.8)
    axes = figure.add_subplot()
    curves = over_topics(kind, runs, styles, results.clusters)
    _panel(axes, kind, curves, styles, runs)
    _label_ends(axes, [curve for curve in curves if curve.name in styles], styles)
    topics = len({run.unit.topic for run in runs})
    over = f"mean over {topics} topics, with 95 % intervals" if topics > 1 else runs[0].unit.topic
    axes.set_title(f"{kind.name} on {results.web}: {over}")
    axes.set_xlabel("share of the reachable pages fetched")
    axes.set_ylabel(kind.says)
    grey = sorted(curve.name for curve in curves if curve.name not in styles)
    if grey:
        figure.supxlabel("grey, thin: " + ", ".join(grey), fontsize=7, color="#737373", wrap=True)
    return figure


def by_topic(kind: Kind, runs: Sequence[Run], results: Results, styles: Mapping[str, Style]) -> Figure:
    """Draw a small panel over all topics, and one for each."""
    topics = sorted({run.unit.topic for run in runs})
    panels: list[tuple[str, Sequence[Run], list[Curve]]] = [
        ("all topics", runs, over_topics(kind, runs, styles, results.clusters, _FEW_POINTS))
    ]
    for topic, title in zip(topics, _shortened(topics), strict=True):
        of_topic = [run for run in runs if run.unit.topic == topic]
        panels.append((title, of_topic, over_draws(kind, of_topic, styles, _FEW_POINTS)))
    columns = min(_COLUMNS, len(panels))
    rows = ceil(len(panels) / columns)
    figure = new_figure(0.4 + 2.5 * columns, 1.1 + 1.9 * rows)
    grid = list(figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=kind.has_limit).flat)
    for axes, (title, own, curves) in zip(grid, panels, strict=False):
        _panel(axes, kind, curves, styles, own)
        axes.set_title(title, fontsize=8, fontweight="bold" if title == "all topics" else "normal")
        axes.tick_params(labelsize=7)
    grid[0].set_xlim(0, max(float(curves[0].shares[-1]) for _, _, curves in panels))
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    for axes in grid[-2 * columns : len(panels)][-columns:]:  # the lowest panel of each column
        axes.tick_params(labelbottom=True)
    figure.supxlabel("share of the reachable pages fetched", fontsize=9)
    over = "over draws, in the first panel over topics"
    _key(figure, styles, f"{kind.name} on {results.web}: {kind.says}; bands: 95 % intervals {over}")
    return figure


def _panel(
    axes: Axes, kind: Kind, curves: Sequence[Curve], styles: Mapping[str, Style], runs: Sequence[Run]
) -> None:
    for curve in sorted(curves, key=lambda curve: curve.name in styles):
        style = styles.get(curve.name, PLAIN)
        axes.plot(curve.shares, curve.mean, color=style.colour, linestyle=style.dash, linewidth=style.width)
        if curve.low is not None and curve.high is not None:
            axes.fill_between(curve.shares, curve.low, curve.high, color=style.colour, alpha=0.1, linewidth=0)
    budget = float(np.mean([run.budget / run.reachable for run in runs]))
    axes.axvline(budget, color=INK, linewidth=0.8)
    axes.annotate(
        "budget",
        (budget, 1),
        (3, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        fontsize=7,
        va="top",
    )
    axes.set_xlim(0, round(float(curves[0].shares[-1]), 3))
    axes.set_ylim(0, 1.1 if kind.has_limit else _top(curves))
    axes.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")


def _top(curves: Sequence[Curve]) -> float:
    """Return the end of the axis: a little above the best strategy; the oracle would flatten them."""
    peaks = [float(curve.mean.max()) for curve in curves if curve.name != ORACLE]
    return min(1.1, 1.2 * max([0.01, *peaks]))


def _label_ends(axes: Axes, curves: Sequence[Curve], styles: Mapping[str, Style]) -> None:
    """Write names beside the ends of lines, with a stroke where they had to move apart."""
    # Of lines with the same end, the better one overall is named above the other.
    curves = sorted(curves, key=lambda curve: float(curve.mean.mean()))
    top = axes.get_ylim()[1]
    ends = [min(float(curve.mean[-1]) / top, 1.0) for curve in curves]
    for curve, end, place in zip(curves, ends, spread(ends, 0.05), strict=True):
        in_axes = axes.transAxes
        axes.plot([1.005, 1.035], [end, place], color=GREY, linewidth=0.7, transform=in_axes, clip_on=False)
        axes.text(1.04, place, curve.name, color=styles[curve.name].colour, va="center", transform=in_axes)


def _key(figure: Figure, styles: Mapping[str, Style], title: str) -> None:
    from matplotlib.lines import Line2D

    lines = [
        Line2D([], [], color=style.colour, linestyle=style.dash, linewidth=style.width)
        for style in styles.values()
    ]
    names = list(styles)
    figure.legend(
        lines,
        names,
        title=title,
        loc="outside upper left",
        ncols=4,
        frameon=False,
        fontsize=8,
        handlelength=3.5,
        alignment="left",
    )


def _shortened(topics: Sequence[str]) -> list[str]:
    """Return the last parts of labels, if these are still different for all topics.

    >>> _shortened(["subject.Science.Ice_ages", "subject.Art"])
    ['Ice ages', 'Art']
    >>> _shortened(["art.History", "science.History"])
    ['art.History', 'science.History']
    """
    names = [topic.rpartition(".")[2].replace("_", " ") for topic in topics]
    return names if len(set(names)) == len(topics) else list(topics)
