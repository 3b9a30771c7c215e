"""The judge ``neural``: a small neural network on the words of pages."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from homing.extras import check_can_fit
from homing.judge.bayes import select
from homing.judge.trained.base import TrainedJudge
from homing.judge.trained.calibration import ScorePrior
from homing.judge.trained.feature_matrix import FeatureMatrix
from homing.judge.trained.features import Reader, Vector
from homing.judge.trained.linear import Parts, Scorer
from homing.judge.trained.plain_data import damaged, mapping, number, rounded, sequence, text
from homing.judge.trained.training_set import TrainingSet
from homing.model import State
from homing.parameters import parameter

_SCALE = 10.0
"""Values of a vector are near 0.05; the initial weights of the net suit values near 1."""

_SWEEPS = 100
"""Iterations of the fit: five hundred separate pages no better."""


class Neural(TrainedJudge):
    """Feeds the words into a small net, whose units can tell senses of the topic apart.

    One hidden layer of a few units between the terms that tell the classes apart best (chi-square) and the
    score. Made-up pages of ordinary text stand in for negatives, as with ``svm``. With the few pages
    that users show it is about as good as ``svm``; it is here for topics of several kinds of pages, and
    as a third opinion. Training is the same every time.

    Examples
    --------
    >>> from homing.judge.base import Brief
    >>> from homing.model import Page
    >>> on = Page(url="http://a.example/", text="Bees gather pollen and make honey.")
    >>> off = Page(url="http://b.example/", text="The harbour is closed to ships.")
    >>> new = Page(url="http://c.example/", text="Honey is made of nectar by bees.")
    >>> judge = Neural(Brief(examples=(on,), negatives=(off,)))
    >>> judge.judge(new).relevant, judge.judge(off).relevant
    (True, False)

    References
    ----------
    Rumelhart, Hinton, Williams 1986, Learning representations by back-propagating errors. Fitted in whole
    batches (L-BFGS), as there are few pages.
    """

    name = "neural"
    fitted_by = "sklearn"
    paper: ClassVar[str] = (
        "Rumelhart, Hinton, Williams 1986, Learning representations by back-propagating errors"
    )
    score_prior: ClassVar[ScorePrior] = ScorePrior(halfway=14.0, spread=0.4)

    units: int = parameter(
        "How many hidden units the net has.",
        default=6,
        within=(1, 256),
    )
    terms: int = parameter(
        "How many terms to keep.",
        default=4000,
        within=(1, 100_000),
    )
    decay: float = parameter(
        "How much large weights cost: higher makes the net smoother.",
        default=1.0,
        within=(0, 1000),
    )

    def fit(self, training_set: TrainingSet) -> Scorer:
        check_can_fit(type(self))
        # Takes a second to import, and is installed for training alone.
        networks = importlib.import_module("sklearn.neural_network")
        threads = importlib.import_module("threadpoolctl")
        matrix = FeatureMatrix.of(training_set, select(training_set, self.terms), scale=_SCALE)
        net = networks.MLPClassifier(
            (self.units,),
            activation="tanh",
            solver="lbfgs",
            alpha=self.decay,
            max_iter=_SWEEPS,
            random_state=0,
        )
        # Several threads add up in another order, so that the net would differ between machines; and with
        # few numbers they mostly wait for each other.
        with threads.threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it has not converged: more iterations would overfit
            net.fit(matrix.rows, matrix.truth, sample_weight=matrix.weights)
        inner, outer = net.coefs_[0] * matrix.scales[:, None], net.coefs_[1][:, 0]
        return Net(matrix.terms, inner, net.intercepts_[0], outer, float(net.intercepts_[1][0]))

    def scorer_from(self, state: object) -> Scorer:
        return Net.from_state(state)


class Net:
    """A neural network with one hidden layer.

    >>> net = Net(["moth"], np.array([[2.0]]), np.array([0.0]), np.array([1.0]), bias=-0.5)
    >>> round(net.score({"moth": 0.5, "garden": 0.5}), 3)
    0.262
    """

    def __init__(
        self,
        terms: Sequence[str],
        inner: NDArray[np.float64],
        thresholds: NDArray[np.float64],
        outer: NDArray[np.float64],
        bias: float,
    ) -> None:
        self._places = {term: place for place, term in enumerate(terms)}
        self._inner = _rounded(inner)
        self._thresholds = _rounded(thresholds)
        self._outer = _rounded(outer)
        self._bias = rounded(bias)

    def score(self, vector: Vector) -> float:
        return self.scores([vector])[0]

    def scores(self, vectors: Sequence[Vector]) -> list[float]:
        found: list[float] = (np.tanh(self._hidden_inputs(vectors)) @ self._outer + self._bias).tolist()
        return found

    def short_scores(self, texts: Sequence[str], reader: Reader) -> list[float]:
        vectors = list(map(reader.short, texts))
        scores = self.scores(vectors)
        return [score if vector else -np.inf for vector, score in zip(vectors, scores, strict=True)]

    def explain(self, vector: Vector) -> tuple[float, Parts]:
        """Return the score, and what each term adds: its value by the slope of the net at this page."""
        activations = np.tanh(self._hidden_inputs([vector])[0])
        effects = self._effects(1 - activations**2).tolist()
        places = self._places
        parts = [(term, value * effects[places[term]]) for term, value in vector.items() if term in places]
        return float(activations @ self._outer) + self._bias, parts

    def weights(self) -> Mapping[str, float]:
        effects = self._effects(1 - np.tanh(self._thresholds) ** 2).tolist()
        return dict(zip(self._places, effects, strict=True))

    def state(self) -> State:
        return {
            "terms": list(self._places),
            "inner": self._inner.tolist(),
            "thresholds": self._thresholds.tolist(),
            "outer": self._outer.tolist(),
            "bias": self._bias,
        }

    @classmethod
    def from_state(cls, state: object) -> Net:
        found = mapping(state, "a net")
        terms = [text(term, "terms") for term in sequence(found.get("terms"), "terms")]
        rows = [_numbers(row, "inner") for row in sequence(found.get("inner"), "inner")]
        thresholds = _numbers(found.get("thresholds"), "thresholds")
        outer = _numbers(found.get("outer"), "outer")
        units = len(outer)
        if not units or len(thresholds) != units or len(rows) != len(terms) or {*map(len, rows)} - {units}:
            raise damaged("the layers of the net do not fit together")
        inner = np.array(rows, dtype=float).reshape(len(terms), units)
        return cls(terms, inner, np.array(thresholds), np.array(outer), number(found.get("bias"), "bias"))

    def _hidden_inputs(self, vectors: Sequence[Vector]) -> NDArray[np.float64]:
        """Return the inputs of the hidden units, one row a vector."""
        places = self._places
        known = [
            (row, places[term], value)
            for row, vector in enumerate(vectors)
            for term, value in vector.items()
            if term in places
        ]
        inputs = np.tile(self._thresholds, (len(vectors), 1))
        if known:
            rows, columns, values = zip(*known, strict=True)
            np.add.at(inputs, np.array(rows), self._inner[np.array(columns)] * np.array(values)[:, None])
        return inputs

    def _effects(self, slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        effects: NDArray[np.float64] = self._inner @ (self._outer * slopes)
        return effects


def _rounded(array: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([rounded(value) for value in array.ravel().tolist()]).reshape(array.shape)


def _numbers(data: object, what: str) -> list[float]:
    return [number(value, what) for value in sequence(data, what)]
