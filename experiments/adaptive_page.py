"""The page docs/adaptive.md: how ``adaptive`` decides, and what it comes to beside all others.

python -m experiments.adaptive_page runs/           # folders that `homing lab run` has written
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from homing.lab.compare import compare
from homing.lab.results import Results
from homing.strategies.signs import SIGNS
from homing.strategies.usual import WEIGHTS

DOCS = Path(__file__).parents[1] / "docs"
TEXT = Path(__file__).with_name("adaptive.md")
NAME = "adaptive"
WEBS = ("wikispeedia", "webkb")


def main(runs: Path) -> None:
    """Write the page."""
    parts = [TEXT.read_text(), *_signs()]
    for web in WEBS:
        parts += _web(web, Results.read(runs / web), Results.read(runs / f"{web}-adaptive"))
        picture = f"adaptive-{web}-recall.svg"
        shutil.copy(runs / f"{web}-adaptive" / "pictures" / "recall.svg", DOCS / picture)
    (DOCS / "adaptive.md").write_text("\n".join(parts) + "\n")


def _signs() -> Iterator[str]:
    yield "## What usually holds\n"
    yield "The weights that every crawl begins with (`experiments/usual_weights.py`): what a sign adds to the"
    yield "score a page is expected to get, where it is one standard deviation above its mean.\n"
    yield "| sign | weight |"
    yield "|---|---:|"
    yield from (f"| {sign} | {weight:+.3f} |" for sign, weight in zip(SIGNS, WEIGHTS, strict=False))
    yield ""


def _web(web: str, others: Results, mine: Results) -> Iterator[str]:
    names = dict.fromkeys(row.name for row in others.rows if not row.is_limit)
    rows = [row for row in others.rows if row.name in names]
    rows += [row for row in mine.rows if row.name not in names]
    variants = dict.fromkeys(row.name for row in mine.rows if row.name not in (NAME, "link-context"))
    pairs = [(NAME, other) for other in (*names, *variants) if not other.startswith("oracle")]
    oracle = fmean(row.auc_budget for row in mine.rows if row.is_limit)
    share = fmean(row.auc_budget for row in mine.rows if row.name == NAME) / oracle
    yield f"## {web}: against every other strategy\n"
    yield f"![recall by pages fetched](adaptive-{web}-recall.svg)\n"
    draws = max(row.draw for row in mine.rows) + 1
    yield f"AUC to budget, test topics, {draws} draws, paired by topic and draw. Of the oracle's, all units"
    yield f"pooled, `adaptive` has **{share:.0%}**.\n"
    yield "| against | its AUC | adaptive more by | 95 % interval | p (Holm) | verdict |"
    yield "|---|---:|---:|---:|---:|---|"
    for each in compare(rows, pairs, clusters=mine.clusters):
        theirs = fmean(row.auc_budget for row in rows if row.name == each.against)
        interval = f"{each.low:+.3f} to {each.high:+.3f}" if each.low is not None else ""
        p = f"{each.p_holm:.3f}" if each.p_holm is not None else ""
        yield f"| {each.against} | {theirs:.3f} | {each.mean:+.3f} | {interval} | {p} | {each.verdict} |"
    yield ""


if __name__ == "__main__":
    main(Path(sys.argv[1]))
