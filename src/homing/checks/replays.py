"""A very small crawl over a toy web: a plain loop that shows what a strategy does.

The lab, which measures, runs the real engine.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from homing.checks.webs import ToyWeb, toy_web
from homing.judge import Judge
from homing.judge.keywords import Keywords
from homing.model import Entry, Failure, Priority, Proposal, Ranking, Visit
from homing.ports import Strategy
from homing.steps import learn_and_score, merged
from homing.strategies.trained.base import Trained
from homing.trails import LocalGraph
from homing.urls import key

Fittable = TypeVar("Fittable", bound=Trained)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a small crawl."""

    order: tuple[str, ...]
    harvest: float
    """The share of the fetched pages that are on the topic."""


def replay(web: ToyWeb, strategy: Strategy, *, pages: int, judge: Judge | None = None) -> Result:
    """Crawl a toy web from its home page until this many pages have been fetched.

    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> result = replay(toy_web(seed=1), BreadthFirst(), pages=10)
    >>> len(result.order), result.order[0], result.harvest
    (10, 'http://toy.example/', 0.0)
    """
    crawl = ToyCrawl(web, strategy, judge=judge)
    crawl.run(pages)
    return Result(order=tuple(crawl.order), harvest=crawl.harvest)


def harvest(strategy: Strategy, *, pages: int) -> float:
    """Return the share of relevant pages among those that a strategy fetches first of a toy web.

    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(BreadthFirst(), pages=100)
    0.01
    """
    return replay(toy_web(seed=1), strategy, pages=pages).harvest


def fitted(strategy: Fittable, web: ToyWeb) -> Fittable:
    """Fit a strategy to a toy web whose targets are known, and let it use the model as it comes from a file.

    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.trained.layers.q_learning import QLearning
    >>> fitted(QLearning(), toy_web(seed=1)).fitted
    True
    """
    strategy.begin(_keywords(web.topic).topic())
    strategy.fit(LocalGraph(web.pages.values(), web.targets))
    strategy.give(json.loads(json.dumps(strategy.model())))
    return strategy


