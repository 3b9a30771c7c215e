"""The base of strategies that rank the frontier by the graph of the crawl.

Ranks come from the whole graph and are computed now and then, in ``rerank``. A link found in between gets
what its page would pass on to it. Among URLs of one rank link-context decides: it breaks the ties between the
links of one page, which the graph cannot tell apart, and is all there is until the first target has been
found.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta, Struct, ValidationError, convert
from numpy.typing import NDArray

from homing.columns import packed, unpacked
from homing.errors import ModelError
from homing.model import Entry, Priority, Proposal, Ranking, State, Topic, Visit
from homing.parameters import parameter
from homing.ports import View
from homing.strategies.base import Strategy
from homing.strategies.graph.tiers import BEFORE_ALL, keep_best_of_each, rank_of, tier_of, tiers_of
from homing.strategies.link_context import LinkContext

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Warm = tuple[NDArray[np.float32], ...]

_LOOK_EVERY = 20
_GROWTH = 0.02
_LARGEST_BATCH = 2_000
_MOST_VECTORS = 8
"""Vectors in a saved state; ours have two, and each takes memory of its own."""
_HALF = 32
"""Bits of a page's number: two of them are sorted as one."""


class GraphRank(Strategy):
    """The base of strategies that let credit flow along the links of the crawl.

    Subclasses define ``spread``, which computes the rank of every page, and ``handed_on``, that of new links.
    """

    rerank_every = _LOOK_EVERY
    additive: ClassVar[bool] = True

    batch: int = parameter(
        "Visits between two rankings; 0: one in fifty of the pages so far, at least 20 (the paper: 2,000).",
        default=0,
        within=(0, 1_000_000),
    )
    breadth_first: int = parameter(
        "Pages fetched breadth-first before anything is ranked (the paper: 2,000).",
        default=0,
        within=(0, 1_000_000_000),
    )
    graded: bool = parameter(
        "Take the judge's score for the credit of a page, instead of 1 for a target and 0 for others.",
        default=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._context = LinkContext()
        self._seen = 0
        self._ranked_at = 0
        self._warm: Warm = ()
        self.credited = 0.0
        """The credit of all pages so far."""

    @abstractmethod
    def spread(self, graph: Graph, credit: Floats, warm: Warm) -> tuple[Floats, ...]:
        """Compute the vectors, each starting from its old values in ``warm``; the last is the rank."""

    @abstractmethod
    def handed_on(self, rank: float, credit: float, links: int) -> float:
        """Return the rank of a link that only this page has, from the page's rank and credit."""

    def begin(self, topic: Topic) -> None:
        self._context.begin(topic)

    def start(self, url: str) -> Proposal:
        return Proposal(url=url, priority=Priority(tier=BEFORE_ALL, score=1.0), why=(("seed", 1.0),))

    def learn(self, visit: Visit) -> None:
        self._seen += 1
        self.credited += self._credit(visit.judgement.score)

    def score(self, visit: Visit) -> Iterator[Proposal]:
        context = self._context.score(visit)
        if visit.step <= self.breadth_first:
            depth = visit.entry.depth + 1
            for proposal in context:
                first = Priority(tier=BEFORE_ALL + depth, score=proposal.priority.score)
                yield Proposal(url=proposal.url, priority=first, why=(("depth", float(depth)), *proposal.why))
            return
        credit = self._credit(visit.judgement.score)
        rank = self.handed_on(rank_of(visit.entry.priority.tier), credit, len(visit.page.links))
        tier = tier_of(rank)
        for proposal in context:
            priority = Priority(tier=tier, score=proposal.priority.score)
            yield Proposal(url=proposal.url, priority=priority, why=(("rank", rank), *proposal.why))

    def merge(self, old: Entry, new: Proposal) -> Proposal:
        return keep_best_of_each(old, new)

    def rerank(self, view: View) -> Ranking | None:
        if self._seen < self._ranked_at + self._wait() or self._seen < self.breadth_first:
            return None
        self._ranked_at = self._seen
        judged, scores = view.judged()
        waiting = view.waiting()
        # Never smaller than before: the URL with the highest number may have failed since, and keeps it.
        known = max(int(judged.max(initial=-1)), int(waiting.max(initial=-1))) + 1
        graph = Graph(*view.links(), size=max([known, *map(len, self._warm)]))
        credit = np.zeros(graph.size)
        credit[judged] = scores if self.graded else scores >= 0.5
        if not credit.any():
            return None
        found = self.spread(graph, credit, tuple(graph.padded(old) for old in self._warm))
        # In single precision, so that a resumed crawl continues from the very same numbers.
        self._warm = tuple(vector.astype(np.float32) for vector in found)
        _, contexts = view.priorities(waiting)
        ranks = found[-1][waiting]
        parts = {"rank": ranks, "link-context": contexts}
        return Ranking(keys=view.keys(waiting), tiers=tiers_of(ranks), scores=contexts, parts=parts)

    def _wait(self) -> int:
        return self.batch or min(_LARGEST_BATCH, max(_LOOK_EVERY, int(_GROWTH * self._seen)))

    def _credit(self, score: float) -> float:
        return score if self.graded else float(score >= 0.5)

    def state(self) -> State:
        return {
            "seen": self._seen,
            "credited": self.credited,
            "ranked_at": self._ranked_at,
            "warm": [packed(vector) for vector in self._warm],
        }

    def restore(self, state: State) -> None:
        try:
            saved = convert(dict(state), _Saved)
        except ValidationError:
            raise ModelError(f'the saved state of the strategy "{self.name}" is damaged') from None
        self._seen, self._ranked_at, self.credited = saved.seen, saved.ranked_at, saved.credited
        self._warm = tuple(unpacked(each, np.float32) for each in saved.warm)


class _Saved(Struct):
    """What is saved of a crawl so far."""

    seen: int
    credited: float
    ranked_at: int
    warm: Annotated[list[str], Meta(max_length=_MOST_VECTORS)]


class Graph:
    """The links of a crawl as arrays, along which values flow either way, and how many each page has."""

    def __init__(self, sources: Integers, targets: Integers, *, size: int) -> None:
        ends = max(sources.max(initial=-1), targets.max(initial=-1))
        self.size = max(size, int(ends) + 1)
        # By source, then by target: in which order a sum is added up decides its last digits. Links come
        # page by page, so a sort that makes use of what is sorted takes a fifth of the time.
        links = np.sort(sources << _HALF | targets, kind="stable")
        links, self._times = _distinct(links)
        self._sources, self._targets = links >> _HALF, links & ((1 << _HALF) - 1)
        self._flows = np.empty(len(links))
        """Room for a value a link."""
        self.out = np.bincount(sources, minlength=self.size).astype(np.float64)
        """Links that go out of each page; ``into``: links that come in."""
        self.into = np.bincount(targets, minlength=self.size).astype(np.float64)

    def sums_of_targets(self, values: Floats) -> Floats:
        """Return for each page the sum of the values of the pages that it links to."""
        return self._sums(self._sources, self._targets, values)

    def sums_of_sources(self, values: Floats) -> Floats:
        """Return for each page the sum of the values of the pages that link to it."""
        return self._sums(self._targets, self._sources, values)

    def _sums(self, pages: Integers, others: Integers, values: Floats) -> Floats:
        # With "clip" numpy writes straight into the array that is there: half the time of values[others].
        flows = np.take(values, others, out=self._flows, mode="clip")
        if self._times is not None:
            flows *= self._times
        return np.asarray(np.bincount(pages, weights=flows, minlength=self.size), np.float64)

    def padded(self, old: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a vector of an earlier, smaller graph, with 0 for the new pages."""
        return np.pad(old, (0, self.size - len(old)))


def _distinct(links: Integers) -> tuple[Integers, Floats | None]:
    """Return each of these sorted links once, and how often it is there if any is there twice."""
    first = np.flatnonzero(np.diff(links, prepend=-1))
    if len(first) == len(links):
        return links, None
    return links[first], np.diff(first, append=len(links)).astype(np.float64)


def share(values: Floats, counts: Floats) -> Floats:
    """Divide each value by its count; 0 where the count is 0."""
    return np.divide(values, counts, out=np.zeros_like(values), where=counts > 0)


def settled(new: Floats, old: Floats, tolerance: float) -> bool:
    """Return whether no value has changed by more than this share of itself: ranks span ten powers of ten."""
    return bool(np.all(np.abs(new - old) <= tolerance * new))
