"""The limits of any crawl: crawls that may read every queued page before they choose one.

    python -m experiments.adaptive.limits experiments/lab/runs/adaptive-limits.json

No crawler can do that, because reading a page means fetching it. But it divides what ``adaptive`` misses into
what links do not say about pages, what a few examples do not say about the topic, and what only a crawl that
knows the way can find. Test topics are crawled here; nothing is tuned on the result.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.json import encode
from msgspec.json import format as tidy
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]
from sklearn.model_selection import StratifiedKFold, cross_val_predict  # type: ignore[import-untyped]

from experiments.adaptive.trials import auc_of
from homing.judge import JUDGES, Brief
from homing.lab.crawl import crawl
from homing.lab.experiment import Experiment
from homing.lab.oracle import Oracle
from homing.lab.replay import Remembering
from homing.lab.tasks import task_of
from homing.lab.web.recorded import RecordedWeb
from homing.model import Priority, Proposal, Visit
from homing.strategies.adaptive.adaptive import Adaptive
from homing.strategies.base import Strategy

WEBS = ("wikispeedia", "webkb")
FOLDER = Path(__file__).parents[1] / "lab"
DRAWS = 2
OTHERS = 64
"""Pages drawn at random that examples are compared with."""
PARTS = 5
"""A classifier trained on the labels of four parts scores the fifth."""
SURELY = 1e6
"""More than the score of any classifier: a label takes precedence."""

Scores = NDArray[np.float64]
Which = NDArray[np.bool_]
Table = Any
"""Pages by terms, sparse."""
Row = dict[str, object]


class Reader(Strategy):
    """Knows the worth of every page before it is fetched, and takes the best one queued."""

    name = "reader"

    def __init__(self, worth: Mapping[str, float]) -> None:
        self._worth = worth

    def score(self, visit: Visit) -> Iterable[Proposal]:
        for link in visit.page.links:
            yield Proposal(url=link.url, priority=Priority(score=self._worth.get(link.url, -SURELY)))


def main(out: Path) -> None:
    """Crawl, and write the results."""
    out.write_bytes(tidy(encode([row for web in WEBS for row in _rows(web)])))


def _rows(name: str) -> Iterator[Row]:
    experiment = Experiment.load(FOLDER / f"{name}.toml")
    with RecordedWeb(FOLDER / "webs" / name, exclude=experiment.exclude) as web:
        urls = [url for url in web if web.has_page(url)]
        terms = TfidfVectorizer(sublinear_tf=True, min_df=2, stop_words="english").fit_transform(
            f"{page.title}\n{page.text}" for page in map(web.page, urls)
        )
        for topic in experiment.topics:
            task = task_of(web, topic)
            budget = experiment.pages(experiment.budget, len(task.reachable))
            is_on = np.isin(urls, task.positives)
            by_labels = _by_classifier(terms, is_on)
            for number in range(DRAWS):
                draw = task.draw(number, experiment.examples)
                examples = tuple(map(web.page, draw.examples))
                judge = Remembering(JUDGES.get("examples")(Brief(examples=examples)))
                worths = {
                    "reads queued pages, trained on the examples": _like(terms, np.isin(urls, draw.examples)),
                    "reads queued pages, trained on four fifths of all labels": by_labels,
                    "told the label of every queued page": by_labels + SURELY * is_on,
                }
                limits: dict[str, Strategy] = {"`adaptive`": Adaptive()}
                for limit, worth in worths.items():
                    limits[limit] = Reader(dict(zip(urls, worth.tolist(), strict=True)))
                limits["oracle"] = Oracle(web, draw.targets)
                for limit, strategy in limits.items():
                    auc = auc_of(crawl(web, strategy, judge, task.seeds, pages=budget), draw, budget)
                    yield {"web": name, "topic": task.topic, "draw": number, "limit": limit, "auc": auc}
            print(name, task.topic, file=sys.stderr)


def _like(terms: Table, examples: Which) -> Scores:
    """Return how much more each page resembles the examples than pages drawn at random."""
    others = random.Random(0).sample(range(terms.shape[0]), OTHERS)
    topic = terms[examples].mean(axis=0) - terms[others].mean(axis=0)
    return np.asarray(terms @ topic.T).ravel()


def _by_classifier(terms: Table, is_on: Which) -> Scores:
    """Score each page by a classifier trained on the labels of the pages in the other parts."""
    parts = StratifiedKFold(PARTS, shuffle=True, random_state=0)
    classifier = LogisticRegression(C=30, class_weight="balanced", max_iter=300)
    return np.asarray(cross_val_predict(classifier, terms, is_on, cv=parts, method="decision_function"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
