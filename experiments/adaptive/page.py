"""The page docs/adaptive.md: how ``adaptive`` decides, and how it compares with all others.

python -m experiments.adaptive.page runs/           # folders that `homing lab run` has written
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from experiments.adaptive.steps import picture, steps, table
from homing.lab.results.compare import compare
from homing.lab.results.file import Results
from homing.lab.results.intervals import estimate
from homing.strategies.adaptive.features import FEATURES
from homing.strategies.adaptive.prior import WEIGHTS

DOCS = Path(__file__).parents[2] / "docs"
TEXT = Path(__file__).with_name("page.md")
NAME = "adaptive"
WEBS = ("wikispeedia", "webkb")
BINS = ((0, 5), (5, 10), (10, 20), (20, 40), (40, 101))


def main(runs: Path) -> None:
    """Write the page."""
    parts = [TEXT.read_text(), *_features(), *_one_crawl()]
    for web in WEBS:
        parts += _web(web, Results.read(runs / web), Results.read(runs / f"{web}-adaptive"))
        picture = f"adaptive-{web}-recall.svg"
        shutil.copy(runs / f"{web}-adaptive" / "pictures" / "recall.svg", DOCS / picture)
    parts += _limits(json.loads((runs / "adaptive-limits.json").read_text()))
    trials = json.loads((runs / "adaptive-trials.json").read_text())
    parts += [*_trials(trials["trials"]), *_yields(trials["yields"])]
    (DOCS / "adaptive.md").write_text("\n".join(parts) + "\n")


def _features() -> Iterator[str]:
    yield "## The prior weights\n"
    yield "The weights that every crawl starts with (`experiments/adaptive/prior_weights.py`): what a feature"
    yield "adds to the expected score of a page where it is one standard deviation above its mean.\n"
    yield "| feature | weight |"
    yield "|---|---:|"
    yield from (f"| {feature} | {weight:+.3f} |" for feature, weight in zip(FEATURES, WEIGHTS, strict=False))
    yield ""


def _one_crawl() -> Iterator[str]:
    rows = steps()
    (DOCS / "adaptive-steps.svg").write_text(picture(rows))
    yield "## One crawl, step by step\n"
    yield "The crawl of `homing demo`; `homing explain` shows the same for any step:\n"
    yield "![what was expected of each page, and what it got](adaptive-steps.svg)\n"
    yield from table(rows)
    yield ""


def _limits(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "## The limit\n"
    yield "Crawls that may read every queued page before they choose one, which no crawler can"
    yield "(`experiments/adaptive/limits.py`): AUC to budget, test topics, two draws, and how much of the"
    yield "oracle's that is. The one trained on the examples knows as much of the topic as `adaptive` does.\n"
    yield "| | " + " | ".join(f"{web} | of the oracle" for web in WEBS) + " |"
    yield "|---|" + "---:|---:|" * len(WEBS)
    for limit in dict.fromkeys(row["limit"] for row in rows):
        cells = []
        for web in WEBS:
            mine, best = (
                fmean(row["auc"] for row in rows if (row["web"], row["limit"]) == (web, name))
                for name in (limit, "oracle")
            )
            cells += [f"{mine:.3f}", f"{mine / best:.1%}"]
        yield f"| {limit} | " + " | ".join(cells) + " |"
    yield ""


def _trials(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "## What each part is worth\n"
    yield "Development topics, one draw, AUC to budget (`experiments/adaptive/trials.py`). Each line is"
    yield "`adaptive` without one part: what that changes, paired by topic, with 95 % intervals over"
    yield "topics (webkb: over its two classes, so that the interval says little). The prior weights"
    yield "were not refitted for what is left.\n"
    yield "| | " + " | ".join(f"{web} | change" for web in WEBS) + " |"
    yield "|---|" + "---:|---:|" * len(WEBS)
    found = {(row["web"], row["trial"], row["topic"]): row["auc"] for row in rows}
    for trial in dict.fromkeys(row["trial"] for row in rows):
        cells = []
        for web in WEBS:
            mine = {
                topic: auc for (where, name, topic), auc in found.items() if (where, name) == (web, trial)
            }
            change = estimate(
                {topic: auc - found[web, NAME, topic] for topic, auc in mine.items()},
                {topic: topic.split()[0] for topic in mine} if web == "webkb" else None,
            )
            cells.append(f"{fmean(mine.values()):.3f}")
            cells.append(
                "" if trial == NAME else f"{change.mean:+.3f} [{change.low:+.3f}, {change.high:+.3f}]"
            )
        yield f"| {trial} | " + " | ".join(cells) + " |"
    yield ""


def _yields(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "## Is the yield predicted right?\n"
    yield "`--yield-below N` stops a crawl when fewer than N of the next hundred pages are expected to be"
    yield "relevant. It expects as many as in the last hundred. On the same topics, crawled to 30 % of the"
    yield "web and checked every 50 pages: relevant pages expected, found by the judge, and by the labels.\n"
    yield "| web | expected of the next 100 | checks | by the judge | error | by the labels |"
    yield "|---|---:|---:|---:|---:|---:|"
    for web in WEBS:
        for low, high in BINS:
            some = [row for row in rows if row["web"] == web and low <= row["expected"] < high]
            if some:
                came, true = (fmean(row[name] for row in some) for name in ("came", "true"))
                off = fmean(abs(row["came"] - row["expected"]) for row in some)
                yield (
                    f"| {web} | {low} to {high} ({fmean(row['expected'] for row in some):.1f}) | {len(some)} "
                    f"| {came:.1f} | {off:.1f} | {true:.1f} |"
                )
    yield ""


def _web(web: str, others: Results, mine: Results) -> Iterator[str]:
    names = dict.fromkeys(row.name for row in others.rows if not row.is_limit)
    rows = [row for row in others.rows if row.name in names]
    units = {(row.topic, row.draw) for row in rows}
    rows += [row for row in mine.rows if row.name not in names and (row.topic, row.draw) in units]
    variants = dict.fromkeys(row.name for row in mine.rows if row.name not in (NAME, "link-context"))
    pairs = [(NAME, other) for other in (*names, *variants) if not other.startswith("oracle")]
    yield f"## {web}: against every other strategy\n"
    yield f"![recall by pages fetched](adaptive-{web}-recall.svg)\n"
    paired = [row for row in mine.rows if (row.topic, row.draw) in units]
    yield f"AUC to budget, test topics, {max(row.draw for row in mine.rows) + 1} draws, all units pooled:\n"
    for told in [mine.rows, paired] if len(paired) < len(mine.rows) else [paired]:
        mean = fmean(row.auc_budget for row in told if row.name == NAME)
        share = mean / fmean(row.auc_budget for row in told if row.is_limit)
        topics = len({row.topic for row in told})
        yield f"- of {topics} topics `adaptive` has {mean:.3f}, **{share:.1%}** of what the oracle has."
    yield f"\nPaired with the others by topic and draw, {len({topic for topic, _ in units})} topics:\n"
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
