"""A hidden Markov model of the path to a target."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from msgspec import Struct, ValidationError, convert, to_builtins

from homing.errors import ModelError
from homing.model import State, Visit
from homing.parameters import parameter
from homing.strategies.trained.sequence.belief import (
    ALLOWED,
    FROM,
    START,
    STATES,
    Beliefs,
    Floats,
    advance,
    unpack,
)
from homing.strategies.trained.sequence.believer import Believer
from homing.strategies.trained.sequence.clusters import Clusters, Finder
from homing.strategies.trained.sequence.sequences import state_of
from homing.trails import LocalGraph

_BORDERS = (0.01, 0.25, 0.5, 0.75)
"""Between ratings of links that are taken for the same."""


class Fitted(Struct, frozen=True, kw_only=True):
    """A model: the clusters, and the chances of the hidden Markov model."""

    clusters: Clusters
    steps: list[list[float]]
    """By state before and state; the last row says in which state a path begins (the paper's A and pi)."""
    shows: list[list[float]]
    """By state and cluster (the paper's B)."""
    says: list[list[float]]
    """By state and how the link is rated that leads there."""


class Hmm(Believer):
    """Guesses from the kinds of pages on a path how far it is from a target.

    Pages fall into clusters of like content, targets into one of their own. Along a path only the clusters
    are seen; how many links each page is away from a target is hidden, and guessed from all of them so far.
    Links come in the order of what is believed of the page they lead to: by its chance to be a target, then
    by its chance to lead to one, and so on; among equals those come first whose words speak of the topic.

    Examples
    --------
    A model of one toy web helps in another:

    >>> from homing.checks.replays import fitted, harvest
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(fitted(Hmm(), toy_web(seed=2)), pages=60) > harvest(BreadthFirst(), pages=60)
    True

    References
    ----------
    Liu, Janssen, Milios 2006, Using HMM to learn user browsing patterns for focused web crawling, as
    retold in Liu, Milios 2012. The number of clusters is given, not searched for. Walks through a graph stand
    for users' sessions. Links of one page tie in the paper (``mode="paper"``), which then wanders on from
    pages that look promising, whatever their links say. The fifth chance, which the other four imply, makes
    room in the key for the rating of the words around the link. A link that would bring a
    target nearer by two is ruled out rather than unlikely.
    """

    name = "hmm"
    paper: ClassVar[str] = "Liu, Janssen, Milios 2006, Using HMM to learn user browsing patterns"

    mode: Literal["lookahead", "paper"] = parameter(
        '"lookahead": what the words around a link say of the topic is observed, too, in place of the page '
        'behind it, which is unknown. "paper": all links of a page are believed to be alike.',
        default="lookahead",
    )
    clusters: int = parameter(
        "How many clusters there are, that of the targets included.",
        default=5,
        within=(2, 1_000),
    )
    dimensions: int = parameter(
        "Dimensions of the space in which pages are compared.",
        default=20,
        within=(1, 500),
    )
    smoothing: float = parameter(
        "What is added to each count of a step or a cluster, so that nothing is impossible.",
        default=1.0,
        within=(1e-6, 1e6),
    )

    def fit(self, graph: LocalGraph) -> None:
        trails = self.trails(graph)
        clusters = Clusters.of(
            graph.layer(0),
            [page for url, page in graph.pages.items() if url not in graph.targets],
            clusters=self.clusters,
            dimensions=self.dimensions,
            seed=self.seed,
        )
        finder = Finder(clusters)
        found = {url: finder.find(page) for url, page in graph.pages.items()}
        found |= dict.fromkeys(graph.targets, 0)
        steps = np.where(ALLOWED, self.smoothing, 0.0)
        shows = np.full((STATES, len(clusters.centres)), self.smoothing)
        says = np.full((STATES, len(_BORDERS) + 1), self.smoothing)
        texts = list({step.link.around: None for trail in trails for step in trail if step.link})
        rated = dict(zip(texts, np.searchsorted(_BORDERS, self.topic.rate(texts)), strict=True))
        for trail in trails:
            before = START
            for step in trail:
                state = state_of(step)
                steps[before, state] += 1
                shows[state, found[step.page.url]] += 1
                if step.link:
                    says[state, rated[step.link.around]] += 1
                before = state
        self._install(
            Fitted(clusters=clusters, steps=_chances(steps), shows=_chances(shows), says=_chances(says))
        )

    def believe(self, visit: Visit) -> Beliefs:
        page = visit.page
        before, _ = unpack(visit.entry.memo)
        shown = self._shows[:, self._finder.find(page)]
        belief = advance(before, self._steps * shown)
        ratings = np.array(self.topic.rate([link.around for link in page.links]))
        said = self._says.T[np.searchsorted(_BORDERS, ratings)]
        if self.mode == "paper":
            said = np.ones_like(said)
        beliefs = advance(belief, self._steps * said[:, None, :])
        ranked_by = np.column_stack([beliefs[:, : STATES - 1], ratings])
        return Beliefs.of_links(beliefs, page=belief, ratings=ratings, ranked_by=ranked_by)

    def model(self) -> State:
        fitted: State = to_builtins(self._fitted)
        return fitted

    def use(self, model: State) -> None:
        try:
            self._install(convert(model, Fitted))
        except (ValidationError, ValueError):
            raise ModelError(f'this is no model of strategy "{self.name}", or damaged: fit again') from None

    def _install(self, fitted: Fitted) -> None:
        self._fitted = fitted
        self._finder = Finder(fitted.clusters)
        self._steps = np.array(fitted.steps).reshape(FROM, STATES)
        self._says = np.array(fitted.says).reshape(STATES, len(_BORDERS) + 1)
        self._shows = np.array(fitted.shows).reshape(STATES, len(fitted.clusters.centres))


def _chances(counts: Floats) -> list[list[float]]:
    chances: list[list[float]] = np.round(counts / counts.sum(axis=1, keepdims=True), 9).tolist()
    return chances
