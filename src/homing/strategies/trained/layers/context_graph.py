"""Reads from a page how far it is from a target."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from homing.errors import ModelError
from homing.model import Page, Priority, Proposal, Ranking, State, Visit
from homing.parameters import parameter
from homing.ports import View
from homing.strategies.trained.base import Trained
from homing.strategies.trained.layers.terms import NaiveBayes, check_enough, words_of_page
from homing.trails import LocalGraph

_PROMISING = 0.5
"""Least rating for a link found before the fit to stay in the first queue."""


class ContextGraph(Trained):
    """Guesses from its words how many links a page is from a target, and follows the nearest first.

    Pages whose distance to a target is known make layers: targets are layer 0, pages that link to one layer
    1, and so on to layer N. Naive Bayes over these layers says to which a new page belongs. There is a queue
    for each layer and one for pages it is not sure of. The links of a page join the queue of its layer;
    the first queue that is not empty is served, within it the page first whose layer is likeliest.

    URLs found before the fit come from link-context. At the fit those rated one half or more stay in the
    first queue, where their rating counts as the likelihood; the others go to the last queue.

    Examples
    --------
    >>> from homing.checks.replays import fitted, harvest
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.random_order import RandomOrder
    >>> harvest(fitted(ContextGraph(), toy_web(seed=2)), pages=70) > harvest(RandomOrder(), pages=70)
    True

    References
    ----------
    Diligenti, Coetzee, Lawrence, Giles, Gori 2000, Focused crawling using context graphs, as Tsay et al.
    2003, Liu, Milios 2012 and the paper on navigational rank describe it. Layers come from any local graph,
    not from a search engine's backlinks, which no search engine offers any more. Likelihoods are those of a
    short page, see ``evidence``. Start URLs join the last queue, as in the pseudocode of Tsay et al., where
    a model is given; without one there are no queues yet, and they come first.
    """

    name = "context-graph"
    paper: ClassVar[str] = "Diligenti et al. 2000, Focused crawling using context graphs"

    layers: int = parameter(
        "How many layers lie around the targets (the papers' N).",
        default=4,
        within=(1, 20),
    )
    threshold: float = parameter(
        'How likely the likeliest layer must be; below, a page is "other", and its links join the last '
        "queue.",
        default=0.4,
        within=(0, 1),
    )
    evidence: float = parameter(
        "Maximum evidence, in words, that a page gives. Naive Bayes is certain of any long text, and "
        "no threshold would mean anything.",
        default=5.0,
        within=(0.1, 10_000),
    )
    terms: int = parameter(
        "How many terms to learn, those that tell the layers apart best by chi-square.",
        default=2_000,
        within=(1, 100_000),
    )
    shift: bool = parameter(
        "Put the links of a page in the queue before that of its layer: they lead one link nearer.",
        default=False,
    )

    def start(self, url: str) -> Proposal:
        tier = self.layers + 1 if self.fitted else 0
        return Proposal(url=url, priority=Priority(tier=tier, score=1.0), why=(("seed", 1.0),))

    def fit(self, graph: LocalGraph) -> None:
        check_enough(self.name, graph)
        layered = [
            (words_of_page(page), distance)
            for url, page in graph.pages.items()
            if (distance := graph.distances.get(url, self.layers + 1)) <= self.layers
        ]
        texts, distances = zip(*layered, strict=True)
        self._bayes = NaiveBayes.fit(texts, distances, self.layers + 1, most=self.terms)

    def predict(self, visit: Visit) -> Iterable[Proposal]:
        layer, likelihood = self.layer_of(visit.page)
        queue = self.queue_of(layer)
        priority = Priority(tier=queue, score=likelihood)
        why = (("queue", float(queue)), ("layer of the page", float(layer)), ("likelihood", likelihood))
        for link in visit.page.links:
            yield Proposal(url=link.url, priority=priority, why=why)

    def layer_of(self, page: Page) -> tuple[int, float]:
        """Return the likeliest layer of a page, or N + 1 below the threshold, and how likely it is."""
        chances = self.chances(page)
        layer = chances.index(max(chances))
        return layer if chances[layer] >= self.threshold else self.layers + 1, chances[layer]

    def chances(self, page: Page) -> list[float]:
        """Return how likely the page is in each layer."""
        chances: list[float] = self._bayes.chances([words_of_page(page)], evidence=self.evidence)[0].tolist()
        return chances

    def queue_of(self, layer: int) -> int:
        """Return the queue for the links of a page of that layer."""
        return max(layer - 1, 0) if self.shift and layer <= self.layers else layer

    def rerank_remembered(self, view: View, *, is_first: bool) -> Ranking | None:
        """Re-rank what was found before the first fit: in the first queue alone it would delay all others."""
        if not is_first:
            return None
        waiting = view.waiting()
        _, ratings = view.priorities(waiting)
        tiers = np.where(ratings >= _PROMISING, 0, self.layers + 1).astype(np.int32)
        parts = {"queue": tiers.astype(np.float64), "link-context": ratings}
        return Ranking(keys=view.keys(waiting), tiers=tiers, scores=ratings, parts=parts)

    def model(self) -> State:
        return {"bayes": self._bayes.state()}

    def use(self, model: State) -> None:
        try:
            bayes = NaiveBayes.from_state(model["bayes"])
        except (KeyError, ValueError):
            raise ModelError(f'this is no model of strategy "{self.name}"; fit it again') from None
        if len(bayes.texts) != self.layers + 1:
            raise ModelError(f"the model was fitted with layers={len(bayes.texts) - 1}; set it, or fit again")
        self._bayes = bayes
