"""The base of memm and crf: what they observe, and how weights are fitted to it."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct, ValidationError, convert, to_builtins

from homing.errors import ModelError
from homing.extras import check_can_fit
from homing.model import State, Visit
from homing.parameters import parameter
from homing.strategies.trained.sequence.belief import FROM, START, STATES, Decode, Floats, unpack
from homing.strategies.trained.sequence.believer import Believer
from homing.strategies.trained.sequence.observations import Observer, Part, weigh, windows
from homing.strategies.trained.sequence.sequences import SEEN, UNSEEN, Sequences, lay_out
from homing.trails import LocalGraph

Mode = Literal["lookahead", "paper"]

_ITERATIONS = 100
_PAGES_FOR_WORDS = 3_000
"""Pages it takes to trust words as much as features that are relative to the topic."""


class Fitted(Struct, frozen=True, kw_only=True):
    """A model of memm or crf: the paper's lambda, and what it was fitted for."""

    strategy: str
    mode: Mode
    observer: Observer
    edges: list[list[list[float]]]
    """By kind of step (page read or not), state before, state."""
    weights: list[list[float]]
    """By feature, and state; with full edge features by state before and state."""


class Observed(NamedTuple):
    """What a page and its links say: ``moves[..., i, j]``, as ``likelihood`` has them."""

    before: Floats
    """What is believed of the page before."""
    page: Floats
    """Moves to the page; in the paper's mode, to the page seen together with each of its links."""
    links: Floats
    """Moves onwards, by each link."""
    ratings: Floats
    """How the words around each link are rated."""


