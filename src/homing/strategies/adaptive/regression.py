"""How relevant a URL will turn out, by its signs: what usually holds, and what this crawl has learnt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from homing.columns import Columns, packed, revise, unpacked
from homing.model import State
from homing.strategies.adaptive.features import SIGNS
from homing.strategies.adaptive.prior import MEANS, SPREADS, WEIGHTS
from homing.strategies.adaptive.tokens import BUCKETS, Words, weigh

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_WORD_PULL = 3.0
_STEPS, _STILL = 500, 1e-9
"""How often weights are put right at the most, and what counts as unmoved."""
_FAR = 5.0
"""No sign counts for more than at so many spreads from its mean."""

_MEANS, _SPREADS, _USUAL = (np.array(each) for each in (MEANS, SPREADS, WEIGHTS))


class Expectation:
    """Weighs signs, at first as it is right on most webs, and more and more as it is on this one.

    A ridge regression from signs to the score of the page, but its weights are held to those that were right
    elsewhere (``usual.py``) instead of to 0: after three pages they are what decides, after three hundred the
    crawl's own pages are. A lesson is a row of signs as they were when the page came, and the score it got.
    No weight falls below 0. The pages that come are those that looked best: among them a sign that speaks for
    a page seems to speak against it, since what lacks it had to have more of the others.

    Parameters
    ----------
    pull
        How many lessons it takes to outweigh what is usual.
    remember
        How many lessons are kept, the latest.

    Examples
    --------
    >>> expectation = Expectation(pull=50, remember=100)
    >>> rows = np.vstack([_MEANS, _MEANS + _SPREADS])
    >>> _, usual, _ = expectation.of(rows)
    >>> nothing = np.array([], np.uint16), np.array([])
    >>> for row, score in zip(rows, (0.9, 0.1)):
    ...     expectation.add(1, row, score, *nothing)
    >>> expectation.fit()
    >>> scores, _, _ = expectation.of(rows)
    >>> bool(scores[0] > usual[0])
    True
    """

    def __init__(self, *, pull: float, remember: int) -> None:
        self.pull = pull
        self.remember = remember
        self.words = np.zeros(BUCKETS)
        """The weight of each word of links."""
        self.weights = _USUAL
        self._lessons = Columns(**dict.fromkeys(SIGNS, "f4"), key="i8", score="f4", bag="u2")
        self._bags = Columns(word="u2", value="f4")

    def __len__(self) -> int:
        return len(self._lessons)

    def add(self, number: int, row: Floats, score: float, words: Words, values: Floats) -> None:
        """A lesson: the key of a page, its signs, the score it got, and the words of the links to it."""
        signs = dict(zip(SIGNS, row, strict=True))
        self._lessons.add(1, **signs, key=number, score=score, bag=len(words))
        self._bags.add(len(words), word=words, value=values)
        excess = len(self) - self.remember
        if excess > self.remember // 4:
            self._bags.cut(int(self._lessons["bag"][:excess].sum(dtype=np.int64)))
            self._lessons.cut(excess)

    def lessons(self) -> tuple[Floats, Floats]:
        """The signs of the pages it learns from, a row each, and their scores."""
        rows = np.column_stack([self._lessons[name] for name in SIGNS])
        return rows.astype(np.float64), self._lessons["score"].astype(np.float64)

    def judge_anew(self, keys: Numbers, scores: Floats) -> None:
        """Pages turn out otherwise: so do the lessons that they were."""
        revise(self._lessons, keys, scores)

    def fit(self) -> None:
        """Learn from the lessons so far."""
        rows, scores = self.lessons()
        owners = np.repeat(np.arange(len(self)), self._lessons["bag"])
        values = self._bags["value"].astype(np.float64)
        words = weigh(self._bags["word"], values, owners, scores, pull=_WORD_PULL)
        self.words = words.astype(np.float32).astype(np.float64)  # as it is saved
        rows = _in_spreads(rows)
        square = rows.T @ rows + self.pull * np.eye(rows.shape[1])
        self.weights = weighed(square, rows.T @ scores + self.pull * _USUAL)

    def of(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """The score that each row of signs promises, here and on most webs, and what the first is made of.

        That is a table: how much each sign adds, or takes away, against what is usual for it.
        """
        scaled = _in_spreads(rows)
        return scaled @ self.weights, scaled @ _USUAL, scaled[:, :-1] * self.weights[:-1]

    def state(self) -> State:
        return {
            "lessons": self._lessons.state(),
            "bags": self._bags.state(),
            "weights": packed(self.weights),
            "words": packed(self.words.astype(np.float32)),
        }

    def restore(self, state: State) -> None:
        self._lessons.restore(state["lessons"])
        self._bags.restore(state["bags"])
        self.weights = unpacked(state["weights"], "f8")
        self.words = unpacked(state["words"], "f4").astype(np.float64)


def weighed(square: Floats, right: Floats) -> Floats:
    """The weights w by which w square w / 2 - w right is least, of which none but the last is below 0.

    One weight after the other is put where it is best beside the others, until none moves.

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
    """Signs by how far they are from their means, and a 1 for the weight that is always there."""
    return np.column_stack([np.clip((rows - _MEANS) / _SPREADS, -_FAR, _FAR), np.ones(len(rows))])
