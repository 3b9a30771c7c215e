"""How relevant a URL will turn out, by its features: prior weights, and those fitted to this crawl."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from homing.columns import Columns, packed, revise, unpacked
from homing.model import State
from homing.strategies.adaptive.features import FEATURES, FORMER_NAMES
from homing.strategies.adaptive.prior import MEANS, SPREADS, WEIGHTS
from homing.strategies.adaptive.tokens import BUCKETS, Words, weigh

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_WORD_PULL = 3.0
_STEPS, _STILL = 500, 1e-9
"""Maximum sweeps over the weights, and the change below which they have converged."""
_FAR = 5.0
"""Features are clipped at this many standard deviations from their means."""

_MEANS, _SPREADS, _PRIOR = (np.array(each) for each in (MEANS, SPREADS, WEIGHTS))


class Regression:
    """Weighs features: at first by prior weights, and more and more as this crawl's pages tell.

    A ridge regression from features to the score of the page, but shrunk to weights fitted on other webs
    (``prior.py``) instead of to 0: after three pages these decide, after three hundred the crawl's own
    pages. A training example is a row of features as they were before the page was fetched, and the score
    it got. No weight falls below 0. The pages fetched are those that looked best: among them a feature that
    speaks for a page seems to speak against it, since a page that lacks it had to have more of the others.

    Parameters
    ----------
    pull
        How many training examples it takes to outweigh the prior weights.
    remember
        How many training examples are kept, the latest.

    Examples
    --------
    >>> regression = Regression(pull=50, remember=100)
    >>> rows = np.vstack([_MEANS, _MEANS + _SPREADS])
    >>> _, prior, _ = regression.of(rows)
    >>> nothing = np.array([], np.uint16), np.array([])
    >>> for row, score in zip(rows, (0.9, 0.1)):
    ...     regression.add(1, row, score, *nothing)
    >>> regression.fit()
    >>> scores, _, _ = regression.of(rows)
    >>> bool(scores[0] > prior[0])
    True
    """

    def __init__(self, *, pull: float, remember: int) -> None:
        self.pull = pull
        self.remember = remember
        self.words = np.zeros(BUCKETS)
        """The weight of each word of links."""
        self.weights = _PRIOR
        self._examples = Columns(**dict.fromkeys(FEATURES, "f4"), key="i8", score="f4", bag="u2")
        self._bags = Columns(word="u2", value="f4")

    def __len__(self) -> int:
        return len(self._examples)

    def add(self, number: int, row: Floats, score: float, words: Words, values: Floats) -> None:
        """Add a training example: page key, features, score, and the words of the links to the page."""
        features = dict(zip(FEATURES, row, strict=True))
        self._examples.add(1, **features, key=number, score=score, bag=len(words))
        self._bags.add(len(words), word=words, value=values)
        excess = len(self) - self.remember
        if excess > self.remember // 4:
            self._bags.cut(int(self._examples["bag"][:excess].sum(dtype=np.int64)))
            self._examples.cut(excess)

    def examples(self) -> tuple[Floats, Floats]:
        """Return the features of the training examples, a row each, and their scores."""
        rows = np.column_stack([self._examples[name] for name in FEATURES])
        return rows.astype(np.float64), self._examples["score"].astype(np.float64)

    def rescore(self, keys: Numbers, scores: Floats) -> None:
        """Replace the scores of training examples."""
        revise(self._examples, keys, scores)

    def fit(self) -> None:
        """Fit the weights to the training examples so far."""
        rows, scores = self.examples()
        owners = np.repeat(np.arange(len(self)), self._examples["bag"])
        values = self._bags["value"].astype(np.float64)
        words = weigh(self._bags["word"], values, owners, scores, pull=_WORD_PULL)
        self.words = words.astype(np.float32).astype(np.float64)  # as it is saved
        rows = _in_spreads(rows)
        square = rows.T @ rows + self.pull * np.eye(rows.shape[1])
        self.weights = weighed(square, rows.T @ scores + self.pull * _PRIOR)

    def of(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the expected score of each row of features, by fitted and by prior weights, and its parts.

        The parts are a table: how much each feature adds or takes away, compared to its mean.
        """
        scaled = _in_spreads(rows)
        return scaled @ self.weights, scaled @ _PRIOR, scaled[:, :-1] * self.weights[:-1]

    def state(self) -> State:
        return {
            "lessons": self._examples.state(),
            "bags": self._bags.state(),
            "weights": packed(self.weights),
            "words": packed(self.words.astype(np.float32)),
        }

    def restore(self, state: State) -> None:
        self._examples.restore(state["lessons"], FORMER_NAMES)
        self._bags.restore(state["bags"])
        self.weights = unpacked(state["weights"], "f8")
        self.words = unpacked(state["words"], "f4").astype(np.float64)


def weighed(square: Floats, right: Floats) -> Floats:
    """Return the weights w that minimise w square w / 2 - w right, of which none but the last is negative.

    Coordinate descent: each weight in turn is set to its best value given the others, until none changes.

    >>> weighed(np.eye(3), np.array([2.0, -1.0, -1.0])).tolist()
    [2.0, 0.0, -1.0]
    """
    weights = np.linalg.solve(square, right).astype(np.float64)
    weights[:-1] = np.maximum(weights[:-1], 0)
    for _ in range(_STEPS):
        before = weights.copy()
        for place, row in enumerate(square):
            best = weights[place] + (right[place] - row @ weights) / row[place]
            weights[place] = best if place == len(weights) - 1 else max(best, 0.0)
        if np.abs(weights - before).max() < _STILL:
            break
    return weights


def _in_spreads(rows: Floats) -> Floats:
    """Return standardised features, and a 1 for the intercept."""
    return np.column_stack([np.clip((rows - _MEANS) / _SPREADS, -_FAR, _FAR), np.ones(len(rows))])
