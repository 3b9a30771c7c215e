"""One model of whole paths."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from homing.strategies.belief import ALLOWED, START, STATES, Floats
from homing.strategies.chain import Chain
from homing.strategies.sequences import Sequences


class Crf(Chain):
    """Foresees how far from a target a link leads, by a model of whole paths.

    As memm, and with the same features, but the chances of a path are brought to one for the path as a
    whole and not at each step (a linear-chain conditional random field): what is seen later may overrule
    what a page seemed to be. In the crawl nothing is seen later than the page at hand: there it walks
    forward only.

    Parameters
    ----------
    mode
        ``lookahead``: a link is ranked by what is believed of the page it leads to, of which only the link
        is seen. ``paper``: by what is believed of the page it stands on, seen together with this link.
    decode
        ``marginal``: a state is as likely as all paths that end in it together; ``viterbi``: as the
        likeliest of them.
    features
        ``all`` there are, or ``words`` only: those of titles, headings, meta data and anchors.
    words
        A word is there or not (``binary``), or weighs one plus the logarithm of its count (``counted``).
    full_edge_features
        Learn each feature for every pair of states, before and after, rather than for the state after
        alone: five times as many weights.
    vocabulary
        How many words to learn, the most common ones, of pages and of anchors each.
    prior
        How large a weight may become (the paper's sigma squared, of the Gaussian prior). Words may become as
        large only where there are 3,000 pages to learn from, and less by the share that is missing.
    walks
        Random walks through the known pages to learn from (the paper: about 10,000), and as many that stray.
    queue_cap
        If not 0, only so many of the best links wait in the first tier (the paper: 500), all others in the
        second. Those that are pushed out later stay.
    fit_after
        Visits before the first fit to the crawl's own pages, where no model is given; until then it works
        as link-context. After each fit the links of all pages it remembers are ranked anew.
    refit_every
        Visits between two such fits; 0 for one fit only.
    remember
        How many pages of the crawl to keep in outline for it.
    seed
        For the walks.

    Examples
    --------
    Fitted to one little web, it finds its way in another:

    >>> from homing.checks.webs import replay, toy_web
    >>> from homing.judge import Keywords
    >>> from homing.strategies import BreadthFirst
    >>> from homing.trails import LocalGraph
    >>> known, web = toy_web(seed=2), toy_web(seed=1)
    >>> taught, strategy = Crf(walks=200), Crf()
    >>> taught.begin(Keywords(known.topic).topic())
    >>> taught.fit(LocalGraph(known.pages.values(), known.targets))
    >>> strategy.give(taught.model())
    >>> replay(web, strategy, pages=60).harvest > replay(web, BreadthFirst(), pages=60).harvest
    True

    References
    ----------
    Liu, Milios 2012, Probabilistic models for focused web crawling. What is different here:
    the paper ranks links by the page they stand on, so that links of targets come before links to targets
    (``mode="paper"``); pages not yet read have weights of their own, as a model that has read the page is
    too certain of a link. Features have a weight for each state, not for each pair
    (``full_edge_features``). Chances equal within .001 are those with the same digit, as the paper's rule is
    no order. The first page of a path is read like any other instead of being given the chances of states
    to begin with. What is kept with a URL of the link that led there is how it was rated; its words come
    with the entry. Besides the paper's features there are what the judge says of the title, of the words
    around the link, and of the best link of a page. Cosines take the logarithm of counts. Walks also end at
    pages from which no way is known. What counts is how many different pages and links the walks met, not
    how often. Of several paths to a URL the most promising counts, not the shortest.
    The queue has no cap unless it is set.
    There is no state after the last one of a path, which the paper adds for the sake of notation.
    """

    name: str = "crf"
    paper: ClassVar[str] = "Liu, Milios 2012, Probabilistic models for focused web crawling"

    def strengths(self, moves: Floats) -> Floats:
        raised = moves - moves.max(axis=(-2, -1), keepdims=True)
        strengths: Floats = np.exp(raised) * ALLOWED
        return strengths

    def likelihood(self, moves: Floats, sequences: Sequences) -> tuple[float, Floats]:
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


def _expectations(moves: Floats) -> tuple[Floats, Floats]:
    """The logarithm of Z of trails of one length, and how likely each of them takes each move.

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
