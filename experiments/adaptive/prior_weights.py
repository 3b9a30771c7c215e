"""Fit the prior weights of the features of a URL, and write src/homing/strategies/adaptive/prior.py.

    python -m experiments.adaptive.prior_weights ../shared/data/webs

The strategy ``adaptive`` crawls every development topic of both webs, with two draws of examples each and the
weights of the run before. Whenever it re-ranks the frontier, some URLs are sampled, the best and others:
their features, and the score that each page would get if it were fetched now. (Fetched pages alone cannot
show what is wrong with the old weights, which chose them.) What counts is how the URLs of one frontier
differ: a feature must not gain weight because it tells easy topics from hard ones. Both webs count the same,
and so do the crawls of each. Neither test topics nor labels are read. Run it twice: the second run is fitted
to better crawls.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import fill

import numpy as np
from numpy.typing import NDArray

from experiments.protocol import INDEX_PAGES, WEBKB, classes, subjects
from homing.judge import JUDGES, Brief
from homing.lab.crawl import crawl
from homing.lab.experiment import TopicEntry
from homing.lab.replay import Remembering
from homing.lab.tasks import task_of
from homing.lab.web.recorded import RecordedWeb
from homing.model import Ranking
from homing.ports import Judge, View
from homing.strategies.adaptive.adaptive import Adaptive
from homing.strategies.adaptive.features import FEATURES
from homing.strategies.adaptive.regression import weighed
from homing.urls import key

FOLDER = Path(__file__).parents[1] / "lab" / "webs"
PAGE = Path(__file__).parents[2] / "src" / "homing" / "strategies" / "adaptive" / "prior.py"
BUDGET = 0.10
BEST, OTHERS = 40, 20
"""URLs sampled at a time."""
EXAMPLES = 8
DRAWS = 2
PULL = 20.0
FAR = 5.0

Floats = NDArray[np.float64]
TrainingData = tuple[list[Floats], list[Floats]]
"""Features and scores of URLs, a table for each state of the frontier."""


def main(webs: Path) -> None:
    """Crawl, pool, write."""
    PAGE.write_text(_page(*_pooled([list(_training_data(*each)) for each in development_topics(webs)])))


def development_topics(webs: Path) -> Iterator[tuple[str, list[TopicEntry], tuple[str, ...]]]:
    """Yield each web with its development topics, and what is left out of it."""
    development = json.loads((webs / "wikispeedia" / "split.json").read_text())["development"]
    sets = json.loads((webs / "webkb" / "topics.json").read_text())
    yield "wikispeedia", _entries(subjects(webs / "wikispeedia", development)), INDEX_PAGES
    yield "webkb", _entries(classes(sets, WEBKB["development"])), ()


def _entries(tables: Iterable[str]) -> list[TopicEntry]:
    topics = tomllib.loads("".join(tables))["topics"]
    return [TopicEntry(**{**topic, "seeds": tuple(topic["seeds"])}) for topic in topics]


def _training_data(web: str, topics: list[TopicEntry], exclude: tuple[str, ...]) -> Iterator[TrainingData]:
    """Yield the training examples of crawls of each topic."""
    with RecordedWeb(FOLDER / web, exclude=exclude) as recorded:
        for topic in topics:
            task = task_of(recorded, topic)
            for draw in range(DRAWS):
                examples = tuple(map(recorded.page, task.draw(draw, EXAMPLES).examples))
                judge = Remembering(JUDGES.get("examples")(Brief(examples=examples)))
                strategy, pages = Sampling(recorded, judge), max(1, round(BUDGET * len(task.reachable)))
                crawl(recorded, strategy, judge, task.seeds, pages=pages)
                yield strategy.rows, strategy.scores


class Sampling(Adaptive):
    """``adaptive`` that samples the URLs it re-ranks, and looks up their pages."""

    def __init__(self, web: RecordedWeb, judge: Judge) -> None:
        super().__init__()
        self.rows: list[Floats] = []
        self.scores: list[Floats] = []
        self._web, self._judge = web, judge
        self._by_key = {key(url): url for url in web if web.has_page(url)}
        self._dice = np.random.default_rng(0)

    def rerank(self, view: View) -> Ranking | None:
        ranking = super().rerank(view)
        if ranking is not None:
            best = np.argsort(-ranking.scores)[:BEST]
            others = self._dice.choice(len(ranking.keys), min(len(ranking.keys), OTHERS), replace=False)
            keys = ranking.keys[np.union1d(best, others)].tolist()
            if known := [number for number in keys if number in self._by_key]:
                self._sample(known)
        return ranking

    def _sample(self, keys: list[int]) -> None:
        pages = [self._web.page(self._by_key[number]) for number in keys]
        self.rows.append(self._features(self._link_table.places_of(keys)))
        self.scores.append(
            np.array([self._topic.refined(page, self._judge.judge(page).score) for page in pages])
        )


def _pooled(webs: list[list[TrainingData]]) -> tuple[Floats, Floats, Floats]:
    """Pool means and spreads of the features, and the weights that best predict scores."""
    crawled = [each for web in webs for each in web]
    pairs = [pair for each in crawled for pair in zip(*each, strict=True)]
    means = np.concatenate([rows for rows, _ in pairs]).mean(axis=0)
    mean = np.concatenate([scores for _, scores in pairs]).mean()
    rows = np.concatenate([rows - rows.mean(axis=0) for rows, _ in pairs])
    scores = np.concatenate([scores - scores.mean() for _, scores in pairs])
    sizes = [sum(map(len, scores)) for _, scores in crawled]
    crawls = [len(web) for web in webs for _ in web]
    shares = np.repeat([1 / crawl / size for crawl, size in zip(crawls, sizes, strict=True)], sizes)
    shares *= len(shares) / shares.sum()
    spreads = np.sqrt(np.average(rows**2, axis=0, weights=shares))
    scaled = np.column_stack([np.clip(rows / spreads, -FAR, FAR), np.ones(len(rows))])
    square = (scaled.T * shares) @ scaled + PULL * np.eye(scaled.shape[1])
    weights = weighed(square, (scaled.T * shares) @ scores)
    return means, spreads, np.append(weights[:-1], mean)


def _page(means: Floats, spreads: Floats, weights: Floats) -> str:
    told = {
        "MEANS": (means, "The mean of each feature, in the order of ``features.FEATURES``."),
        "SPREADS": (spreads, "Its standard deviation."),
        "WEIGHTS": (
            weights,
            "What one standard deviation adds to the expected score of a page; then the intercept.",
        ),
    }
    writer = "experiments/adaptive/prior_weights.py"
    title = f"Prior weights of the features of a URL. Written by {writer}: do not edit."
    page = f'"""{title}"""\n'
    for name, (numbers, meaning) in told.items():
        listed = fill(", ".join(f"{number:.4f}" for number in numbers) + ",", 104)
        page += f"\n{name} = (\n" + "".join(f"    {line}\n" for line in listed.splitlines())
        page += f')  # fmt: skip\n"""{meaning}"""\n'
    assert len(means) == len(FEATURES)
    return page


if __name__ == "__main__":
    main(Path(sys.argv[1]))
