"""Results as pictures, PNG and SVG. Needs matplotlib, which is loaded only when something is drawn.

``curves``  recall and harvest by pages fetched, averaged in ``means``
``dots``    AUC by strategy; ``costs`` quality against cost
``style``   colours, fonts and files, the same for all
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from homing.lab.pictures.costs import costs
from homing.lab.pictures.curves import by_topic, overview
from homing.lab.pictures.dots import dots
from homing.lab.pictures.means import KINDS
from homing.lab.pictures.style import drawing, highlighted, save
from homing.lab.results.file import Results
from homing.lab.results.timings import Timings
from homing.lab.runs import Run

__all__ = ["draw"]


def draw(
    runs: Sequence[Run], results: Results, timings: Timings, folder: Path, *, highlight: Sequence[str] = ()
) -> list[Path]:
    """Draw all pictures of an experiment into a folder; return their paths.

    Only runs with a row in the results are drawn: pictures show what tables show.

    Parameters
    ----------
    highlight
        Strategies to highlight, by the names in the tables. Default: the four best, breadth-first, random
        and the oracle.
    """
    styles = highlighted(results, highlight)
    known = {(row.topic, row.name, row.draw) for row in results.rows}
    shown = {(run.unit.topic, run.name, run.unit.draw): run for run in runs}
    runs = [shown[key] for key in sorted(known & shown.keys())]
    if not runs:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    with drawing():
        pictures = {"auc-budget": dots(results, styles), "cost": costs(results, timings, styles)}
        for kind in KINDS:
            pictures[kind.name] = overview(kind, runs, results, styles)
            pictures[f"{kind.name}-by-topic"] = by_topic(kind, runs, results, styles)
        return [path for name, picture in pictures.items() for path in save(picture, folder, name)]
