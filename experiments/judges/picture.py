"""The picture on docs/judges.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from experiments.judges.recorded import WIKISPEEDIA
from experiments.judges.rows import BARS, Line, Row, Value, lines_of

AUC: Value = attrgetter("roc_auc")
WIDTH, ROW, LEFT, RIGHT, TOP, BOTTOM = 760, 28, 330, 30, 52, 34
LOWEST = 0.5


def as_picture(rows: Sequence[Row]) -> str:
    """Draw the ROC-AUC of every contender on wikispeedia as a dot with its interval, and the bar."""
    lines = lines_of(rows, WIKISPEEDIA)
    height = TOP + ROW * len(lines) + BOTTOM
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            'font-family="system-ui, sans-serif" font-size="14" fill="#808080">',
            '<text x="10" y="24" font-size="15">ROC-AUC on wikispeedia, mean and 95 % interval; '
            "a stroke is what should be reached</text>",
            *_axis(height),
            *(mark for place, line in enumerate(lines) for mark in _marks(line, TOP + ROW * (place + 0.5))),
            "</svg>",
            "",
        ]
    )


def _axis(height: int) -> Iterator[str]:
    for tick in range(5, 11):
        x = _x(tick / 10)
        yield f'<path d="M{x:.1f} {TOP}V{height - BOTTOM}" stroke="#808080" stroke-opacity=".3"/>'
        yield f'<text x="{x:.1f}" y="{height - 12}" text-anchor="middle">{tick / 10:.1f}</text>'


def _marks(line: Line, y: float) -> Iterator[str]:
    low, high = line.interval_of(AUC)
    yield f'<text x="10" y="{y + 5:.1f}"><tspan font-weight="bold">{line.judge}</tspan> {line.told}</text>'
    yield f'<path d="M{_x(low):.1f} {y:.1f}H{_x(high):.1f}" stroke="#2a9d5c" stroke-width="3"/>'
    yield f'<circle cx="{_x(line.mean_of(AUC)):.1f}" cy="{y:.1f}" r="5" fill="#2a9d5c"/>'
    if bar := BARS.get((line.judge, line.told)):
        yield f'<path d="M{_x(bar):.1f} {y - 10:.1f}v20" stroke="#c77700" stroke-width="2.5"/>'


def _x(auc: float) -> float:
    return LEFT + (max(auc, LOWEST) - LOWEST) / (1 - LOWEST) * (WIDTH - LEFT - RIGHT)
