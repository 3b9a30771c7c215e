"""One crawl step by step: what ``adaptive`` expected of each page, by which features, and its judgement.

The crawl is that of ``homing demo``, on the built-in little web, so that anyone can look at every step of it.
Used by ``page.py``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from homing.demo.demonstration import demonstrate
from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader

PAGES = 120
SHOWN = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 300, 50, 20, 60, 40


def steps() -> list[PageRow]:
    """Return the pages of the demo in the order in which they were fetched."""
    with tempfile.TemporaryDirectory() as folder:
        demonstrate(Path(folder) / "demo", pages=PAGES, seed=1, progress=lambda name, done: None)
        with Reader(Path(folder) / "demo") as reader:
            return [row for row in reader.pages() if row.score is not None]


def table(rows: Sequence[PageRow]) -> Iterator[str]:
    """Yield a table of some of the steps."""
    yield "| step | page | `prior` | `learnt` | heaviest features | expected | judged |"
    yield "|---:|---|---:|---:|---|---:|---:|"
    for row in rows:
        if row.step in SHOWN:
            parts = dict(row.priority_why)
            firsts = [f"{parts.pop(name):+.2f}" if name in parts else "" for name in ("prior", "learnt")]
            features = ", ".join(f"{name} {value:+.2f}" for name, value in parts.items() if name != "seed")
            expected = "seed" if "seed" in parts else f"{row.priority:.2f}"
            cells = [str(row.step), row.title, *firsts, features, expected, f"**{row.score:.2f}**"]
            yield f"| {' | '.join(cells)} |"


def picture(rows: Sequence[PageRow]) -> str:
    """Draw the expected score of every page as a ring, its score as a dot, and a line between them."""
    last = max(row.step for row in rows)

    def place(step: int, score: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * (step - 1) / max(1, last - 1)
        return x, TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(max(score, 0.0), 1.0))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="13" fill="#808080">',
        f'<text x="{LEFT}" y="20" font-size="15">The first {last} pages of homing demo</text>',
        f'<text x="{LEFT}" y="40">ring: what adaptive expected; dot: what the judge said, '
        "filled where the page is relevant</text>",
    ]
    for score in (0.0, 0.5, 1.0):
        _, y = place(1, score)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#808080" stroke-opacity=".3"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{score:g}</text>')
    for step in range(20, last + 1, 20):
        x, _ = place(step, 0)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 14}" text-anchor="middle">{step}</text>')
    for row in rows:
        assert row.score is not None
        (x, expected), (_, got) = place(row.step, row.priority), place(row.step, row.score)
        fill = "#2a9d5c" if row.relevant else "none"
        parts.append(f'<path d="M{x:.1f} {expected:.1f}V{got:.1f}" stroke="#808080" stroke-opacity=".5"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{expected:.1f}" r="2" fill="none" stroke="#808080"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{got:.1f}" r="3" fill="{fill}" stroke="#2a9d5c"/>')
    return "\n".join([*parts, "</svg>", ""])
