"""The judge ``bayes``: naive Bayes on the words of pages."""

from __future__ import annotations

import math
from collections import Counter
from typing import ClassVar

from homing.judge.trained.base import TrainedJudge
from homing.judge.trained.calibration import ScorePrior
from homing.judge.trained.centroid import add
from homing.judge.trained.features import Vector
from homing.judge.trained.linear import Linear, Scorer
from homing.judge.trained.training_set import TrainingSet
from homing.parameters import parameter

_ORDINARY_COUNT = 5.0
"""Weight of ordinary text beside the negatives, in pages."""


class Bayes(TrainedJudge):
    """Adds up, for each word, how much more the topic uses it than other pages do (naive Bayes).

    Multinomial: a word's weight is the logarithm of its share in pages on the topic over its share in
    the others. Ordinary text of the language counts as a few pages of the others, so that positives alone
    are enough. Only the terms that tell the classes apart best are kept, by chi-square.

    Examples
    --------
    >>> from homing.judge.base import Brief
    >>> from homing.model import Page
    >>> moths = Page(url="http://a.example/", text="Moths and butterflies drink nectar from flowers.")
    >>> trains = Page(url="http://b.example/", text="The trains to the coast are late again.")
    >>> judge = Bayes(Brief(examples=(moths,), negatives=(trains,)))
    >>> judge.judge(Page(url="http://c.example/", text="Butterflies have scales and drink nectar.")).relevant
    True
    >>> judge.judge(Page(url="http://d.example/", text="Trains along the coast are slow.")).relevant
    False

    References
    ----------
    McCallum, Nigam 1998, A comparison of event models for naive Bayes text classification. Counts are
    damped and pages made equally long first (Rennie et al. 2003), as plain counts give chances of 0 or 1
    on long pages; terms are smoothed by the examples' number in both classes, as negatives may be many.
    """

    name = "bayes"
    paper: ClassVar[str] = (
        "McCallum, Nigam 1998, A comparison of event models for naive Bayes text classification"
    )
    score_prior: ClassVar[ScorePrior] = ScorePrior(halfway=6.0, spread=0.24)

    terms: int = parameter(
        "How many terms to keep.",
        default=5000,
        within=(1, 1_000_000),
    )
    smoothing: float = parameter(
        "How many mentions of every term to add to both classes, in one of the examples: the higher, the "
        "less a word counts that few pages have.",
        default=1.0,
        within=(0.001, 1000),
    )

    def fit(self, training_set: TrainingSet) -> Scorer:
        on: Vector = {}
        off: Vector = {}
        for page in training_set.positives:
            add(on, page.vector)
        for page in training_set.negatives:
            add(off, page.vector)
        examples, others = len(training_set.positives), len(training_set.negatives) + _ORDINARY_COUNT
        mention = sum(on.values()) / sum(len(page.vector) for page in training_set.positives)
        # The same for both classes: a name in one example that no negative has must not outweigh the topic's
        # own words just because there are many negatives.
        floor = self.smoothing * mention / examples
        weights = {}
        for term in select(training_set, self.terms):
            topic = on.get(term, 0.0) / examples
            rest = (off.get(term, 0.0) + _ORDINARY_COUNT * training_set.ordinary.listed(term)) / others
            weights[term] = math.log((topic + floor) / (rest + floor))
        return Linear(weights)


def select(training_set: TrainingSet, most: int) -> list[str]:
    """Return the terms that separate the classes best, by chi-square; ties by name.

    With two classes the statistic is the same for both, so that no maximum over classes is needed as in the
    papers. Ordinary text counts as some pages of the negative class.
    """
    on = Counter(term for page in training_set.positives for term in page.vector)
    off = Counter(term for page in training_set.negatives for term in page.vector)
    positives, others = len(training_set.positives), len(training_set.negatives) + _ORDINARY_COUNT
    total = positives + others
    worth: dict[str, float] = {}
    for term in on.keys() | off.keys():
        a, b = on[term], off[term] + _ORDINARY_COUNT * training_set.ordinary.presence(term)
        c, d = positives - a, others - b
        spread = positives * others * (a + b) * (c + d)
        worth[term] = total * (a * d - c * b) ** 2 / spread if spread > 0 else 0.0
    return sorted(worth, key=lambda term: (-worth[term], term))[:most]
