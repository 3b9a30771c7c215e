"""The judge that counts which words the topic uses more often than others do."""

from __future__ import annotations

import math
from collections import Counter
from typing import ClassVar

from homing.judge.trained.base import Learnt
from homing.judge.trained.calibration import Habits
from homing.judge.trained.centroid import add
from homing.judge.trained.features import Vector
from homing.judge.trained.linear import Linear, Scorer
from homing.judge.trained.training_set import Lesson
from homing.parameters import parameter

_WORTH = 5.0
"""Pages' worth of evidence that ordinary text is, beside the negatives."""


class Bayes(Learnt):
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
    habits: ClassVar[Habits] = Habits(halfway=6.0, spread=0.24)

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

    def learn(self, lesson: Lesson) -> Scorer:
        on: Vector = {}
        off: Vector = {}
        for shown in lesson.positives:
            add(on, shown.vector)
        for shown in lesson.negatives:
            add(off, shown.vector)
        examples, others = len(lesson.positives), len(lesson.negatives) + _WORTH
        mention = sum(on.values()) / sum(len(shown.vector) for shown in lesson.positives)
        # The same on both sides: a name in one example that no negative has must not outweigh the topic's own
        # words just because negatives are many.
        floor = self.smoothing * mention / examples
        weights = {}
        for term in select(lesson, self.terms):
            topic = on.get(term, 0.0) / examples
            rest = (off.get(term, 0.0) + _WORTH * lesson.ordinary.listed(term)) / others
            weights[term] = math.log((topic + floor) / (rest + floor))
        return Linear(weights)


def select(lesson: Lesson, most: int) -> list[str]:
    """The terms that tell the classes apart best, by chi-square; equal ones by name.

    Of two classes the statistic is the same for either, so the maximum over classes that papers speak of is
    just that. Ordinary text counts as some pages of the other class.
    """
    on = Counter(term for shown in lesson.positives for term in shown.vector)
    off = Counter(term for shown in lesson.negatives for term in shown.vector)
    positives, others = len(lesson.positives), len(lesson.negatives) + _WORTH
    total = positives + others
    worth: dict[str, float] = {}
    for term in on.keys() | off.keys():
        a, b = on[term], off[term] + _WORTH * lesson.ordinary.presence(term)
        c, d = positives - a, others - b
        spread = positives * others * (a + b) * (c + d)
        worth[term] = total * (a * d - c * b) ** 2 / spread if spread > 0 else 0.0
    return sorted(worth, key=lambda term: (-worth[term], term))[:most]
