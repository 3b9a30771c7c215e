"""Scorers: the result of training, and all that runs when a page is judged.

A scorer maps a page's vector to a number, higher for pages on the topic, and can explain it by terms. It is
plain data: the libraries that fitted it are no longer needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from homing.judge.trained.features import SHORT, Reader, Vector
from homing.judge.trained.plain_data import damaged, mapping, number, numbers, rounded, sequence
from homing.model import State
from homing.text.hashing import term_hash

Parts = list[tuple[str, float]]


class Scorer(Protocol):
    """Maps a vector to a number."""

    def score(self, vector: Vector) -> float: ...

    def scores(self, vectors: Sequence[Vector]) -> list[float]:
        """Return the scores of many vectors."""

    def short_scores(self, texts: Sequence[str], reader: Reader) -> list[float]:
        """Return the scores of short texts, read by ``reader.short``; minus infinity without a known word."""

    def explain(self, vector: Vector) -> tuple[float, Parts]:
        """Return the score, and what each known term of the vector added to it."""

    def weights(self) -> Mapping[str, float]:
        """Return the overall weight of each term, for people to read."""

    def state(self) -> State: ...


class Linear:
    """A weight for each term: the score is their sum over the page.

    >>> scorer = Linear({"butterfli": 2.0, "train": -1.0}, bias=-0.5)
    >>> scorer.score({"butterfli": 0.6, "garden": 0.8})
    0.7
    """

    def __init__(self, weights: Mapping[str, float], bias: float = 0.0) -> None:
        self._weights = {term: rounded(weight) for term, weight in weights.items() if weight}
        self.bias = rounded(bias)
        known = sorted((term_hash(term), weight) for term, weight in (self._weights or {"": 0.0}).items())
        self._known = np.array([number for number, _ in known], np.uint32)
        self._known_weights = np.array([weight for _, weight in known])

    def score(self, vector: Vector) -> float:
        weights = self._weights
        return self.bias + sum([value * weights[term] for term, value in vector.items() if term in weights])

    def scores(self, vectors: Sequence[Vector]) -> list[float]:
        return [self.score(vector) for vector in vectors]

    def short_scores(self, texts: Sequence[str], reader: Reader) -> list[float]:
        # Sixty windows a page are the largest cost of most strategies, so no vectors are made of them.
        texts_of, terms, lengths = reader.short_terms(texts)
        places = np.minimum(np.searchsorted(self._known, terms), len(self._known) - 1)
        known_weights = np.where(self._known[places] == terms, self._known_weights[places], 0.0)
        sums = np.bincount(texts_of, known_weights, len(lengths)) / np.sqrt(np.maximum(lengths, SHORT))
        found: list[float] = np.where(lengths > 0, self.bias + sums, -np.inf).tolist()
        return found

    def explain(self, vector: Vector) -> tuple[float, Parts]:
        weights = self._weights
        parts = [(term, value * weights[term]) for term, value in vector.items() if term in weights]
        return self.bias + sum([part for _, part in parts]), parts

    def weights(self) -> Mapping[str, float]:
        return self._weights

    def state(self) -> State:
        return {"weights": self._weights, "bias": self.bias}

    @classmethod
    def from_state(cls, state: object) -> Linear:
        found = mapping(state, "a scorer")
        return cls(numbers(found.get("weights"), "weights"), number(found.get("bias"), "bias"))


class Nearest:
    """Several vectors: the score is the dot product with the nearest of them.

    >>> Nearest([{"moth": 1.0}, {"moth": 0.6, "garden": 0.8}]).score({"garden": 1.0})
    0.8
    """

    def __init__(self, vectors: Iterable[Vector]) -> None:
        self._vectors = tuple(Linear(vector) for vector in vectors)

    def score(self, vector: Vector) -> float:
        return max([each.score(vector) for each in self._vectors])

    def scores(self, vectors: Sequence[Vector]) -> list[float]:
        return [self.score(vector) for vector in vectors]

    def short_scores(self, texts: Sequence[str], reader: Reader) -> list[float]:
        return list(map(max, zip(*(each.short_scores(texts, reader) for each in self._vectors), strict=True)))

    def explain(self, vector: Vector) -> tuple[float, Parts]:
        return max(self._vectors, key=lambda each: each.score(vector)).explain(vector)

    def weights(self) -> Mapping[str, float]:
        total: dict[str, float] = {}
        for each in self._vectors:
            for term, weight in each.weights().items():
                total[term] = total.get(term, 0.0) + weight / len(self._vectors)
        return total

    def state(self) -> State:
        return {"vectors": [dict(each.weights()) for each in self._vectors]}

    @classmethod
    def from_state(cls, state: object) -> Nearest:
        vectors = sequence(mapping(state, "a scorer").get("vectors"), "vectors")
        if not vectors:
            raise damaged("it has no vectors")
        return cls(numbers(vector, "vectors") for vector in vectors)