class ToyCrawl:
    """The engine's steps over a toy web, re-ranks among them, without network, time and disk.

    Parameters
    ----------
    web
        What is crawled, from its home page.
    strategy
        What orders the URLs. It may be replaced between two runs by one that was restored from its state.
    judge
        By default the one that looks for the topic's name.
    dead
        URLs whose pages cannot be fetched.
    in_flight
        How many URLs are leased before the first of their pages arrives.
    """

    def __init__(
        self,
        web: ToyWeb,
        strategy: Strategy,
        *,
        judge: Judge | None = None,
        dead: Container[str] = (),
        in_flight: int = 1,
    ) -> None:
        self.web = web
        self.strategy = strategy
        self.judge = judge or _keywords(web.topic)
        self.dead = dead
        self.in_flight = in_flight
        self.order: list[str] = []
        """Every page fetched, in order."""
        self.entries: dict[str, Entry] = {}
        """Every known URL, in order of discovery: its place is its ``seq``."""
        self._queued: set[str] = set()
        self._leased: deque[str] = deque()
        self._links: dict[int, tuple[int, ...]] = {}
        self._scores: dict[int, float] = {}
        strategy.begin(self.judge.topic())
        self._offer([strategy.start(web.home)], shown={web.home}, found_on=None)

    @property
    def harvest(self) -> float:
        """The share of the fetched pages that are on the topic."""
        return len(self.web.targets.intersection(self.order)) / max(len(self.order), 1)

    def run(self, pages: int) -> None:
        """Crawl until that many pages have been fetched in all, or no URL is left.

        Requests that are in flight then stay in flight.
        """
        while len(self.order) < pages:
            while self._queued and len(self._leased) < self.in_flight:
                best = min((self.entries[url] for url in self._queued), key=_place_in_line)
                self._queued.discard(best.url)
                self._leased.append(best.url)
            if not self._leased:
                return
            self._take_in(self._leased.popleft())

    def view(self) -> ToyView:
        """Return the crawl as a strategy may look at it."""
        queue = sorted(self.entries[url].seq for url in self._queued)
        return ToyView(
            entries=tuple(self.entries.values()),
            queue=queue,
            onward=dict(self._links),
            scores=dict(self._scores),
        )

    def _take_in(self, url: str) -> None:
        """Take in one page. What its URL holds is looked up now, not when it was leased, and then spent."""
        entry, strategy = self.entries[url], self.strategy
        self.entries[url] = replace(entry, priority=Priority(), memo=b"", why=())
        if url in self.dead:
            returned = strategy.missed(entry, Failure(url=url, kind="timeout"))
            self._offer([each for each in returned if each.url in self.entries], shown=(), found_on=entry)
            return
        page = self.web.pages[url]
        self.order.append(url)
        visit = Visit(step=len(self.order), entry=entry, page=page, judgement=self.judge.judge(page))
        self._scores[entry.seq] = visit.judgement.score
        learn_and_score(strategy, visit, self._take)
        known = (self.entries.get(link.url) for link in page.links)
        self._links[entry.seq] = tuple(each.seq for each in known if each)
        if strategy.rerank_every and visit.step % strategy.rerank_every == 0:
            self._overwrite(strategy.rerank(self.view()))

    def _take(self, proposals: Iterable[Proposal], visit: Visit) -> None:
        self._offer(proposals, shown={link.url for link in visit.page.links}, found_on=visit.entry)

    def _offer(self, proposals: Iterable[Proposal], *, shown: Container[str], found_on: Entry | None) -> None:
        for proposal in proposals:
            url = proposal.url
            old = self.entries.get(url)
            if old is None:
                assert url in shown, f"proposes {url}, which no page has shown"
                depth = found_on.depth + 1 if found_on else 0
                old = Entry(key=key(url), url=url, priority=Priority(), depth=depth, seq=len(self.entries))
                if found_on:
                    old = replace(old, parent=found_on.seq)
                self._queued.add(url)
            else:
                finished = url not in self._queued and url not in self._leased
                read = partial(self.entries.__getitem__, url)
                remains = merged(self.strategy, proposal, old.priority, finished=finished, read=read)
                if remains is None:
                    continue
                if finished and proposal.revisit:
                    self._queued.add(url)
                proposal, _ = remains
            self.entries[url] = replace(old, priority=proposal.priority, memo=proposal.memo, why=proposal.why)

    def _overwrite(self, ranking: Ranking | None) -> None:
        if ranking is None:
            return
        check_ranking(ranking)
        queued = {self.entries[url].key: url for url in self._queued}
        rows = zip(ranking.keys.tolist(), ranking.tiers.tolist(), ranking.scores.tolist(), strict=True)
        for row, (number, tier, score) in enumerate(rows):
            if number in queued:
                url, why = queued[number], ranking.why(row)
                assert why, f"re-ranks {url} and does not say why"
                priority = Priority(tier=tier, score=score)
                self.entries[url] = replace(self.entries[url], priority=priority, why=why)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyView:
    """``ports.View`` over plain lists."""

    entries: Sequence[Entry]
    """Every known URL, at place ``seq``."""
    queue: Sequence[int]
    """The places of those that are queued."""
    onward: Mapping[int, Sequence[int]]
    """By page, the places of the URLs that it links to."""
    scores: Mapping[int, float]

    def waiting(self) -> NDArray[np.int64]:
        return np.array(self.queue, dtype=np.int64)

    def keys(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array([self.entries[seq].key for seq in seqs.tolist()], dtype=np.int64)

    def priorities(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        found = [self.entries[seq].priority for seq in seqs.tolist()]
        tiers, scores = [each.tier for each in found], [each.score for each in found]
        return np.array(tiers, dtype=np.int32), np.array(scores, dtype=np.float64)

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        pairs = [(page, target) for page, targets in self.onward.items() for target in targets]
        both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return both[:, 0].copy(), both[:, 1].copy()

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        return np.array([*self.scores], dtype=np.int64), np.array([*self.scores.values()], dtype=np.float64)


def check_ranking(ranking: Ranking) -> None:
    """Check that a ranking has a finite score and a tier for each of its URLs."""
    sizes = {len(ranking.keys), len(ranking.tiers), len(ranking.scores)}
    assert len(sizes) == 1, "the arrays of a ranking have different lengths"
    assert np.isfinite(ranking.scores).all(), "a score in a ranking is not finite"


def _place_in_line(entry: Entry) -> tuple[int, float, int]:
    return entry.priority.tier, -entry.priority.score, entry.seq


@lru_cache(maxsize=4)
def _keywords(topic: str) -> Keywords:
    return Keywords(topic)
