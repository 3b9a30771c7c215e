"""How good a judge is: does it rank, does it decide, and can its scores be believed?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from homing.judge.trained import validation as training

Floats = NDArray[np.float64]
Truth = NDArray[np.bool_]


def roc_auc(scores: Floats, truth: Truth) -> float:
    """Return the chance that a page on the topic scores higher than one that is not; one half for a tie.

    >>> roc_auc(np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False]))
    0.875
    """
    return training.roc_auc(scores[truth].tolist(), scores[~truth].tolist())


def f1(scores: Floats, truth: Truth, weights: Floats) -> float:
    """Return the harmonic mean of precision and recall of what scores one half or more.

    >>> f1(np.array([0.9, 0.4, 0.6, 0.1]), np.array([True, True, False, False]), np.ones(4))
    0.5
    """
    relevant = scores >= 0.5
    hits = weights[relevant & truth].sum()
    return float(2 * hits / (weights[relevant].sum() + weights[truth].sum()))


def best_f1(scores: Floats, truth: Truth, weights: Floats) -> float:
    """Return F1 at the best threshold, chosen by the labels.

    >>> best_f1(np.array([0.4, 0.3, 0.2, 0.2]), np.array([True, True, True, False]), np.ones(4))
    0.857...
    """
    order = np.argsort(-scores)
    called, hits = np.cumsum(weights[order]), np.cumsum((weights * truth)[order])
    # Pages that score alike are called relevant together.
    ends = np.append(np.diff(scores[order]) < 0, True)
    return float((2 * hits / (called + hits[-1]))[ends].max())


def calibration_error(scores: Floats, truth: Truth, weights: Floats, bins: int = 10) -> float:
    """Return how far scores are from the share of pages on the topic that score so, on average.

    >>> calibration_error(np.array([0.8] * 5), np.array([True] * 4 + [False]), np.ones(5))
    0.0
    """
    places = np.minimum((scores * bins).astype(int), bins - 1)
    said = np.bincount(places, weights * scores, bins)
    true = np.bincount(places, weights * truth, bins)
    return float(np.abs(said - true).sum() / weights.sum())


def interval(values: list[float], *, seed: int = 0, rounds: int = 2000) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the mean.

    >>> low, high = interval([0.0, 1.0] * 50)
    >>> 0.35 < low < 0.45, 0.55 < high < 0.65
    (True, True)
    """
    drawn = np.random.default_rng(seed).choice(np.array(values), (rounds, len(values)))
    low, high = np.quantile(drawn.mean(axis=1), (0.025, 0.975))
    return float(low), float(high)
