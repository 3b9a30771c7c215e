"""Harvest curves in the terminal: targets found against pages fetched, drawn in braille dots.

A braille character holds two by four dots, so a chart of 56 by 14 characters has 112 by 56 of them. In a
terminal without Unicode the curves are drawn in letters; without colours, all but the first are dashed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from operator import itemgetter

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

_BLANK = 0x2800
# The bits of a braille character's dots, by column and row.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_STYLES = ("bold green", "yellow", "cyan", "magenta", "blue", "red")
_LETTERS = "*o+x#@"
_FAINT = "bright_black"
_AXES = ("│", "┤", "┼", "─")
_ASCII_AXES = ("|", "+", "+", "-")
_PAGES_FETCHED = " pages fetched"
_NARROWEST, _WIDEST = 40, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The curve of a crawl: ``found[n]`` is the number of targets among the first ``n + 1`` pages."""

    name: str
    found: Sequence[int]

    @property
    def total(self) -> int:
        return self.found[-1] if self.found else 0


class HarvestChart:
    """Two or more curves with axes, a label at the end of each, and a legend.

    Print it with rich for colours in the width of the terminal, or with ``str`` as plain text.

    Parameters
    ----------
    curves
        The first is drawn on top.
    height
        Lines between the top of the chart and its lower axis.

    Examples
    --------
    >>> focused, blind = Curve(name="focused", found=[0, 1, 2]), Curve(name="blind", found=[0, 0, 1])
    >>> "2 focused" in str(HarvestChart([focused, blind]))
    True
    """

    def __init__(self, curves: Sequence[Curve], *, height: int = 14) -> None:
        self.curves = tuple(curves)
        self.height = height
        self._pages = max(max((len(curve.found) for curve in curves), default=0), 2)
        self._steps = _steps(max((curve.total for curve in curves), default=0), most=5)

    def __str__(self) -> str:
        return self.text(80, colour=False).plain

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        colour = console.color_system is not None
        yield self.text(options.max_width, colour=colour, letters=options.ascii_only)

    def text(self, width: int, *, colour: bool = True, letters: bool = False) -> Text:
        """Draw the chart, at most ``width`` characters wide; ``letters`` draws it in ASCII."""
        labels = [f" {curve.total} {curve.name}" for curve in self.curves]
        left = len(str(self._steps[-1])) + 3
        right = max(map(len, [*labels, _PAGES_FETCHED])) + 2
        inner = min(max(width, _NARROWEST), _WIDEST) - left - right
        canvas = _Canvas(inner, self.height, self._steps[-1], letters=letters)
        # The first curve last, so that it lies on top.
        for number in reversed(range(len(self.curves))):
            canvas.draw(
                number, self._stretched(self.curves[number], canvas), dashed=number > 0 and not colour
            )
        ends = self._label_rows(canvas)
        ticks = {canvas.row_of(step): step for step in self._steps[1:]}
        bar, tick, corner, line = _ASCII_AXES if letters else _AXES

        chart = Text(no_wrap=True)
        chart.append(f"{'':{left - 1}}targets found\n", style=_FAINT)
        for row in range(self.height):
            chart.append(f" {ticks.get(row, ''):>{left - 3}} {tick if row in ticks else bar}", style=_FAINT)
            for owner, marks in groupby(canvas.marks(row), key=itemgetter(1)):
                chart.append("".join(mark for mark, _ in marks), style="" if owner is None else _style(owner))
            if row in ends:
                chart.append(labels[ends[row]], style=_style(ends[row]))
            chart.append("\n")
        chart.append(f" {0:>{left - 3}} {corner}{line * inner}\n", style=_FAINT)
        chart.append(" " * left + self._lower_axis(inner) + "\n", style=_FAINT)
        for number, curve in enumerate(self.curves):
            sample = _LETTERS[number % len(_LETTERS)] * 2 if letters else _sample(number > 0 and not colour)
            chart.append(f"{'':{left}}{sample} ", style=_style(number))
            chart.append(f"{curve.name}: {curve.total} targets in {len(curve.found)} pages\n")
        chart.rstrip()
        return chart

    def _stretched(self, curve: Curve, canvas: _Canvas) -> list[int]:
        """Return the value of the curve at every column of dots; a shorter crawl ends earlier."""
        places = (column * (self._pages - 1) // (canvas.columns - 1) for column in range(canvas.columns))
        return [curve.found[place] for place in places if place < len(curve.found)]

    def _label_rows(self, canvas: _Canvas) -> dict[int, int]:
        """Return the row of each curve's label: where the curve ends, or the nearest free row."""
        rows: dict[int, int] = {}
        for number in sorted(range(len(self.curves)), key=lambda number: -self.curves[number].total):
            wanted = canvas.row_of(self.curves[number].total)
            free = [row for row in range(self.height) if row not in rows and row > max(rows, default=-1)]
            rows[min(free or [self.height + number], key=lambda row: abs(row - wanted))] = number
        return rows

    def _lower_axis(self, inner: int) -> str:
        axis = [" "] * (inner + 8)
        for step in _steps(self._pages, most=5):
            place = round(step / self._pages * (inner - 1))
            if step <= self._pages:
                axis[place : place + len(str(step))] = str(step)
        return "".join(axis).rstrip() + _PAGES_FETCHED


class _Canvas:
    """A grid of braille dots or letters that curves are drawn on."""

    def __init__(self, width: int, height: int, top: int, *, letters: bool) -> None:
        self._per_column, self._per_row = (1, 1) if letters else (2, 4)
        self.columns, self.rows = width * self._per_column, height * self._per_row
        self._top = top
        self._letters = letters
        self._bits = [[0] * width for _ in range(height)]
        self._owner: list[list[int | None]] = [[None] * width for _ in range(height)]

    def row_of(self, value: int) -> int:
        """Return the row of a value, from the top."""
        return self._dot_row(value) // self._per_row

    def draw(self, number: int, values: Sequence[int], *, dashed: bool) -> None:
        """Draw a line through the values, one per column of dots; steep parts are filled in."""
        before = self._dot_row(values[0]) if values else 0
        for column, value in enumerate(values):
            row = self._dot_row(value)
            steps = range(row, max(before, row + 1))
            before = row
            if dashed and column % 6 > 2:
                continue
            for dot in steps:
                self._set(column, dot, number)

    def marks(self, row: int) -> Iterator[tuple[str, int | None]]:
        """Yield the characters of a row, each with the number of its curve."""
        for bits, owner in zip(self._bits[row], self._owner[row], strict=True):
            if owner is None:
                yield " ", None
            elif self._letters:
                yield _LETTERS[owner % len(_LETTERS)], owner
            else:
                yield chr(_BLANK + bits), owner

    def _dot_row(self, value: int) -> int:
        return round((self.rows - 1) * (1 - value / self._top))

    def _set(self, column: int, dot: int, number: int) -> None:
        x, y = column // self._per_column, dot // self._per_row
        self._bits[y][x] |= _DOTS[column % self._per_column][dot % self._per_row]
        self._owner[y][x] = number


def _steps(highest: int, *, most: int) -> list[int]:
    """Return round numbers from 0 to just past ``highest``, at most ``most`` of them after 0.

    >>> _steps(58, most=5)
    [0, 20, 40, 60]
    >>> _steps(0, most=5)
    [0, 1]
    """
    sizes = (factor * 10**power for power in count() for factor in (1, 2, 5))
    size = next(size for size in sizes if size * most >= highest)
    return [*range(0, max(highest, 1), size), size * max(1, -(-highest // size))]


def _style(number: int) -> str:
    return _STYLES[number % len(_STYLES)]


def _sample(dashed: bool) -> str:
    return "⠒⠂⠒⠂" if dashed else "⠒⠒⠒⠒"
