"""One model of whole paths."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from homing.model import Visit
from homing.strategies.trained.sequence.belief import ALLOWED, START, STATES, Beliefs, Floats, advance
from homing.strategies.trained.sequence.chain import Chain
from homing.strategies.trained.sequence.sequences import Sequences


class Crf(Chain):
    """Foresees how far from a target a link leads, by a model of whole paths.

    As memm, and with the same features, but the chances of a path are brought to one for the path as a
    whole and not at each step (a linear-chain conditional random field): what is seen later may overrule
    what a page seemed to be. In the crawl nothing is seen later than the page at hand: there it walks
    forward only.

    Examples
    --------
    Fitted to one toy web, it brings more relevant pages of another one than a crawl by link-context:

    >>> from homing.checks.replays import fitted, harvest
    >>> from homing.checks.webs import toy_web
    >>> from homing.strategies.link_context import LinkContext
    >>> harvest(fitted(Crf(walks=200), toy_web(seed=2)), pages=60) > harvest(LinkContext(), pages=60)
    True

    References
    ----------
    Liu, Milios 2012, Probabilistic models for focused web crawling. What is different here is listed
    at ``memm``, which has all but the normalisation in common with it.
    There is no state after the last one of a path, which the paper adds for the sake of notation.
    """

    name = "crf"
    paper: ClassVar[str] = "Liu, Milios 2012, Probabilistic models for focused web crawling"

    def likelihood(self, moves: Floats, sequences: Sequences) -> tuple[float, Floats]:
        """Divide the strength of each path by Z, that of all paths (equation 30); the gradient by moves."""
        gradient = np.empty_like(moves)
        steps = np.arange(len(moves))
        value = float(moves[steps, sequences.before, sequences.states].sum())
        for begin, count, length in sequences.groups:
            group = slice(begin, begin + count * length)
            shape = (count, length, *moves.shape[1:])
            logs, expected = _expectations(moves[group].reshape(shape))
            gradient[group] = -expected.reshape(moves[group].shape)
            value -= float(logs.sum())
        gradient[steps, sequences.before, sequences.states] += 1
        return value, gradient

    def believe(self, visit: Visit) -> Beliefs:
        """Walk forward to the page, and from there along its links (equations 37 to 39)."""
        seen = self.observe(visit)
        page = advance(seen.before, self.strengths(seen.page), self.decode)
        links = page if self.mode == "paper" else advance(page, self.strengths(seen.links), self.decode)
        return Beliefs.of_links(links, page=page, ratings=seen.ratings)

    def strengths(self, moves: Floats) -> Floats:
        """Return how strongly a step leads from each state to each, but for a common factor."""
        raised = moves - moves.max(axis=(-2, -1), keepdims=True)
        strengths: Floats = np.exp(raised) * ALLOWED
        return strengths


def _expectations(moves: Floats) -> tuple[Floats, Floats]:
    """Return the logarithm of Z of trails of one length, and how likely each of them takes each move.

    Forward and backward are divided by their sums at every step (the sums multiply to Z), so that nothing
    overflows; the smallest allowed strength keeps a trail from becoming impossible by rounding.
    """
    count, length = moves.shape[:2]
    highest = moves.max(axis=(2, 3))
    strengths = np.maximum(np.exp(moves - highest[:, :, None, None]), 1e-200) * ALLOWED
    forward = np.empty((count, length, STATES))
    sums = np.empty((count, length))
    for step in range(length):
        reached = (
            strengths[:, 0, START] if step == 0 else _onward(forward[:, step - 1], strengths[:, step, :START])
        )
        sums[:, step] = reached.sum(axis=1)
        forward[:, step] = reached / sums[:, step, None]
    expected = np.zeros_like(moves)
    backward = np.ones((count, STATES))
    for step in range(length - 1, 0, -1):
        move = strengths[:, step, :START] * (backward / sums[:, step, None])[:, None, :]
        expected[:, step, :START] = forward[:, step - 1, :, None] * move
        backward = move.sum(axis=2)
    expected[:, 0, START] = forward[:, 0] * backward
    logs: Floats = (np.log(sums) + highest).sum(axis=1)
    return logs, expected


def _onward(forward: Floats, strengths: Floats) -> Floats:
    reached: Floats = np.einsum("ni,nij->nj", forward, strengths)
    return reached
