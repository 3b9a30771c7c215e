"""The picture in the README, drawn from a real run: ``make pictures``."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from homing.demo.demonstration import Demonstration, demonstrate
from homing.demo.harvest_chart import Curve

HERE = Path(__file__).parent
WIDTH, HEIGHT = 760, 340
LEFT, RIGHT, TOP, BOTTOM = 50, 200, 44, 40
TOP_VALUE = 100
# Told apart by colour, by line and by the label at the end; both read on white and on black.
STYLES = ('stroke="#2a9d5c" stroke-width="3"', 'stroke="#c77700" stroke-width="2.5" stroke-dasharray="6 4"')


def draw(shown: Demonstration) -> str:
    """Draw both curves as an SVG picture."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="system-ui, sans-serif" font-size="14" fill="#808080">',
            f'<text x="{LEFT}" y="22" font-size="15">Pages on “{shown.topic}” found, '
            f"of {shown.targets} among 1,500</text>",
            *_axes(shown.pages),
            *_curve(shown.focused, shown.pages, STYLES[0]),
            *_curve(shown.blind, shown.pages, STYLES[1]),
            "</svg>",
            "",
        ]
    )


def _axes(pages: int) -> Iterator[str]:
    for value in range(0, TOP_VALUE + 1, 20):
        y = _y(value)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#808080" stroke-opacity=".3"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{value}</text>'
    for page in range(0, pages + 1, 100):
        yield f'<text x="{_x(page, pages):.1f}" y="{HEIGHT - 18}" text-anchor="middle">{page}</text>'
    yield f'<text x="{WIDTH - RIGHT + 24}" y="{HEIGHT - 18}">pages fetched</text>'


def _curve(curve: Curve, pages: int, style: str) -> Iterator[str]:
    points = " ".join(
        f"{_x(page, pages):.1f},{_y(found):.1f}" for page, found in enumerate(curve.found, start=1)
    )
    colour = style.split('"')[1]
    yield f'<polyline points="{points}" fill="none" {style}/>'
    yield (
        f'<text x="{WIDTH - RIGHT + 10}" y="{_y(curve.total) + 5:.1f}" fill="{colour}">'
        f"<tspan font-weight='bold'>{curve.total}</tspan> {curve.name}</text>"
    )


def _x(page: int, pages: int) -> float:
    return LEFT + page / pages * (WIDTH - LEFT - RIGHT)


def _y(found: int) -> float:
    return HEIGHT - BOTTOM - found / TOP_VALUE * (HEIGHT - TOP - BOTTOM)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        (HERE / "demo.svg").write_text(draw(demonstrate(Path(folder) / "crawl", pages=300)))
