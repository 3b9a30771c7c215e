"""The base of strategies that rank the frontier by the graph of the crawl.

Ranks come from the whole graph and are computed now and then, in ``rerank``. A link found in between gets
what its page would hand it. Among URLs of one rank link-context decides: it breaks the ties between the
links of one page, which the graph cannot tell apart, and is all there is until the first target has been
found.
"""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Protocol

import numpy as np
from msgspec import Struct, ValidationError, convert
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
Warm = tuple[NDArray[np.float32], ...]

_LOOK_EVERY = 20
_GROWTH = 0.02
_LARGEST_BATCH = 2_000


class GraphRank(Strategy):
    """The base of strategies that let credit flow along the links of the crawl.

    Subclasses define ``spread``, which computes the rank of every page, and ``handed_on``, that of new links.
    """

    rerank_every = _LOOK_EVERY
    additive: ClassVar[bool] = True

    restart: float = parameter(
        "How much a page's own credit counts in each step.",
        default=0.2,
        within=(0.001, 0.999),
    )
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
        graph = Graph(*view.links(), size=int(max(judged.max(initial=-1), waiting.max(initial=-1))) + 1)
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
    warm: list[str]


class Matrix(Protocol):
    """What is used of a sparse matrix."""

    def __matmul__(self, vector: Floats) -> Floats: ...


class Graph:
    """The links of a crawl as sparse matrices: forwards and backwards, and how many each page has."""

    def __init__(self, sources: NDArray[np.int64], targets: NDArray[np.int64], *, size: int) -> None:
        ends = max(sources.max(initial=-1), targets.max(initial=-1))
        self.size = max(size, int(ends) + 1)
        # scipy.sparse takes half a second to import, which other strategies need not wait for.
        sparse: Any = importlib.import_module("scipy.sparse")
        # Half the time of building both from 64-bit numbers, which is more than all the sweeps take.
        ends_32 = sources.astype(np.int32), targets.astype(np.int32)
        forth = sparse.csr_matrix((np.ones(len(sources)), ends_32), shape=(self.size, self.size))
        self.forth: Matrix = forth
        self.back: Matrix = forth.T.tocsr()
        self.out = np.bincount(sources, minlength=self.size).astype(np.float64)
        """Links that go out of each page; ``into``: links that come in."""
        self.into = np.bincount(targets, minlength=self.size).astype(np.float64)

    def padded(self, old: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a vector of an earlier, smaller graph, with 0 for the new pages."""
        return np.pad(old, (0, self.size - len(old)))


def share(values: Floats, counts: Floats) -> Floats:
    """Divide each value by its count; 0 where the count is 0."""
    return np.divide(values, counts, out=np.zeros_like(values), where=counts > 0)


def settled(new: Floats, old: Floats, tolerance: float) -> bool:
    """Return whether no value has changed by more than this share of itself: ranks span ten powers of ten."""
    return bool(np.all(np.abs(new - old) <= tolerance * new))
