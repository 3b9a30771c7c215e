"""The look of pictures: a few lines highlighted by colour, dash and label; the rest thin and grey."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from homing.errors import UsageError, did_you_mean
from homing.files import whole_file
from homing.lab.results.file import Results
from homing.lab.results.measures import ORACLE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg")
GREY = "#b3b3b3"
INK = "#333333"
_BEST = 4
"""Number of the best strategies that are highlighted by default."""


class Style(Struct, frozen=True):
    """The colour, dash and width of a strategy."""

    colour: str
    dash: Literal["-"] | tuple[float, tuple[float, ...]]
    marker: str
    width: float = 1.8


PLAIN = Style(GREY, "-", "o", 0.7)
LIMIT = Style("#000000", "-", "*", 1.1)
_KNOWN = {
    ORACLE: LIMIT,
    "breadth-first": Style("#595959", (0, (5, 2)), "s", 1.6),
    "random": Style("#8c8c8c", (0, (1, 2.5)), "x", 1.6),
}
# Okabe and Ito's colours, which colour-blind people can distinguish; in grey, dark and light ones alternate.
_OTHERS = (
    Style("#0072b2", "-", "o", 2.2),
    Style("#d55e00", (0, (7, 1.5)), "D"),
    Style("#009e73", (0, (7, 1.5, 1.2, 1.5)), "^"),
    Style("#cc79a7", (0, (3, 1.2)), "v"),
    Style("#56b4e9", "-", "P"),
    Style("#e69f00", (0, (4, 1, 1, 1, 1, 1)), "X"),
)


def highlighted(results: Results, chosen: Sequence[str] = ()) -> Mapping[str, Style]:
    """Return the strategies to highlight, best first: those chosen, or the best few and the baselines."""
    names = [each.name for each in results.summary]
    for name in chosen:
        if name not in names:
            raise UsageError(f'no run of "{name}" to highlight{did_you_mean(name, names)}')
    wanted = set(chosen) or {*_KNOWN, *[name for name in names if name not in _KNOWN][:_BEST]}
    others = [name for name in names if name in wanted and name not in _KNOWN]
    styles = {name: _OTHERS[place % len(_OTHERS)] for place, name in enumerate(others)} | _KNOWN
    return {name: styles[name] for name in names if name in wanted}


@contextmanager
def drawing() -> Iterator[None]:
    """Apply our style, so that equal pictures are equal files; matplotlib, slow to load, is loaded here."""
    try:
        import matplotlib
    except ImportError:
        raise UsageError('pictures need matplotlib: pip install "homing[lab]"') from None
    look: dict[Any, Any] = {  # matplotlib has its own type for keys
        "font.family": "DejaVu Sans",  # comes with matplotlib
        "font.size": 9,
        "text.parse_math": False,  # a topic may be about dollars
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": "#808080",
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.grid": True,
        "grid.color": "#e6e6e6",
        "grid.linewidth": 0.6,
        "xtick.color": INK,
        "ytick.color": INK,
        "figure.constrained_layout.use": True,
        "svg.fonttype": "none",  # text stays text
        "svg.hashsalt": "homing",
    }
    with matplotlib.rc_context(look):
        yield


def new_figure(width: float, height: float) -> Figure:
    """Return an empty picture, in inches. It belongs to no window and no global state."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a picture in every format; the layout, which takes longest, is computed once."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    paths = [folder / f"{name}.{kind}" for kind in FORMATS]
    for path in paths:
        # No date and no version: the same figures give the same file.
        metadata = {"Date": None} if path.suffix == ".svg" else {"Software": None}
        with whole_file(path) as file:
            figure.savefig(file, format=path.suffix[1:], dpi=160, metadata=metadata)
    return paths


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Return positions from 0 to 1 for labels, near their values and at least ``gap`` apart.

    >>> spread([0.5, 0.2, 0.5], 0.1)
    [0.45, 0.2, 0.55]
    >>> spread([0.0, 0.0], 0.1)
    [0.0, 0.1]
    """
    heaps: list[list[int]] = []
    for index in sorted(range(len(places)), key=places.__getitem__):
        heaps.append([index])
        while len(heaps) > 1 and _lowest(heaps[-1], places, gap) < (
            _lowest(heaps[-2], places, gap) + len(heaps[-2]) * gap
        ):
            heaps[-2:] = [[*heaps[-2], *heaps[-1]]]
    found = {
        index: _lowest(heap, places, gap) + number * gap
        for heap in heaps
        for number, index in enumerate(heap)
    }
    return [round(found[index], 6) for index in range(len(places))]


def _lowest(heap: Sequence[int], places: Sequence[float], gap: float) -> float:
    """Return the lowest position of a group of labels, centred on its mean and within 0 and 1."""
    height = (len(heap) - 1) * gap
    middle = sum(places[index] for index in heap) / len(heap)
    return max(0.0, min(middle - height / 2, 1.0 - height))
