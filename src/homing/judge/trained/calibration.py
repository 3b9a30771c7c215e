"""Calibration: from a scorer's numbers to probabilities; from one half on a page is relevant.

A scorer's numbers mean nothing by themselves, and least of all on the pages it was fitted to. Scores of
held-out pages say more (``held_out.py``). With positives alone, the probability is one half at half a
standard deviation below the mean of the held-out positives: there precision and recall were about equal on
the development topics, whatever the judge. Negatives then refit the curve (Platt scaling); the more there
are, the less that expectation counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

import numpy as np

from homing.errors import ModelError
from homing.judge.trained.held_out import HeldOut
from homing.judge.trained.plain_data import mapping, number, rounded
from homing.model import State

_STEEPNESS = 2.0
"""Logits per standard deviation."""
_MARGIN = 0.5
"""Standard deviations below the mean of the positives at which the probability is one half."""

_PRIOR_COUNT = 2
"""Weight of the prior mean against the measured one, in pages; then that of the prior spread."""
_PRIOR_COUNT_SPREAD = 4

_CURVE_COUNT = 3.0
"""Weight of the expected curve against the one that negatives show, in pages."""
_SHARE = 0.1
"""Assumed share of pages on the topic: users give about as many examples of each class, while a crawl fetches
more pages off the topic."""


@dataclass(frozen=True, slots=True)
class ScorePrior:
    """Where a judge's scores typically lie, between ordinary text (0) and the pages it was fitted to (1)."""

    halfway: float
    """Number of examples with which a new page on the topic scores halfway."""
    spread: float
    """Standard deviation of new pages on the topic, as a share of their mean."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic curve from scores to probabilities.

    >>> Calibration(slope=2.0, bias=-1.0).chance(0.5)
    0.5
    """

    slope: float
    bias: float

    def chance(self, score: float) -> float:
        logit = self.slope * score + self.bias
        # exp() of a large number raises an error instead of returning infinity.
        return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0

    def state(self) -> State:
        return {"slope": self.slope, "bias": self.bias}

    @classmethod
    def from_state(cls, state: object) -> Calibration:
        found = mapping(state, "a calibration")
        slope, bias = number(found.get("slope"), "slope"), number(found.get("bias"), "bias")
        if slope <= 0:
            raise ModelError("the model is damaged: a slope is not above 0; train it again")
        return cls(slope, bias)


def for_pages(held: HeldOut, score_prior: ScorePrior) -> Calibration:
    """Return the curve for whole pages."""
    prior = expected(held, score_prior)
    return _fit(held.positives, held.negatives, prior, weight=_CURVE_COUNT, share=_SHARE)


def for_windows(held: HeldOut, score_prior: ScorePrior) -> Calibration:
    """Return the curve for short texts.

    It gives the probability that a few words were cut from a page on the topic and not from another, both
    being equally likely a priori. Without negatives, one half is somewhat above the typical score of words
    from such a page: anchors are more to the point than running text.
    """
    scores = held.windows_on
    if held.examples == 1:  # the scorer was fitted to them: windows of other pages will score less
        share = 1 / (1 + score_prior.halfway)
        scores = [held.silence + share * (score - held.silence) for score in scores]
    deviation = max(pstdev(scores), abs(fmean(scores) - held.silence) / 2, 1e-6)
    slope = _STEEPNESS / deviation
    prior = Calibration(rounded(slope), rounded(-slope * (fmean(scores) + _MARGIN * deviation)))
    return _fit(scores, held.windows_off, prior, weight=_CURVE_COUNT, share=0.5)


def expected(held: HeldOut, score_prior: ScorePrior) -> Calibration:
    """Return the curve for whole pages that is expected from the positives alone."""
    known = held.examples + score_prior.halfway
    prior_mean = held.level + (held.fitted - held.level) * held.examples / known
    scores = held.positives
    middle = (sum(scores) + _PRIOR_COUNT * prior_mean) / (len(scores) + _PRIOR_COUNT)
    height = max(middle - held.level, (held.fitted - held.level) / 100, 1e-6)
    prior_deviation = score_prior.spread * (1 + 1 / held.examples) * height
    squares = sum((score - middle) ** 2 for score in scores) + _PRIOR_COUNT_SPREAD * prior_deviation**2
    deviation = math.sqrt(squares / (len(scores) + _PRIOR_COUNT_SPREAD))
    slope = _STEEPNESS / deviation
    return Calibration(rounded(slope), rounded(-slope * (middle - _MARGIN * deviation)))


def _fit(
    positives: Sequence[float],
    negatives: Sequence[float],
    prior: Calibration,
    *,
    weight: float,
    share: float,
) -> Calibration:
    """Fit the likeliest curve to scores of both classes by Newton's method, regularised towards ``prior``."""
    if not positives or not negatives:
        return prior
    scores = np.array([*positives, *negatives])
    truth = np.repeat([1.0, 0.0], [len(positives), len(negatives)])
    total = len(scores)
    weights = np.where(truth == 1, share * total / len(positives), (1 - share) * total / len(negatives))
    # In units of the prior's own logits the parameters are near 1 and 0, so that one weight suits both.
    rows = np.stack([prior.slope * scores + prior.bias, np.ones(total)])
    start = np.array([1.0, 0.0])
    found = start
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(found @ rows, -30, 30)))
        slope = rows @ (weights * (chance - truth)) + weight * (found - start)
        bend = (rows * (weights * chance * (1 - chance))) @ rows.T + weight * np.eye(2)
        step = np.linalg.solve(bend, slope)
        found = found - np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    # Held-out scores that contradict their labels must not reverse the judge.
    stretch, shift = max(float(found[0]), 0.1), float(found[1])
    return Calibration(rounded(stretch * prior.slope), rounded(stretch * prior.bias + shift))
