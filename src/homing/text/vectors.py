"""Sparse vectors by term: a missing term weighs 0."""

from __future__ import annotations

import math
from collections.abc import Mapping

Vector = Mapping[str, float]


def length(vector: Vector) -> float:
    """Return the Euclidean length."""
    return math.sqrt(sum([value * value for value in vector.values()]))


def unit(vector: Vector) -> dict[str, float]:
    """Return the vector at length 1; an empty one stays empty."""
    size = length(vector) or 1.0
    return {term: value / size for term, value in vector.items()}


def dot(one: Vector, other: Vector) -> float:
    """Return the dot product.

    >>> dot({"garden": 0.5, "moth": 0.5}, {"garden": 1.0})
    0.5
    """
    return sum([value * other[term] for term, value in one.items() if term in other])
