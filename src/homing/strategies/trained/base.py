"""Strategies that learn from pages whose distance to a target is known."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np
from msgspec import convert

from homing.model import Proposal, Ranking, State, Topic, Visit
from homing.parameters import parameter
from homing.ports import View
from homing.strategies.base import Strategy
from homing.strategies.link_context import LinkContext
from homing.strategies.trained.page_memory import Memory
from homing.trails import LocalGraph
from homing.urls import key

_LOOK_EVERY = 25
"""Visits between two looks whether there is enough to learn from."""
_FEWEST = 3


class Taught(Strategy):
    """The base of strategies that are fitted, by ``homing fit`` or on the crawl's own pages.

    Without a model the crawl begins as link-context. Meanwhile the strategy remembers pages, in outline,
    and as soon as there are enough of them it takes those judged relevant for targets, works out how far
    the others were from one, and fits itself; later it does so again now and then. All strategies rate
    from 0 to 1, link-context too, so that URLs rated before and after can wait side by side; most
    strategies also rate those anew that they remember, or link-context would steer on for long.

    Subclasses give ``fit``, ``predict``, ``model`` and ``use``, and call ``super().__init__``.
    """

    needs_training: ClassVar[bool] = True
    rerank_every = _LOOK_EVERY

    fit_after: int = parameter(
        "Visits before the first fit to the crawl's own pages, where no model is given; until then it works "
        "as link-context.",
        default=100,
        within=(10, 1_000_000),
    )
    refit_every: int = parameter(
        "Visits between two such fits; 0 for one fit only.",
        default=200,
        within=(0, 1_000_000),
    )
    remember: int = parameter(
        "How many pages of the crawl to keep in outline for it.",
        default=300,
        within=(20, 20_000),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.fitted = False
        self.fits = 0
        """How often it has fitted itself in this run."""
        self._given = False
        self._fitted_at = 0
        self._seen = 0
        self._fallback = LinkContext()
        self._memory = Memory(self.remember)

    # -- what a subclass gives

    @abstractmethod
    def fit(self, graph: LocalGraph) -> None:
        """Learn from a graph. ``UsageError`` with what is needed where there is too little in it."""

    @abstractmethod
    def predict(self, visit: Visit) -> Iterable[Proposal]:
        """What the links of a page are worth, once the strategy is fitted; pure, scores from 0 to 1."""

    @abstractmethod
    def model(self) -> State:
        """What was fitted, as plain data."""

    @abstractmethod
    def use(self, model: State) -> None:
        """Go on with what was fitted elsewhere. ``ModelError`` where it is not what ``model`` gave."""

    # -- what they share

    def give(self, model: State) -> None:
        """Use a model from a file: the crawl then does not refit itself."""
        self.use(model)
        self.fitted = self._given = True

    def begin(self, topic: Topic) -> None:
        self.topic = topic
        self._fallback.begin(topic)

    def learn(self, visit: Visit) -> None:
        self._seen += 1
        if not self._given:
            self._memory.keep(visit)

    def score(self, visit: Visit) -> Iterable[Proposal]:
        return self.predict(visit) if self.fitted else self._fallback.score(visit)

    def rerank(self, view: View) -> Ranking | None:
        if self._is_due():
            graph = self._memory.graph()
            if self._is_enough(graph):
                is_first = not self.fitted
                self.fit(graph)
                self.fitted = True
                self.fits += 1
                self._fitted_at = self._seen
                return self.rank_anew(view, is_first=is_first)
        return None

    def rank_anew(self, view: View, *, is_first: bool) -> Ranking | None:
        """New priorities for URLs that wait from before a fit; as they are, where a subclass says nothing."""
        return None

    def _is_due(self) -> bool:
        if self._given:
            return False
        if not self.fitted:
            return self._seen >= self.fit_after
        return bool(self.refit_every) and self._seen >= self._fitted_at + self.refit_every

    def _is_enough(self, graph: LocalGraph) -> bool:
        """Some targets, and some pages that lead to them."""
        leading = sum(distance > 0 for distance in graph.distances.values())
        return len(graph.targets) >= _FEWEST and leading >= _FEWEST

    def state(self) -> State:
        return {
            "seen": self._seen,
            "fitted_at": self._fitted_at,
            "given": self._given,
            "model": dict(self.model()) if self.fitted else None,
            "memory": self._memory.state(),
        }

    def restore(self, state: State) -> None:
        self._seen = convert(state["seen"], int)
        self._fitted_at = convert(state["fitted_at"], int)
        self._given = bool(state["given"])
        self._memory.restore(state["memory"])
        model = state["model"]
        if isinstance(model, Mapping):
            self.use(model)
            self.fitted = True


def best_of(proposals: Iterable[Proposal], view: View) -> Ranking:
    """The best score that was proposed for each URL that waits, in the first tier, and why."""
    best: dict[int, Proposal] = {}
    for proposal in proposals:
        old = best.setdefault(key(proposal.url), proposal)
        if proposal.priority.score > old.priority.score:
            best[key(proposal.url)] = proposal
    keys = [number for number in view.keys(view.waiting()).tolist() if number in best]
    chosen = [best[number] for number in keys]
    names = dict.fromkeys(name for proposal in chosen for name, _ in proposal.why)
    reasons = [dict(proposal.why) for proposal in chosen]
    return Ranking(
        keys=np.array(keys, np.int64),
        tiers=np.zeros(len(keys), np.int32),
        scores=np.array([proposal.priority.score for proposal in chosen], np.float64),
        parts={name: np.array([why.get(name, np.nan) for why in reasons]) for name in names},
    )
