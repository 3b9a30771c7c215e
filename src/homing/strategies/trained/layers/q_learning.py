"""Learns from the words around links how many targets lie behind them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

import numpy as np
from msgspec import convert
from numpy.typing import NDArray

from homing.errors import ModelError
from homing.model import Link, Page, Priority, Proposal, Ranking, State, Visit
from homing.parameters import parameter
from homing.ports import View
from homing.strategies.trained.base import Trained, best_of
from homing.strategies.trained.layers.terms import Floats, NaiveBayes, check_enough, first_links
from homing.strategies.trained.layers.ways import nearest_targets, shortest_ways
from homing.text.words import terms
from homing.trails import LocalGraph
from homing.urls import words_of

_NEAREST = 10
"""Targets that count for a page: with the default discount, all others together are worth less than .002."""
_HEADINGS = 2
_LINKS_A_TARGET = 3
"""Links to fit on for each link to a target, if need be some that lead out of the graph."""
_MOST_LINKS = 50_000
"""Maximum links to fit on; of more, every second, third ..."""


class QLearning(Trained):
    """Learns which words stand around links behind which targets lie, at once or some links further on.

    In a graph whose targets are known, Q says what a page is worth: 1 for a target at once, ``discount`` for
    one that comes with the next fetch, its square for one after that. Links are sorted into bins by the Q of
    the page they lead to, and naive Bayes learns which words stand around the links of each bin. A new link
    is worth the Q to be expected: the mean of each bin, by the chance that the link belongs there.

    A crawl that went straight to its targets has hardly seen anything else, and words that stand around
    other links would be worth as much as the average: much. So where links to targets are more than a third
    of those within the graph, links that lead out of it are added as leading nowhere, which is why the crawl
    passed them over. Of the little web's 90 targets a model fitted on such a crawl then finds 65 in 200 pages
    of another one, instead of 60; link-context 59, breadth-first 9.

    Examples
    --------
    >>> from homing.checks.replays import fitted, harvest
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(fitted(QLearning(), toy_web(seed=2)), pages=70) > harvest(BreadthFirst(), pages=70)
    True

    References
    ----------
    Rennie, McCallum 1999, Using reinforcement learning to spider the web efficiently, as the paper on
    navigational rank emulates it. Its ``paper`` variant begins the ways at a site's root; a local graph has
    none, so they begin at the page farthest from any target (for what is out of its reach, at the farthest
    of the rest). There Q grows with the number of targets however far they are, so that on densely linked
    webs general pages are worth most; our ``sequence`` is nearer to the original Q, in which only one target
    a fetch can be had. Discount and bins, which are not given, are .5 and bins of about equal size. A crawl
    that has fitted itself re-scores the links it remembers.
    """

    name = "q-learning"
    paper: ClassVar[str] = "Rennie, McCallum 1999, Using reinforcement learning to spider the web efficiently"

    variant: Literal["sequence", "paper"] = parameter(
        '"sequence": Q counts targets as they can be fetched one after another, so that a target is always '
        'worth more than any number of them further on. "paper": each target gives credit to the pages '
        "along one shortest way to it, and all credit adds up.",
        default="sequence",
    )
    discount: float = parameter(
        "What a target one fetch later is worth (gamma).",
        default=0.5,
        within=(0, 1),
    )
    bins: int = parameter(
        "How many bins of Q there are; the first is for pages that lead nowhere.",
        default=6,
        within=(2, 20),
    )
    evidence: float = parameter(
        "Maximum evidence of the words around a link: naive Bayes is certain of any long text.",
        default=3.0,
        within=(0.1, 10_000),
    )
    terms: int = parameter(
        "How many terms to learn, those that tell the bins apart best by chi-square.",
        default=2_000,
        within=(1, 100_000),
    )

    def fit(self, graph: LocalGraph) -> None:
        check_enough(self.name, graph)
        credit = credit_in_sequence if self.variant == "sequence" else credit_along_ways
        worth = credit(graph, self.discount)
        links = _links_to_learn(graph)
        values = np.array([worth.get(link.url, 0.0) for _, link in links])
        binned = in_bins(values, self.bins)
        sums = np.bincount(binned, values, minlength=self.bins)
        self._worth = sums / np.maximum(np.bincount(binned, minlength=self.bins), 1)
        texts = [words_around(link, page.language) for page, link in links]
        self._bayes = NaiveBayes.fit(texts, binned.tolist(), self.bins, most=self.terms)

    def predict(self, visit: Visit) -> Iterator[Proposal]:
        return self._proposals(visit.page)

    def _proposals(self, page: Page) -> Iterator[Proposal]:
        if not page.links:
            return
        texts = [words_around(link, page.language) for link in page.links]
        chances = self._bayes.chances(texts, evidence=self.evidence, uniform=False)
        expected = chances @ self._worth
        scores = expected / (self._worth.max() or 1.0)
        rows = zip(page.links, scores.tolist(), expected.tolist(), chances[:, -1].tolist(), strict=True)
        for link, score, worth, best in rows:
            why = (("expected Q", worth), ("chance of the best bin", best))
            yield Proposal(url=link.url, priority=Priority(score=score), why=why)

    def rerank_remembered(self, view: View, *, is_first: bool) -> Ranking | None:
        """Re-score the links remembered, at every fit: each knows more than the last."""
        pages = self._memory.graph().pages.values()
        return best_of((each for page in pages for each in self._proposals(page)), view)

    def model(self) -> State:
        return {"bayes": self._bayes.state(), "worth": self._worth.tolist()}

    def use(self, model: State) -> None:
        try:
            bayes = NaiveBayes.from_state(model["bayes"])
            worth = np.array(convert(model["worth"], list[float]))
        except (KeyError, ValueError):
            raise ModelError(f'this is no model of strategy "{self.name}"; fit it again') from None
        if not len(bayes.texts) == len(worth) == self.bins:
            raise ModelError(f"the model was fitted with bins={len(worth)}; set it, or fit again")
        self._bayes, self._worth = bayes, worth


def credit_in_sequence(graph: LocalGraph, discount: float) -> Mapping[str, float]:
    """Return Q by page: its targets one after another, none before its own distance, one a fetch."""
    worth = {}
    for url, distances in nearest_targets(graph, _NEAREST).items():
        fetch, total = -1, 0.0
        for distance in distances.values():
            fetch = max(fetch + 1, distance)
            total += discount**fetch
        worth[url] = total
    return worth


def credit_along_ways(graph: LocalGraph, discount: float) -> Mapping[str, float]:
    """Return Q by page: the credit of each target along the shortest way on which the page lies."""
    before = shortest_ways(graph)
    worth: defaultdict[str, float] = defaultdict(float)
    for target in filter(graph.targets.__contains__, graph.pages):
        page: str | None = target
        share = 1.0
        while page is not None:
            worth[page] += share
            share *= discount
            page = before[page]
    return worth


def in_bins(values: Floats, bins: int) -> NDArray[np.int64]:
    """Return the bin of each value: 0 for nothing; the others have about equally many values.

    >>> in_bins(np.array([0, 2.0, 1.0, 0.25, 0, 1.0, 0.5]), 4).tolist()
    [0, 3, 2, 1, 0, 2, 1]
    """
    some = values > 0
    _, place, counts = np.unique(values[some], return_inverse=True, return_counts=True)
    # By the middle of its places in the order: equal values stay together, yet not with all smaller ones, as
    # they would by quantiles. After a focused crawl most links lead to targets of the very same Q.
    middle = (np.cumsum(counts) - counts / 2) / max(counts.sum(), 1)
    binned = np.zeros(len(values), np.int64)
    binned[some] = (1 + (bins - 1) * middle[place]).astype(np.int64)
    return binned


def words_around(link: Link, language: str) -> list[str]:
    """Return the terms around a link and in the headings above it, those of its anchor twice."""
    said = "\n".join((link.anchor, link.around, *link.headings[:_HEADINGS]))
    return terms(said, language) or terms(words_of(link.url), language)


def _links_to_learn(graph: LocalGraph) -> list[tuple[Page, Link]]:
    """Return links within the graph and, if too many of these lead to targets, some that leave it."""
    found = [(page, link) for page in graph.pages.values() for link in first_links(page)]
    inner = [each for each in found if each[1].url in graph.pages]
    outer = [each for each in found if each[1].url not in graph.pages]
    lacking = _LINKS_A_TARGET * sum(link.url in graph.targets for _, link in inner) - len(inner)
    chosen = np.linspace(0, len(outer) - 1, max(0, min(lacking, len(outer)))).astype(int)
    links = inner + [outer[place] for place in chosen.tolist()]
    return links[:: len(links) // _MOST_LINKS + 1]
