"""Learns from the words around a link how many targets lie behind it."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

import numpy as np
from msgspec import convert
from numpy.typing import NDArray

from homing.errors import ModelError
from homing.model import Link, Priority, Proposal, State, Visit
from homing.registry import within
from homing.strategies.layers import Floats, NaiveBayes, check_enough, first_links
from homing.strategies.taught import Taught
from homing.text import terms
from homing.trails import LocalGraph
from homing.urls import words_of

_HEADINGS = 2
_NEAREST = 10
"""Targets that count for a page: with the usual discount, all others together are worth less than .002."""
_MOST_LINKS = 50_000
"""Links learnt from at most; of more, every second, third ..."""


class QLearning(Taught):
    """Learns which words stand around links behind which targets lie, at once or some links further on.

    In a graph whose targets are known, Q says what a page is worth: 1 for a target at once, ``discount`` for
    one that comes with the next fetch, its square for one after that. Links are sorted into bins by the Q of
    the page they lead to, and naive Bayes learns which words stand around the links of each bin. A new link
    is worth the Q to be expected: the mean of each bin, by the chance that the link belongs there.

    URLs found before the fit come from link-context and keep its ratings, which are from 0 to 1 like these.

    Parameters
    ----------
    variant
        ``sequence``: Q counts targets as they can be fetched one after another, so that a target is always
        worth more than any number of them further on. ``paper``: each target gives credit to the pages along
        one shortest way to it, and all credit adds up.
    discount
        What a target one fetch later is worth (gamma).
    bins
        How many bins of Q there are; the first is for pages that lead nowhere.
    evidence
        The words around a link count as so many at most: naive Bayes is certain of all that is long.
    terms
        How many terms to learn, those that tell the bins apart best by chi-square.

    Examples
    --------
    >>> from homing.checks.replays import replay
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies import BreadthFirst
    >>> web, other = toy_web(seed=1), toy_web(seed=2)
    >>> strategy = QLearning()
    >>> strategy.fit(LocalGraph(other.pages.values(), other.targets))
    >>> strategy.give(strategy.model())
    >>> replay(web, strategy, pages=70).harvest > replay(web, BreadthFirst(), pages=70).harvest
    True

    References
    ----------
    Rennie, McCallum 1999, Using reinforcement learning to spider the web efficiently, as the paper on
    navigational rank emulates it. Its ``paper`` variant begins the ways at a site's root; a local graph has
    none, so they begin at the page farthest from any target (for what is out of its reach, at the farthest of
    the rest). There Q grows with the number of targets however far they are, so that on densely linked webs
    general pages are worth most; our ``sequence`` is nearer to the original Q, in which only one target a
    fetch can be had. Discount and bins, which are not told, are .5 and bins of equal size.
    """

    name: str = "q-learning"
    paper: ClassVar[str] = "Rennie, McCallum 1999, Using reinforcement learning to spider the web efficiently"

    def __init__(
        self,
        *,
        variant: Literal["sequence", "paper"] = "sequence",
        discount: float = 0.5,
        bins: int = 6,
        evidence: float = 3.0,
        terms: int = 2_000,
        fit_after: int = 100,
        refit_every: int = 200,
        remember: int = 300,
    ) -> None:
        super().__init__(fit_after=fit_after, refit_every=refit_every, remember=remember)
        self.variant = variant
        self.discount = within(self, "discount", discount, 0, 1)
        self.bins = int(within(self, "bins", bins, 2, 20))
        self.evidence = within(self, "evidence", evidence, 0.1, 10_000)
        self.terms = int(within(self, "terms", terms, 1, 100_000))

    def fit(self, graph: LocalGraph) -> None:
        check_enough(self.name, graph)
        credit = credit_in_sequence if self.variant == "sequence" else credit_along_ways
        worth = credit(graph, self.discount)
        links = [
            (page, link)
            for page in graph.pages.values()
            for link in first_links(page)
            if link.url in graph.pages
        ]
        links = links[:: len(links) // _MOST_LINKS + 1]
        values = np.array([worth.get(link.url, 0.0) for _, link in links])
        binned = in_bins(values, self.bins)
        sums = np.bincount(binned, values, minlength=self.bins)
        self._worth = sums / np.maximum(np.bincount(binned, minlength=self.bins), 1)
        texts = [words_around(link, page.language) for page, link in links]
        self._bayes = NaiveBayes.fit(texts, binned.tolist(), self.bins, most=self.terms)

    def predict(self, visit: Visit) -> Iterator[Proposal]:
        page = visit.page
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


def words_around(link: Link, language: str) -> list[str]:
    """The terms around a link and in the headings over it, those of its anchor once more."""
    said = "\n".join((link.anchor, link.around, *link.headings[:_HEADINGS]))
    return terms(said, language) or terms(words_of(link.url), language)


def credit_in_sequence(graph: LocalGraph, discount: float) -> Mapping[str, float]:
    """Q by page: its targets one after another, none before its own distance, one a fetch."""
    worth = {}
    for url, distances in _nearest_targets(graph).items():
        fetch, total = -1, 0.0
        for distance in distances.values():
            fetch = max(fetch + 1, distance)
            total += discount**fetch
        worth[url] = total
    return worth


def credit_along_ways(graph: LocalGraph, discount: float) -> Mapping[str, float]:
    """Q by page: for each target, by how far it is along the shortest way on which the page lies."""
    before = _shortest_ways(graph)
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
    """Bin 0 for nothing; the others hold about equally many values, equal ones always together.

    >>> in_bins(np.array([0, 2.0, 1.0, 0.25, 0, 1.0, 0.5]), 4).tolist()
    [0, 3, 2, 1, 0, 2, 1]
    """
    some = values > 0
    if not some.any():
        return np.zeros(len(values), np.int64)
    borders = np.quantile(values[some], np.linspace(0, 1, bins)[1:-1])
    binned: NDArray[np.int64] = np.where(some, 1 + np.searchsorted(borders, values), 0)
    return binned


def _nearest_targets(graph: LocalGraph) -> Mapping[str, Mapping[str, int]]:
    """For each page the few nearest targets and their distances, nearest first."""
    parents: defaultdict[str, list[str]] = defaultdict(list)
    for url, links in graph.links.items():
        for link in links:
            parents[link.url].append(url)
    near: dict[str, dict[str, int]] = {url: {} for url in graph.pages}
    queue = deque((url, url, 0) for url in graph.pages if url in graph.targets)
    while queue:
        url, target, distance = queue.popleft()
        # A page that knows enough targets passes on no more: the pages before it have those it knows.
        if len(near[url]) < _NEAREST and target not in near[url]:
            near[url][target] = distance
            queue.extend((parent, target, distance + 1) for parent in parents[url])
    return near


def _shortest_ways(graph: LocalGraph) -> Mapping[str, str | None]:
    """For each page the one before it, breadth-first from the farthest; ``None`` where a way begins."""
    before: dict[str, str | None] = {}
    for start in sorted(graph.pages, key=lambda url: -graph.distances.get(url, -1)):
        queue = deque([start] if start not in before else [])
        before.setdefault(start, None)
        while queue:
            url = queue.popleft()
            fresh = dict.fromkeys(link.url for link in graph.links[url] if link.url not in before)
            before.update(dict.fromkeys(fresh, url))
            queue.extend(fresh)
    return before
