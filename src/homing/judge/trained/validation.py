"""Cross-validation: a judge is trained again without some of the pages, and judges those."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean, pstdev
from typing import TypeVar

from homing.errors import UsageError
from homing.judge.base import RELEVANT, Brief, Judge
from homing.model import Page

T = TypeVar("T")

_FEWEST = 2
"""Least number of pages on the topic: of fewer none can be held out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of cross-validation: means over the folds, and standard deviations between them.

    Without pages off the topic only the recall can be measured; the rest is ``None``.
    """

    precision: float | None
    """Share of the pages judged relevant that are."""
    recall: float
    """Share of the relevant pages that were judged so."""
    f1: float | None
    roc_auc: float | None
    """Probability that a page on the topic scores higher than one off it."""
    precision_spread: float | None
    recall_spread: float
    f1_spread: float | None
    roc_auc_spread: float | None
    positives: int
    negatives: int
    folds: int

    def as_data(self) -> dict[str, object]:
        """Return plain data, for a model file."""
        return asdict(self)


def cross_validate(make: Callable[[Brief], Judge], brief: Brief, *, folds: int = 5, seed: int = 0) -> Report:
    """Train a judge once per fold, each time without a part of the pages, and let it judge that part.

    Unlabelled pages count as negatives where there are no others: most of them are, so that precision
    looks a little worse than it is.

    Parameters
    ----------
    make
        Builds the judge from a brief.
    """
    negatives = brief.negatives or brief.unlabelled
    if len(brief.examples) < _FEWEST:
        raise UsageError(
            f"cross-validation needs at least {_FEWEST} pages on the topic: there is {len(brief.examples)}"
        )
    held_out = negatives if len(negatives) >= _FEWEST else ()  # a single one is needed to train on
    folds = min(folds, len(brief.examples), len(held_out) or folds)
    chance = random.Random(seed)  # noqa: S311  (which page is in which fold is no secret)
    right, wrong = _shuffled(brief.examples, chance), _shuffled(held_out, chance)
    results = [_fold(make, brief, right, wrong, number, folds) for number in range(folds)]
    precisions, recalls, f1s, areas = zip(*results, strict=True)
    both = bool(held_out)
    return Report(
        precision=fmean(precisions) if both else None,
        recall=fmean(recalls),
        f1=fmean(f1s) if both else None,
        roc_auc=fmean(areas) if both else None,
        precision_spread=pstdev(precisions) if both else None,
        recall_spread=pstdev(recalls),
        f1_spread=pstdev(f1s) if both else None,
        roc_auc_spread=pstdev(areas) if both else None,
        positives=len(brief.examples),
        negatives=len(negatives),
        folds=folds,
    )


def _fold(
    make: Callable[[Brief], Judge],
    brief: Brief,
    right: Sequence[Page],
    wrong: Sequence[Page],
    number: int,
    folds: int,
) -> tuple[float, float, float, float]:
    """Return precision, recall, F1 and ROC-AUC on the pages of one fold."""
    as_negatives = bool(brief.negatives)
    rest = tuple(_without(wrong, number, folds)) or brief.negatives or brief.unlabelled
    judge = make(
        replace(
            brief,
            examples=tuple(_without(right, number, folds)),
            negatives=rest if as_negatives else (),
            unlabelled=brief.unlabelled if as_negatives else rest,
        )
    )
    on = [judge.judge(page).score for page in right[number::folds]]
    off = [judge.judge(page).score for page in wrong[number::folds]]
    found = sum(score >= RELEVANT for score in on)
    taken = found + sum(score >= RELEVANT for score in off)
    precision, recall = found / taken if taken else 0.0, found / len(on)
    f1 = 2 * precision * recall / (precision + recall) if found else 0.0
    return precision, recall, f1, roc_auc(on, off)


def roc_auc(on: Sequence[float], off: Sequence[float]) -> float:
    """Return the probability that a score of the first class is higher than one of the second; a tie is half.

    >>> roc_auc([0.9, 0.4], [0.1, 0.4])
    0.875
    """
    ranked = sorted([(score, False) for score in off] + [(score, True) for score in on])
    wins, below, place = 0.0, 0, 0
    while place < len(ranked):
        tied = place
        while tied < len(ranked) and ranked[tied][0] == ranked[place][0]:
            tied += 1
        ours = sum(right for _, right in ranked[place:tied])
        others = tied - place - ours
        wins += ours * (below + others / 2)
        below += others
        place = tied
    return wins / (len(on) * len(off)) if off else 0.0


def _shuffled(pages: Sequence[T], chance: random.Random) -> list[T]:
    return chance.sample(list(pages), len(pages))


def _without(pages: Sequence[T], number: int, folds: int) -> Iterator[T]:
    return (page for place, page in enumerate(pages) if place % folds != number)
