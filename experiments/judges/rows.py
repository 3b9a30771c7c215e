"""Results of the comparison of judges: one row per draw, one line per judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean

import msgspec

from experiments.judges.measures import interval

POSITIVES, BACKGROUND, EXAMPLES = 30, 300, 8
NAME, FEW, MANY = "its name", f"{EXAMPLES} examples", f"{POSITIVES} positives, {BACKGROUND} background pages"

BARS = {
    ("keywords", NAME): 0.80,
    ("examples", FEW): 0.90,
    ("bayes", MANY): 0.95,
    ("svm", MANY): 0.95,
}
"""The ROC-AUC that each should reach on wikispeedia."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A judge on one draw of one topic."""

    web: str
    topic: str
    name: str
    draw: int
    judge: str
    told: str
    share: float
    """Fraction of the judged pages that are on the topic."""
    roc_auc: float
    f1: float
    best_f1: float
    calibration_error: float
    ms_per_page: float
    fit_seconds: float
    note: str = ""


Value = Callable[[Row], float]


@dataclass(frozen=True)
class Line:
    """A contender over all topics and draws of a web."""

    judge: str
    told: str
    rows: Sequence[Row]

    def by_topic(self, value: Value) -> dict[str, float]:
        """Average over the draws of each topic."""
        values: defaultdict[str, list[float]] = defaultdict(list)
        for row in self.rows:
            values[row.topic].append(value(row))
        return {topic: mean(each) for topic, each in values.items()}

    def mean_of(self, value: Value) -> float:
        return mean(self.by_topic(value).values())

    def interval_of(self, value: Value) -> tuple[float, float]:
        return interval(list(self.by_topic(value).values()))


def lines_of(rows: Sequence[Row], web: str) -> list[Line]:
    """Return one line for each contender, in the order they were run."""
    grouped: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if row.web == web:
            grouped[row.judge, row.told].append(row)
    return [Line(judge, told, of) for (judge, told), of in grouped.items()]
