"""The figures of runs, one row each, and their means over the draws of a topic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Protocol, TypeVar

import msgspec
import numpy as np
from msgspec import Struct

from homing.lab.results.intervals import tidy
from homing.lab.results.measures import MEASURES, ORACLE, found_by, measure, peers
from homing.lab.runs import Run


class Named(Struct, frozen=True, kw_only=True):
    """The identity of a run."""

    topic: str
    draw: int
    strategy: str
    name: str
    """Name in tables: the strategy and its parameters that were set."""
    params: dict[str, object]


class Row(Named, frozen=True, kw_only=True):
    """The figures of a run; ``pages``, ``found``, ``recall`` and ``harvest`` are those at the budget."""

    reachable: int
    budget: int
    pages: int
    found: int
    targets: int
    recall: float
    harvest: float
    auc: float
    auc_budget: float
    oracle_share: float | None
    pages_to_50: int | None
    pages_to_90: int | None
    precision_50: float | None
    precision_60: float | None
    precision_70: float | None
    precision_80: float | None
    average_similarity: float | None
    average_similarity_eq10: float | None
    apr: float | None
    dry_after: int | None
    """Page after which no URL was left, if that was before the end of the curve."""

    @property
    def is_limit(self) -> bool:
        """Whether it is that of the oracle, the limit."""
        return self.strategy == ORACLE


def rows_of(runs: Iterable[Run]) -> tuple[Row, ...]:
    """Return a row for each run, sorted by topic, draw and name: the same runs give the same rows."""
    runs = sorted(runs, key=_key)
    for run, after in pairwise(runs):
        if _key(run) == _key(after):
            raise ValueError(f"two runs of {run.name} on draw {run.unit.draw} of {run.unit.topic}")
    known = peers(runs)
    return tuple(
        msgspec.convert(
            {
                **named(run),
                "reachable": run.reachable,
                "budget": run.budget,
                "pages": min(run.pages, run.budget),
                "found": int(found_by(run, run.budget)[-1]),
                "targets": run.targets,
                "dry_after": run.pages if run.pages < run.end else None,
                **{
                    each.name: tidied(each.of(run, known[run.unit]))
                    for each in MEASURES.values()
                    if each.kind != "cost"
                },
            },
            Row,
        )
        for run in runs
    )


def named(run: Run) -> dict[str, object]:
    """Return the fields that identify a run."""
    return {
        "topic": run.unit.topic,
        "draw": run.unit.draw,
        "strategy": run.strategy,
        "name": run.name,
        "params": dict(sorted(run.params.items())),
    }


def tidied(value: float | None) -> float | None:
    """Return a figure as it is written: integers as they are, others with six decimals."""
    return value if value is None or isinstance(value, int) else tidy(value)


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


Item = TypeVar("Item", bound=_HasName)


def by_name(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Group the rows, or the runs, by the strategy's name in tables."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.name, []).append(item)
    return found


def by_topic(rows: Iterable[Row], name: str) -> dict[str, float]:
    """Average a measure over the draws of each topic; leave out topics where it has no value."""
    values: dict[str, list[float]] = {}
    for row in rows:
        value = getattr(row, measure(name).name)
        if value is not None:
            values.setdefault(row.topic, []).append(value)
    return {topic: fmean(of_draws) for topic, of_draws in values.items()}


def median_pages(rows: Sequence[Row], name: str) -> float | None:
    """Return the median over topics of the median over draws of ``pages_to_50`` or ``pages_to_90``.

    A crawl that never gets there took longest, so a mean over the others would favour it.
    """
    draws: dict[str, list[float]] = {}
    for row in rows:
        pages = getattr(row, measure(name).name)
        draws.setdefault(row.topic, []).append(np.inf if pages is None else pages)
    middle = float(np.median([np.median(of_topic) for of_topic in draws.values()]))
    return middle if np.isfinite(middle) else None


def _key(run: Run) -> tuple[str, int, str]:
    return run.unit.topic, run.unit.draw, run.name
