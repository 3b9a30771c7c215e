"""The uncertainty of a mean: bootstrap intervals over units."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Clusters = Mapping[str, str]
"""Cluster of each topic that is not independent, such as one class of pages from several seeds."""

_ROUNDS = 10_000
_ENDS = (2.5, 97.5)


class Estimate(Struct, frozen=True):
    """A mean and its 95 % interval; a single independent topic has none."""

    mean: float
    low: float | None
    high: float | None


def estimate(values: Mapping[str, float], clusters: Clusters | None = None) -> Estimate:
    """Return the mean of a value by topic, with its bootstrap interval over topics or clusters.

    >>> estimate({"bees": 0.2, "wasps": 0.4})
    Estimate(mean=0.3, low=0.2, high=0.4)
    >>> estimate({"bees": 0.2})
    Estimate(mean=0.2, low=None, high=None)
    """
    mean = tidy(float(np.mean([values[topic] for topic in sorted(values)])))
    interval = _bootstrap({topic: np.array([value]) for topic, value in values.items()}, clusters, _ROUNDS)
    if interval is None:
        return Estimate(mean, None, None)
    (low,), (high,) = interval
    return Estimate(mean, tidy(low), tidy(high))


def band(curves: Mapping[str, Floats], clusters: Clusters | None = None) -> tuple[Floats, Floats] | None:
    """Return the interval at every point of a curve by topic; ``None`` for a single independent topic."""
    # A band is only drawn: a tenth of the rounds looks the same.
    return _bootstrap(curves, clusters, _ROUNDS // 10)


def grouped(topics: list[str], clusters: Clusters) -> list[list[str]]:
    """Group topics that are not independent; one without a cluster is a group.

    >>> grouped(["bees", "wasps", "ants"], {"bees": "flying", "wasps": "flying"})
    [['bees', 'wasps'], ['ants']]
    """
    groups: dict[tuple[str, bool], list[str]] = {}
    for topic in topics:
        cluster = clusters.get(topic)
        groups.setdefault((cluster or topic, bool(cluster)), []).append(topic)
    return list(groups.values())


def tidy(value: float) -> float:
    """Round to six decimals: no measure is more precise, and the last bits differ between machines."""
    return round(float(value), 6) + 0.0  # no -0.0


def _bootstrap(
    values: Mapping[str, Floats], clusters: Clusters | None, rounds: int
) -> tuple[Floats, Floats] | None:
    """Resample the clusters with replacement in each round; return the mean over their topics."""
    groups = grouped(sorted(values), clusters or {})  # sorted: the order of the values must not matter
    if len(groups) < 2:
        return None
    sums = np.array([sum(values[topic] for topic in group) for group in groups])
    sizes = np.array([len(group) for group in groups])
    times = _resamples(len(groups), rounds)
    low, high = np.percentile((times @ sums) / (times @ sizes)[:, np.newaxis], _ENDS, axis=0)
    return low, high


@lru_cache(maxsize=32)
def _resamples(count: int, rounds: int) -> Floats:
    """Count how often each was drawn, one row per round; always the same draws."""
    chance = np.random.default_rng(0)
    return chance.multinomial(count, np.full(count, 1 / count), size=rounds).astype(np.float64)
