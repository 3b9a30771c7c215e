"""Scores of pages that a scorer was not fitted to: it is fitted again without them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

from homing.judge.trained.linear import Scorer
from homing.judge.trained.training_set import TrainingPage, TrainingSet

_MUTUAL_COSINE = 0.1
"""Typical cosine of two pages on one topic, measured on the development topics."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Held-out scores of both classes, for whole pages and for windows cut from them."""

    examples: int
    """Number of positives."""
    fitted: float
    """Mean score of the positives by the scorer that was fitted to all of them."""
    level: float
    """Mean score of ordinary text."""
    silence: float
    """Score of a text without a known term."""
    positives: list[float]
    negatives: list[float]
    windows_on: list[float]
    windows_off: list[float]

    @property
    def likeness(self) -> float | None:
        """Score of held-out positives as a share of their fitted score; 0 is that of ordinary text."""
        if not self.positives or self.fitted <= self.level:
            return None
        return (fmean(self.positives) - self.level) / (self.fitted - self.level)


def hold_out(
    fit: Callable[[TrainingSet], Scorer], training_set: TrainingSet, scorer: Scorer, folds: int
) -> HeldOut:
    """Score every page of a training set by a scorer that was fitted without it.

    ``scorer`` is the one that will judge, fitted to all pages. One fitted to fewer positives gives a new
    page on the topic a lower score: the centroid of n pages with a mutual cosine r has the cosine
    r / sqrt((1 + (n - 1) r) / n) with the next. The scores are stretched by that; with two or three
    examples it matters.
    """
    examples = len(training_set.positives)
    level = fmean(scorer.scores(training_set.made_up))
    positives: list[float] = []
    negatives: list[float] = []
    windows_on: list[float] = []
    windows_off: list[float] = []
    folds = min(folds, examples)
    if folds == 1:  # no page would be left to fit to
        windows_on = _windows(scorer, training_set.positives)
        folds = 0
    for number in range(folds):
        rest, held = training_set.fold(number, folds)
        other = fit(rest)
        ground = fmean(other.scores(training_set.made_up))
        stretch = _affinity(examples) / _affinity(len(rest.positives))
        scores = other.scores([page.vector for page in held.positives])
        positives += [level + stretch * (score - ground) for score in scores]
        negatives += other.scores([page.vector for page in held.negatives])
        windows_on += _windows(other, held.positives)
        windows_off += _windows(other, held.negatives)
    return HeldOut(
        examples=examples,
        fitted=fmean(scorer.scores([page.vector for page in training_set.positives])),
        level=level,
        silence=scorer.score({}),
        positives=positives,
        negatives=negatives,
        windows_on=windows_on,
        windows_off=windows_off,
    )


def _windows(scorer: Scorer, pages: tuple[TrainingPage, ...]) -> list[float]:
    return scorer.scores(list(chain.from_iterable(page.windows for page in pages)))


def _affinity(examples: int) -> float:
    return math.sqrt(examples / (1 + (examples - 1) * _MUTUAL_COSINE))
