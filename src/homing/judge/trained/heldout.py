"""Scores of pages that a scorer was not taught: it is taught again without them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

from homing.judge.trained.linear import Scorer
from homing.judge.trained.training_set import Lesson, Shown

_KINSHIP = 0.1
"""The usual cosine of two pages on one topic, on the development topics."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Scores of either class, for whole pages and for windows cut from them."""

    examples: int
    """How many positives there are."""
    taught: float
    """The mean score of the positives by the scorer that was taught all of them."""
    level: float
    """The mean score of ordinary text."""
    silence: float
    """The score of a text that says nothing known."""
    positives: list[float]
    negatives: list[float]
    windows_on: list[float]
    windows_off: list[float]

    @property
    def likeness(self) -> float | None:
        """How near positives come, held out, to what they score when they are taught: 0 as ordinary text."""
        if not self.positives or self.taught <= self.level:
            return None
        return (fmean(self.positives) - self.level) / (self.taught - self.level)


def hold_out(learn: Callable[[Lesson], Scorer], lesson: Lesson, scorer: Scorer, folds: int) -> HeldOut:
    """Score every page of a lesson by a scorer that has not seen it.

    ``scorer`` is the one that will judge; it has seen them all. One that has seen fewer positives likes a
    new page on the topic less: the centroid of n pages with a mutual cosine r has the cosine
    r / sqrt((1 + (n - 1) r) / n) with the next. The scores are stretched by that. With two or three
    examples it matters.
    """
    examples = len(lesson.positives)
    level = fmean(scorer.scores(lesson.made_up))
    positives: list[float] = []
    negatives: list[float] = []
    windows_on: list[float] = []
    windows_off: list[float] = []
    folds = min(folds, examples)
    if folds == 1:  # nothing to learn from would be left
        windows_on = _windows(scorer, lesson.positives)
        folds = 0
    for number in range(folds):
        rest, held = lesson.fold(number, folds)
        other = learn(rest)
        ground = fmean(other.scores(lesson.made_up))
        stretch = _affinity(examples) / _affinity(len(rest.positives))
        scores = other.scores([shown.vector for shown in held.positives])
        positives += [level + stretch * (score - ground) for score in scores]
        negatives += other.scores([shown.vector for shown in held.negatives])
        windows_on += _windows(other, held.positives)
        windows_off += _windows(other, held.negatives)
    return HeldOut(
        examples=examples,
        taught=fmean(scorer.scores([shown.vector for shown in lesson.positives])),
        level=level,
        silence=scorer.score({}),
        positives=positives,
        negatives=negatives,
        windows_on=windows_on,
        windows_off=windows_off,
    )


def _windows(scorer: Scorer, pages: tuple[Shown, ...]) -> list[float]:
    return scorer.scores(list(chain.from_iterable(shown.windows for shown in pages)))


def _affinity(examples: int) -> float:
    return math.sqrt(examples / (1 + (examples - 1) * _KINSHIP))
