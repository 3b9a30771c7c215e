"""A chain of classifiers along the path."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from homing.model import Visit
from homing.strategies.trained.sequence.belief import ALLOWED, Beliefs, Floats, advance
from homing.strategies.trained.sequence.chain import Chain
from homing.strategies.trained.sequence.sequences import Sequences


class Memm(Chain):
    """Foresees how far from a target a link leads, by a classifier that knows the page before.

    How many links a page is away from a target is its hidden state. A maximum entropy classifier tells how
    likely each state is from what is seen (words of the page, how like the targets it is, anchors, URLs)
    and from the state of the page before. Along a path these chances multiply: a belief is passed on from
    page to page, and the links of a page are ranked by it, first by the chance of a target, among equals
    by the chance of a page that leads to one, and so on. A link brings a target nearer by one at most.

    Examples
    --------
    Fitted to one toy web, it finds its way in another:

    >>> from homing.checks.replays import fitted, harvest
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(fitted(Memm(walks=200), toy_web(seed=2)), pages=60) > harvest(BreadthFirst(), pages=60)
    True

    References
    ----------
    Liu, Milios 2012, Probabilistic models for focused web crawling. What is different here:
    the paper ranks links by the page they stand on, so that links of targets come before links to targets
    (``mode="paper"``); pages not yet read have weights of their own, as a model that has read the page is
    too certain of a link. Features have a weight for each state, not for each pair
    (``full_edge_features``). Chances equal within .001 are those with the same digit, as the paper's rule is
    no order. The first page of a path is read like any other instead of being given the chances of states
    to begin with. Of the link that led to a URL its rating is kept in the memo; its words are in
    the entry. Besides the paper's features there are what the judge says of the title, of the words
    around the link, and of the best link of a page. Cosines take the logarithm of counts. Walks also end at
    pages from which no way is known. What counts is how many different pages and links the walks met, not
    how often. Of several paths to a URL the most promising counts, not the shortest.
    The queue has no cap unless it is set.
    """

    name = "memm"
    paper: ClassVar[str] = "Liu, Milios 2012, Probabilistic models for focused web crawling"

    def chances(self, moves: Floats) -> Floats:
        """Return how likely a step leads from each state to each (equation 13)."""
        return np.exp(_log_chances(np.where(ALLOWED, moves, -np.inf)))

    def likelihood(self, moves: Floats, sequences: Sequences) -> tuple[float, Floats]:
        """Add up the logarithms of the chances of all steps (equation 12); the gradient by moves."""
        steps, before, states = np.arange(len(moves)), sequences.before, sequences.states
        logs = _log_chances(np.where(ALLOWED[before], moves[steps, before], -np.inf))
        gradient = np.zeros_like(moves)
        gradient[steps, before] = -np.exp(logs)
        gradient[steps, before, states] += 1
        return float(logs[steps, states].sum()), gradient

    def believe(self, visit: Visit) -> Beliefs:
        """Pass the belief on to the page, and from there along its links (equations 19 and 23)."""
        seen = self.observe(visit)
        page = advance(seen.before, self.chances(seen.page), self.decode)
        links = page if self.mode == "paper" else advance(page, self.chances(seen.links), self.decode)
        return Beliefs.of_links(links, page=page, ratings=seen.ratings)


def _log_chances(moves: Floats) -> Floats:
    """Normalise over the state a step leads to, to add up to one."""
    raised = moves - moves.max(axis=-1, keepdims=True)
    logs: Floats = raised - np.log(np.exp(raised).sum(axis=-1, keepdims=True))
    return logs
