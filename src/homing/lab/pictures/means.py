"""Mean curves and their bands, over the draws of a topic or over topics, at shares of the reachable pages."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

import numpy as np
from msgspec import Struct

from homing.lab.results.intervals import Clusters, Floats, band
from homing.lab.results.measures import harvest_curve, recall_curve
from homing.lab.results.rows import by_name
from homing.lab.runs import Run

_POINTS = 200


class Kind(Struct, frozen=True):
    """A kind of curve: recall or harvest."""

    name: str
    says: str
    of: Callable[[Run], Floats]
    first: int
    """First page of the curve: among the first few pages of a crawl a share says nothing."""
    has_limit: bool
    """Whether it can reach 1, so that all panels share an axis."""


KINDS = (
    Kind("recall", "share of the targets found", recall_curve, 1, True),
    Kind("harvest", "share of targets among the pages fetched", harvest_curve, 10, False),
)


class Curve(Struct, frozen=True, kw_only=True):
    """A strategy's mean curve over shares of the reachable pages, and its band where there is one."""

    name: str
    shares: Floats
    mean: Floats
    low: Floats | None = None
    high: Floats | None = None


def over_draws(kind: Kind, runs: Sequence[Run], banded: Container[str], points: int = _POINTS) -> list[Curve]:
    """Return a curve for each strategy from the runs on one topic, with bands for those named."""
    shares = _shares(kind, runs, points)
    return [
        _curve(
            name, shares, {str(run.unit.draw): _sampled(kind, run, shares) for run in its}, {}, name in banded
        )
        for name, its in by_name(runs).items()
    ]


def over_topics(
    kind: Kind, runs: Sequence[Run], banded: Container[str], clusters: Clusters, points: int = _POINTS
) -> list[Curve]:
    """Return a curve for each strategy from all runs: draws are averaged first, the band is over topics."""
    if len({run.unit.topic for run in runs}) == 1:
        return over_draws(kind, runs, banded, points)
    shares = _shares(kind, runs, points)
    curves = []
    for name, its in by_name(runs).items():
        topics: dict[str, list[Floats]] = {}
        for run in its:
            topics.setdefault(run.unit.topic, []).append(_sampled(kind, run, shares))
        means = {topic: np.mean(draws, axis=0) for topic, draws in topics.items()}
        curves.append(_curve(name, shares, means, clusters, name in banded))
    return curves


def _curve(
    name: str, shares: Floats, samples: Mapping[str, Floats], clusters: Clusters, with_band: bool
) -> Curve:
    mean = np.mean(list(samples.values()), axis=0)
    low, high = (with_band and band(samples, clusters)) or (None, None)
    return Curve(name=name, shares=shares, mean=mean, low=low, high=high)


def _shares(kind: Kind, runs: Sequence[Run], points: int) -> Floats:
    """Return the shares at which curves are read: from the first page that all have to the shortest end."""
    last = min(run.end / run.reachable for run in runs)
    first = max(kind.first / run.reachable for run in runs)
    return np.linspace(min(first, last), last, points)


def _sampled(kind: Kind, run: Run, shares: Floats) -> Floats:
    pages = np.floor(shares * run.reachable + 1e-9).astype(int)
    sampled: Floats = kind.of(run)[np.clip(pages, 1, run.end) - 1]
    return sampled
