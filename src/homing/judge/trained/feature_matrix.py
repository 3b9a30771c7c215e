"""A training set as the matrix that a fitting library takes."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from homing.judge.trained.features import Vector
from homing.judge.trained.training_set import TrainingSet

_WORTH = 5.0
"""Weight of all made-up pages together, in pages, beside the negatives."""

_TYPICAL_RARITY = 6.0
"""Rarity of a typical topic word: divided by it, rows keep about unit length."""

_MANY = 50


@dataclass(frozen=True, slots=True)
class FeatureMatrix:
    """One row a page, one column a term; the positives, the negatives, then made-up pages.

    Each column is scaled by the rarity of its term, so that a common word must earn its weight. That
    separated whole pages a little better, and texts of twenty words much better: there no other words make
    up for a weight that is due to chance.
    """

    rows: object
    """A sparse matrix (scipy's, which has no types)."""
    truth: NDArray[np.float64]
    """1 for pages on the topic, else 0."""
    weights: NDArray[np.float64]
    """Weight of each page: both classes weigh the same, a page one on average."""
    terms: list[str]
    scales: NDArray[np.float64]
    """Scale of each column: a fitted weight times this is the weight of the term."""

    @classmethod
    def of(
        cls, training_set: TrainingSet, terms: Iterable[str] | None = None, *, scale: float = 1.0
    ) -> FeatureMatrix:
        """Return the matrix of a training set, by default with all terms that more than one page has.

        All values are multiplied by ``scale`` as well.
        """
        on, off, made_up = len(training_set.positives), len(training_set.negatives), len(training_set.made_up)
        vectors = [
            *(page.vector for page in training_set.positives),
            *(page.vector for page in training_set.negatives),
            *training_set.made_up,
        ]
        chosen = _shared(vectors[: on + off]) if terms is None else terms
        columns = {term: column for column, term in enumerate(chosen)}
        scales = [scale * training_set.ordinary.rarity(term) / _TYPICAL_RARITY for term in columns]
        places: list[int] = []
        values: list[float] = []
        ends = [0]
        for vector in vectors:
            known = [(columns[term], value) for term, value in vector.items() if term in columns]
            places += [column for column, _ in known]
            values += [value * scales[column] for column, value in known]
            ends.append(len(places))
        # Takes 0.3 s to import, and is installed for training alone.
        sparse = importlib.import_module("scipy.sparse")
        share = 1 / (off + _WORTH)
        weights = np.repeat([1 / on, share, share * _WORTH / made_up], [on, off, made_up])
        return cls(
            rows=sparse.csr_matrix((values, places, ends), shape=(len(vectors), len(columns))),
            truth=np.repeat([1.0, 0.0], [on, off + made_up]),
            weights=weights * len(vectors) / 2,
            terms=list(columns),
            scales=np.array(scales),
        )


def _shared(vectors: Sequence[Vector]) -> list[str]:
    """Return the terms that several pages have, if there are many pages: the others add nothing."""
    pages = Counter(term for vector in vectors for term in vector)
    least = 2 if len(vectors) >= _MANY else 1
    return [term for term, count in pages.items() if count >= least]
