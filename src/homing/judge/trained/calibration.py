"""From a scorer's numbers to a chance: one half is where a page becomes relevant.

A scorer's numbers mean nothing by themselves, and least of all on the pages it was taught. What pages held
out score says more (see ``heldout.py``). With positives alone, pages are expected to leave the topic
half a deviation below the mean of the held-out positives: there precision and recall were about equal
on the development topics, whatever the judge. Negatives then lay the curve anew (Platt scaling), the more of
them the less it leans on that expectation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

import numpy as np

from homing.errors import ModelError
from homing.judge.trained.heldout import HeldOut
from homing.judge.trained.plain_data import mapping, number, rounded
from homing.model import State

_STEEPNESS = 2.0
"""Logits a deviation."""
_MARGIN = 0.5
"""Deviations below the mean of the positives at which the chance is one half."""

_DOUBT = 2
"""Pages' worth of evidence that the usual mean is, against the one that was measured."""
_DOUBT_SPREAD = 4

_TRUST = 3.0
"""Pages' worth of evidence that the expected curve is, against the one that negatives show."""
_SHARE = 0.1
"""How many pages are taken to be on the topic, whatever was shown: users show about as many of either
class, a crawl meets more of the other."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How a judge's scores usually lie, between ordinary text (0) and the pages it was taught (1)."""

    halfway: float
    """With so many examples, a new page on the topic scores halfway."""
    spread: float
    """How far new pages on the topic are from their mean, as a share of its height."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic curve.

    >>> Calibration(slope=2.0, bias=-1.0).chance(0.5)
    0.5
    """

    slope: float
    bias: float

    def chance(self, score: float) -> float:
        logit = self.slope * score + self.bias
        # exp() of what is too large is an error, not infinity.
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


def for_pages(held: HeldOut, habits: Habits) -> Calibration:
    """The curve for whole pages."""
    prior = expected(held, habits)
    return _fit(held.positives, held.negatives, prior, trust=_TRUST, share=_SHARE)


def for_windows(held: HeldOut, habits: Habits) -> Calibration:
    """The curve for short texts.

    The chance that a few words were cut from a page on the topic and not from another, both being as
    likely beforehand. Without negatives, one half is somewhat above what words from such a page usually
    score: what links say is more to the point than running text.
    """
    scores = held.windows_on
    if held.examples == 1:  # they were taught: other pages' windows will score less
        usual = 1 / (1 + habits.halfway)
        scores = [held.silence + usual * (score - held.silence) for score in scores]
    deviation = max(pstdev(scores), abs(fmean(scores) - held.silence) / 2, 1e-6)
    slope = _STEEPNESS / deviation
    prior = Calibration(rounded(slope), rounded(-slope * (fmean(scores) + _MARGIN * deviation)))
    return _fit(scores, held.windows_off, prior, trust=_TRUST, share=0.5)


def expected(held: HeldOut, habits: Habits) -> Calibration:
    """The curve for whole pages as far as positives tell."""
    usual = held.level + (held.taught - held.level) * held.examples / (held.examples + habits.halfway)
    scores = held.positives
    middle = (sum(scores) + _DOUBT * usual) / (len(scores) + _DOUBT)
    height = max(middle - held.level, (held.taught - held.level) / 100, 1e-6)
    wide = habits.spread * (1 + 1 / held.examples) * height
    squares = sum((score - middle) ** 2 for score in scores) + _DOUBT_SPREAD * wide**2
    deviation = math.sqrt(squares / (len(scores) + _DOUBT_SPREAD))
    slope = _STEEPNESS / deviation
    return Calibration(rounded(slope), rounded(-slope * (middle - _MARGIN * deviation)))


def _fit(
    positives: Sequence[float],
    negatives: Sequence[float],
    prior: Calibration,
    *,
    trust: float,
    share: float,
) -> Calibration:
    """The likeliest curve for scores of either class, pulled towards ``prior``; by Newton's method."""
    if not positives or not negatives:
        return prior
    scores = np.array([*positives, *negatives])
    truth = np.repeat([1.0, 0.0], [len(positives), len(negatives)])
    total = len(scores)
    weights = np.where(truth == 1, share * total / len(positives), (1 - share) * total / len(negatives))
    # In units of the prior's own logits the parameters are near 1 and 0, and one trust fits both.
    rows = np.stack([prior.slope * scores + prior.bias, np.ones(total)])
    start = np.array([1.0, 0.0])
    found = start
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(found @ rows, -30, 30)))
        slope = rows @ (weights * (chance - truth)) + trust * (found - start)
        bend = (rows * (weights * chance * (1 - chance))) @ rows.T + trust * np.eye(2)
        step = np.linalg.solve(bend, slope)
        found = found - np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    # Held-out scores that contradict their labels must not turn the judge round.
    stretch, shift = max(float(found[0]), 0.1), float(found[1])
    return Calibration(rounded(stretch * prior.slope), rounded(stretch * prior.bias + shift))
