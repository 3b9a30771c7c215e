"""One dot for each strategy: AUC up to the budget, with its interval, best on top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from homing.lab.pictures.style import GREY, INK, LIMIT, PLAIN, Style, new_figure
from homing.lab.results.file import Results
from homing.lab.results.rows import by_name, by_topic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEASURE = "auc_budget"


def dots(results: Results, styles: Mapping[str, Style]) -> Figure:
    """Draw a dot for each strategy, the oracle as a line, and single topics as small strokes."""
    strategies = [each for each in reversed(results.summary) if not each.is_limit]
    rows = by_name(results.rows)
    figure = new_figure(7.2, 1.1 + 0.27 * len(strategies))
    axes = figure.add_subplot()
    for place, each in enumerate(strategies):
        known = each.estimates[MEASURE]
        style = styles.get(each.name, PLAIN)
        colour = style.colour if each.name in styles else "#737373"
        topics = list(by_topic(rows[each.name], MEASURE).values())
        axes.plot(topics, [place] * len(topics), "|", color=GREY, markersize=6, markeredgewidth=0.8)
        if known.low is not None and known.high is not None:
            axes.plot([known.low, known.high], [place, place], color=colour, linewidth=2.2)
        axes.plot([known.mean], [place], style.marker, color=colour, markersize=6)
        axes.annotate(
            f"{known.mean:.2f}", (1.01, place), xycoords=("axes fraction", "data"), fontsize=8, va="center"
        )
    limits = [each.estimates[MEASURE] for each in results.summary if each.is_limit]
    for limit in limits[:1]:
        axes.axvline(limit.mean, color=LIMIT.colour, linestyle=LIMIT.dash, linewidth=LIMIT.width)
        axes.annotate(
            f"oracle {limit.mean:.2f}",
            (limit.mean, 1),
            (0, 3),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.set_yticks(range(len(strategies)), [each.name for each in strategies])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="x")
    axes.set_ylim(-0.7, len(strategies) - 0.3)
    axes.set_xlim(left=0)
    axes.set_xlabel("AUC up to the budget: mean and 95 % interval; a stroke is a topic", color=INK)
    figure.suptitle(f"strategies on {results.web}", x=0.01, ha="left", fontsize=10)
    return figure