class Chain(Believer):
    """The base of memm and crf, which define in ``likelihood`` and ``believe`` how steps are normalised.

    Pages and links are read as features; a weighted sum of these says how strongly a step leads from a state
    to another. The weights are those that maximise the likelihood of random walks to targets.
    """

    fitted_by = "scipy"

    mode: Mode = parameter(
        '"lookahead": a link is ranked by what is believed of the page it leads to, of which only the link '
        'is seen. "paper": by what is believed of the page it stands on, seen together with this link.',
        default="lookahead",
    )
    decode: Decode = parameter(
        '"marginal": a state is as likely as all paths that end in it together; "viterbi": as the likeliest '
        "of them.",
        default="marginal",
    )
    features: Literal["all", "words"] = parameter(
        '"all" there are, or "words" only: those of titles, headings, meta data and anchors.',
        default="all",
    )
    words: Literal["binary", "counted"] = parameter(
        'A word is there or not ("binary"), or weighs one plus the logarithm of its count ("counted").',
        default="binary",
    )
    full_edge_features: bool = parameter(
        "Learn each feature for every pair of states, before and after, rather than for the state after "
        "alone: five times as many weights.",
        default=False,
    )
    vocabulary: int = parameter(
        "How many words to learn, the most common ones, of pages and of anchors each.",
        default=1_000,
        within=(0, 20_000),
    )
    prior: float = parameter(
        "How large a weight may become (the paper's sigma squared, of the Gaussian prior). Words may become "
        "as large only where there are 3,000 pages to learn from, and less by the share that is missing.",
        default=10.0,
        within=(1e-6, 1e6),
    )
    fit_after: int = parameter(
        "Visits before the first fit to the crawl's own pages, where no model is given; until then it works "
        "as link-context. From 100 pages it learned what these were about, and did worse than before the "
        "fit.",
        default=200,
        within=(10, 1_000_000),
    )

    @abstractmethod
    def likelihood(self, moves: Floats, sequences: Sequences) -> tuple[float, Floats]:
        """Return the log-likelihood of all states, given what was observed, and its gradient by moves.

        ``moves[t, i, j]`` is the sum of weighted features for coming from state i to state j at step t.
        """

    # -- fitting

    def fit(self, graph: LocalGraph) -> None:
        check_can_fit(type(self))
        trails = self.trails(graph)
        pages = list({step.page.url: step.page for trail in trails for step in trail}.values())
        observer = Observer.of(
            self.topic,
            pages,
            self.topic.examples or graph.layer(0),
            vocabulary=self.vocabulary,
            counted=self.words == "counted",
            words_only=self.features == "words",
        )
        lookahead = self.mode == "lookahead"
        sequences = lay_out(trails, observer, self.topic.rate, lookahead=lookahead, seed=self.seed)
        trust = min(1.0, len(pages) / _PAGES_FOR_WORDS)
        variance = self.prior * (1 - (1 - trust) * observer.are_words())
        edges, weights = self._maximise(sequences, variance)
        self._install(
            Fitted(
                strategy=self.name,
                mode=self.mode,
                observer=observer,
                edges=edges.tolist(),
                weights=weights.tolist(),
            )
        )

    def _maximise(self, sequences: Sequences, variance: Floats) -> tuple[Floats, Floats]:
        """Return the weights that maximise the likelihood of the trails, by L-BFGS, to six digits."""
        # Takes 0.3 s to import, for fitting alone.
        optimize = importlib.import_module("scipy.optimize")
        threads = importlib.import_module("threadpoolctl")
        edges = 2 * FROM * STATES
        width = FROM * STATES if self.full_edge_features else STATES
        start = np.zeros(edges + len(variance) * width)
        # With few numbers, threads mostly wait for each other, and add up in another order each time.
        with threads.threadpool_limits(1):
            best, _, _ = optimize.fmin_l_bfgs_b(
                lambda theta: self.loss(theta, sequences, variance), start, maxiter=_ITERATIONS
            )
        rounded = np.array([float(f"{value:.6g}") for value in best])
        return rounded[:edges].reshape(2, FROM, STATES), rounded[edges:].reshape(-1, width)

    def loss(self, theta: Floats, sequences: Sequences, variance: Floats) -> tuple[float, Floats]:
        """Return what L-BFGS minimises, and its gradient: unlikely trails, and large weights."""
        parted = 2 * FROM * STATES
        edges = theta[:parted].reshape(2, FROM, STATES)
        weights = theta[parted:].reshape(len(variance), -1)
        observed = sequences.made_of @ (sequences.rows @ weights)
        moves = edges[sequences.kinds] + _spread(observed)
        value, by_move = self.likelihood(moves, sequences)
        by_edge = np.stack([by_move[sequences.kinds == kind].sum(axis=0) for kind in (SEEN, UNSEEN)])
        by_step = by_move.reshape(len(by_move), -1) if self.full_edge_features else by_move.sum(axis=1)
        by_weight = sequences.rows.T @ (sequences.made_of.T @ by_step)
        # Trails meet the same links again and again, which makes none of them more certain.
        share = 1 / sequences.repetition
        penalty = (edges**2).sum() / self.prior + (weights**2 / variance[:, None]).sum()
        gradient = np.concatenate(
            [
                (edges / self.prior - share * by_edge).ravel(),
                (weights / variance[:, None] - share * by_weight).ravel(),
            ]
        )
        return penalty / 2 - share * value, gradient

    # -- the crawl

    def observe(self, visit: Visit) -> Observed:
        """Return what a page, the link that led to it, and its own links say."""
        page, entry = visit.page, visit.entry
        before, rating = unpack(entry.memo)
        ratings = self.topic.rate(windows(page))
        here = [self._observer.page(page, ratings)]
        if not before[START]:
            here.append(self._observer.link(Part.LED_HERE, page.url, entry.anchor, page.language, rating))
        lookahead = self.mode == "lookahead"
        if lookahead:
            here.append(self._observer.anchors(page))
        seen = weigh(here, self._weights).sum(axis=0)
        part = Part.NOT_FOLLOWED_YET if lookahead else Part.LEADS_ON
        of_links = weigh(
            [
                self._observer.link(part, link.url, link.anchor, page.language, rated)
                for link, rated in zip(page.links, ratings[1:], strict=True)
            ],
            self._weights,
        )
        around = np.array(ratings[1:])
        if lookahead:
            return Observed(before, self._moves(SEEN, seen[None])[0], self._moves(UNSEEN, of_links), around)
        together = self._moves(SEEN, seen + of_links)
        return Observed(before, together, together, around)

    def _moves(self, kind: int, observed: Floats) -> Floats:
        moves: Floats = self._edges[kind] + _spread(observed)
        return moves

    # -- plain data

    def model(self) -> State:
        fitted: State = to_builtins(self._fitted)
        return fitted

    def use(self, model: State) -> None:
        try:
            fitted = convert(model, Fitted)
            if fitted.strategy != self.name:
                raise ModelError(f'the model is one of strategy "{fitted.strategy}", not "{self.name}"')
            if fitted.mode != self.mode:
                raise ModelError(f'the model was fitted with mode = "{fitted.mode}": set this, or fit again')
            self._install(fitted)
        except (ValidationError, ValueError):
            raise ModelError(f'this is no model of strategy "{self.name}", or damaged: fit again') from None

    def _install(self, fitted: Fitted) -> None:
        self._edges = np.array(fitted.edges).reshape(2, FROM, STATES)
        width = FROM * STATES if len(fitted.weights[0]) == FROM * STATES else STATES
        self._weights = np.array(fitted.weights).reshape(len(fitted.observer), width)
        self._observer = fitted.observer
        self._fitted = fitted


def _spread(observed: Floats) -> Floats:
    """Return sums by state before and state; without full edge features they depend on the latter alone."""
    if observed.shape[1] == STATES:
        return observed[:, None, :]
    return observed.reshape(-1, FROM, STATES)
