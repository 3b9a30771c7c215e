"""The centroid of a few pages, without the part that all pages share."""

from __future__ import annotations

from collections.abc import Sequence

from homing.judge.trained.features import Vector
from homing.judge.trained.ordinary_text import OrdinaryText
from homing.text.vectors import length, unit


def centroid(vectors: Sequence[Vector], ordinary: OrdinaryText) -> Vector:
    """Return the topic as one vector of unit length: the mean of the pages, terms weighted by rarity.

    Ordinary text has a direction too, which every page shares. It is subtracted, so that the cosine
    measures what the pages have in common beyond it. With eight examples this raised ROC-AUC on the
    development topics from .93 to .96.
    """
    total = mean([unit(weigh(vector, ordinary)) for vector in vectors])
    shared, size = ordinary.direction, length(total)
    rest = {term: value - size * shared.get(term, 0.0) for term, value in total.items()}
    # Of pages that have only ordinary words nothing would be left.
    return unit({term: value for term, value in rest.items() if value > 0} or total)


def weigh(vector: Vector, ordinary: OrdinaryText) -> Vector:
    """Weight each term by its rarity: tf becomes tf-idf."""
    return {term: value * ordinary.rarity(term) for term, value in vector.items()}


def mean(vectors: Sequence[Vector]) -> Vector:
    """Return the mean of the vectors."""
    total: Vector = {}
    for vector in vectors:
        add(total, vector)
    return {term: value / len(vectors) for term, value in total.items()}


def add(total: Vector, vector: Vector) -> None:
    """Add a vector to a sum."""
    for term, value in vector.items():
        total[term] = total.get(term, 0.0) + value
