"""Is one strategy better than another? Paired by topic and draw, with an interval and a test."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from homing.errors import UsageError, did_you_mean
from homing.extras import check_installed
from homing.lab.results.intervals import Clusters, Estimate, estimate, grouped
from homing.lab.results.measures import MEASURES, measure
from homing.lab.results.rows import Row, by_name

FEWEST = 6
"""Minimum of independent topics for a test; below, differences are only reported. Five of them agree by
chance once in sixteen times."""

Verdict = Literal["better", "worse", "undecided", "not tested"]


class Comparison(Struct, frozen=True, kw_only=True):
    """The difference in a measure between two strategies, on the same topics with the same examples."""

    strategy: str
    against: str
    measure: str
    units: int
    """Topics on which both were run."""
    witnesses: int
    """Independent topics: those of one cluster count once."""
    mean: float
    low: float | None
    high: float | None
    p: float | None
    """Wilcoxon's signed-rank test, two-sided; ``None`` with fewer than six independent topics."""
    p_holm: float | None = None
    """The same, corrected by Holm for all comparisons made together."""
    verdict: Verdict
    """Better or worse only where the interval excludes 0, and with enough independent topics."""


def compare(
    rows: Iterable[Row],
    pairs: Iterable[tuple[str, str]],
    *,
    by: str = "auc_budget",
    clusters: Clusters | None = None,
) -> tuple[Comparison, ...]:
    """Compare the strategies of each pair, the first against the second.

    Holm's correction is over all of these pairs.
    """
    found = by_name(rows)
    pairs = list(pairs)
    for name in dict.fromkeys(name for pair in pairs for name in pair):
        if name not in found:
            raise UsageError(f'no run of "{name}" to compare{did_you_mean(name, found)}')
    by = _comparable(by)
    compared = [_compared(found, *pair, by, clusters or {}) for pair in pairs]
    return _corrected([each for each in compared if each])


def against(
    rows: Sequence[Row], baseline: str, *, by: str = "auc_budget", clusters: Clusters | None = None
) -> tuple[Comparison, ...]:
    """Compare every strategy with one of them; the oracle is left out."""
    others = dict.fromkeys(row.name for row in rows if row.name != baseline and not row.is_limit)
    return compare(rows, [(name, baseline) for name in others], by=by, clusters=clusters)


def _comparable(name: str) -> str:
    known = measure(name)
    if known.kind != "quality":
        usable = ", ".join(each.name for each in MEASURES.values() if each.kind == "quality")
        raise UsageError(
            f"{known.name} is not compared: not every run has one, or not twice the same; take {usable}"
        )
    return known.name


def _compared(
    found: dict[str, list[Row]], name: str, other: str, by: str, clusters: Clusters
) -> Comparison | None:
    """Compare two strategies; return ``None`` where they share no unit, because one failed on each."""
    theirs = {(row.topic, row.draw): getattr(row, by) for row in found[other]}
    draws: dict[str, list[float]] = {}
    for row in found[name]:
        mine, other_value = getattr(row, by), theirs.get((row.topic, row.draw))
        if mine is not None and other_value is not None:
            draws.setdefault(row.topic, []).append(mine - other_value)
    if not draws:
        return None
    differences = {topic: fmean(values) for topic, values in draws.items()}
    groups = grouped(sorted(differences), clusters)
    how_much = estimate(differences, clusters)
    p = _wilcoxon([fmean(differences[topic] for topic in group) for group in groups])
    return Comparison(
        strategy=name,
        against=other,
        measure=by,
        units=len(differences),
        witnesses=len(groups),
        mean=how_much.mean,
        low=how_much.low,
        high=how_much.high,
        p=p,
        verdict="not tested" if p is None else _verdict(how_much),
    )


def _verdict(difference: Estimate) -> Verdict:
    if difference.low is not None and difference.low > 0:
        return "better"
    return "worse" if difference.high is not None and difference.high < 0 else "undecided"


def _wilcoxon(differences: list[float]) -> float | None:
    if len(differences) < FEWEST:
        return None
    # Differences too small to be written count as none, and equal differences must tie.
    rounded = np.round(differences, 9)
    if not rounded.any():
        return 1.0
    # scipy.stats takes most of a second to import, so it is imported only for a test.
    check_installed("scipy", extra="lab", purpose="to compare strategies Homing")
    stats: Any = importlib.import_module("scipy.stats")
    return _digits(stats.wilcoxon(rounded).pvalue)


def _corrected(compared: list[Comparison]) -> tuple[Comparison, ...]:
    """Correct by Holm: the smallest of m p-values times m, the next times m - 1, ..., never falling."""
    tested = sorted((each for each in compared if each.p is not None), key=lambda each: each.p or 0.0)
    corrected: dict[tuple[str, str], float] = {}
    highest = 0.0
    for place, each in enumerate(tested):
        highest = max(highest, min(1.0, (len(tested) - place) * (each.p or 0.0)))
        corrected[each.strategy, each.against] = _digits(highest)
    return tuple(replace(each, p_holm=corrected.get((each.strategy, each.against))) for each in compared)


def _digits(p: float) -> float:
    """Round to four significant digits."""
    return float(f"{p:.4g}")
