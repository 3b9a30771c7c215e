"""The quality and cost of a run: every measure of the lab, by its name.

Curves are over pages 1, 2, ... n. Where a crawl ran out of URLs they stay at their last value: recall, as
nothing more is found, and harvest, as a share of the pages that were fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from homing.errors import UsageError, did_you_mean
from homing.lab.runs import Run, Unit

Floats = NDArray[np.float64]
ORACLE = "oracle"
THRESHOLDS = (0.5, 0.6, 0.7, 0.8)
"""Cosines from which a page counts as relevant, as in the PM paper."""


class Peers(Struct, frozen=True, kw_only=True):
    """The runs on the same unit with which others are compared."""

    oracle: Run | None = None
    best_first: Run | None = None


def peers(runs: Iterable[Run]) -> dict[Unit, Peers]:
    """Group runs by unit; of several variants of best-first, the one with defaults is the baseline."""
    oracles: dict[Unit, Run] = {}
    baselines: dict[Unit, Run] = {}
    runs = list(runs)
    for run in runs:
        if run.strategy == ORACLE:
            oracles[run.unit] = run
        elif run.strategy == "best-first" and (run.unit not in baselines or not run.params):
            baselines[run.unit] = run
    units = dict.fromkeys(run.unit for run in runs)
    return {unit: Peers(oracle=oracles.get(unit), best_first=baselines.get(unit)) for unit in units}


def found_by(run: Run, pages: int) -> NDArray[np.int64]:
    """Count the targets among the first 1, 2, ... pages."""
    hits = np.array(run.hits, np.int64)
    return np.cumsum(np.bincount(hits, minlength=pages + 1)[1 : pages + 1])


def recall_curve(run: Run, pages: int | None = None) -> Floats:
    """Return recall after the first 1, 2, ... pages; default: to the end of the curve."""
    if not run.targets:
        raise ValueError(f'the topic "{run.unit.topic}" has no target: there is nothing to recall')
    return found_by(run, run.end if pages is None else pages) / run.targets


def harvest_curve(run: Run, pages: int | None = None) -> Floats:
    """Return the harvest rate after the first 1, 2, ... pages; default: to the end of the curve."""
    pages = run.end if pages is None else pages
    came = np.clip(np.arange(1, pages + 1), 1, max(run.pages, 1))
    return found_by(run, pages) / came


def auc(run: Run) -> float:
    """Return the mean of recall over the whole curve: chance has about half of the share that it covers."""
    return float(recall_curve(run).mean())


def auc_budget(run: Run) -> float:
    """Return the mean of recall up to the budget."""
    return float(recall_curve(run, run.budget).mean())


def recall(run: Run) -> float:
    """Return recall at the budget."""
    return float(recall_curve(run, run.budget)[-1])


def harvest(run: Run) -> float:
    """Return the harvest rate at the budget."""
    return float(harvest_curve(run, run.budget)[-1])


def pages_to(run: Run, share: float) -> int | None:
    """Count the pages until this share of the targets was found; ``None`` if the curve ends before."""
    reached = recall_curve(run) >= share
    return int(reached.argmax()) + 1 if reached.any() else None


def precision(run: Run, threshold: float) -> float | None:
    """Return the share of pages up to the budget with a highest cosine of at least this (PM, 3.4)."""
    similar = np.array(run.similar[: run.budget])
    return float((similar >= threshold).mean()) if len(similar) else None


def average_similarity(run: Run) -> float | None:
    """Return Maximum Average Similarity by the PM paper's prose: the mean of each page's highest cosine."""
    similar = run.similar[: run.budget]
    return float(np.mean(similar)) if similar else None


def average_similarity_eq10(run: Run) -> float | None:
    """Return Maximum Average Similarity by the PM paper's eq. 10: the examples' highest mean cosine."""
    return max(run.mean_similar, default=None)


def oracle_share(run: Run, peers: Peers) -> float | None:
    """Return the share of the oracle's ``auc_budget`` on the same unit."""
    if peers.oracle is None:
        return None
    best = auc_budget(_of_same_unit(run, peers.oracle))
    return auc_budget(run) / best if best else None


def apr(run: Run, peers: Peers) -> float | None:
    """Return Average Precision Relative to best-first (PM, eq. 40): relative at each threshold, averaged.

    Thresholds that no page of best-first reaches are left out.
    """
    if peers.best_first is None:
        return None
    baseline = _of_same_unit(run, peers.best_first)
    pairs = [(precision(run, threshold), precision(baseline, threshold)) for threshold in THRESHOLDS]
    relative = [mine / theirs for mine, theirs in pairs if mine is not None and theirs]
    return float(np.mean(relative)) if relative else None


def cpu_ms_per_page(run: Run) -> float | None:
    """Return the CPU time of the strategy alone, without fits."""
    return 1000 * run.cpu_seconds / run.pages if run.pages else None


def _of_same_unit(run: Run, other: Run) -> Run:
    if other.unit != run.unit:
        raise ValueError(f"{run.name} on {run.unit} cannot be measured against {other.name} on {other.unit}")
    return other


Kind = Literal["quality", "pages", "cost"]
"""Higher is better; a number of pages, or never; a cost, which differs from run to run."""


class Measure(Struct, frozen=True):
    """A measure of a run."""

    name: str
    kind: Kind
    of: Callable[[Run, Peers], float | None]


def _alone(of: Callable[[Run], float | None]) -> Callable[[Run, Peers], float | None]:
    return lambda run, _: of(run)


def _precision_from(threshold: float) -> Measure:
    return Measure(f"precision_{threshold * 100:.0f}", "quality", lambda run, _: precision(run, threshold))


_ALL = [
    Measure("recall", "quality", _alone(recall)),
    Measure("harvest", "quality", _alone(harvest)),
    Measure("auc", "quality", _alone(auc)),
    Measure("auc_budget", "quality", _alone(auc_budget)),
    Measure("oracle_share", "quality", oracle_share),
    Measure("pages_to_50", "pages", lambda run, _: pages_to(run, 0.5)),
    Measure("pages_to_90", "pages", lambda run, _: pages_to(run, 0.9)),
    *map(_precision_from, THRESHOLDS),
    Measure("average_similarity", "quality", _alone(average_similarity)),
    Measure("average_similarity_eq10", "quality", _alone(average_similarity_eq10)),
    Measure("apr", "quality", apr),
    Measure("cpu_ms_per_page", "cost", _alone(cpu_ms_per_page)),
    Measure("fit_seconds", "cost", lambda run, _: run.fit_seconds),
    Measure("bytes_a_url", "cost", lambda run, _: run.bytes_a_url),
]
MEASURES: Mapping[str, Measure] = {each.name: each for each in _ALL}


def measure(name: str) -> Measure:
    """Return the measure of that name.

    >>> measure("auc_buget")
    Traceback (most recent call last):
        ...
    homing.errors.UsageError: there is no measure "auc_buget"; did you mean "auc_budget"?
    """
    found = MEASURES.get(name.replace("-", "_"))
    if found is None:
        raise UsageError(f'there is no measure "{name}"{did_you_mean(name, MEASURES)}')
    return found
