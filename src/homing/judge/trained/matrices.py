"""A lesson as the numbers that a fitting library wants."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from homing.judge.trained.features import Vector
from homing.judge.trained.training_set import Lesson

_WORTH = 5.0
"""Pages' worth of evidence that all the made-up pages are, beside the negatives."""

_USUAL = 6.0
"""About the rarity of a word that tells something: divided by it, rows stay about one long."""

_MANY = 50


@dataclass(frozen=True, slots=True)
class Table:
    """One row a page, one column a term; the positives, the negatives, then made-up pages.

    Each column is stretched by the rarity of its term, so that a common word must earn its weight: whole
    pages were told apart a little better by it, and twenty words much better, where no other words make up
    for a chance weight.
    """

    rows: object
    """A sparse matrix (scipy's, which has no types)."""
    truth: NDArray[np.float64]
    """1 for pages on the topic, else 0."""
    weights: NDArray[np.float64]
    """What each page weighs: both classes the same, one on average."""
    terms: list[str]
    scales: NDArray[np.float64]
    """How much each column was stretched: a fitted weight times this is the weight of the term."""

    @classmethod
    def of(cls, lesson: Lesson, terms: Iterable[str] | None = None, *, scale: float = 1.0) -> Table:
        """The table of a lesson, with these terms only or with all that more than one of its pages has.

        All values are multiplied by ``scale`` as well.
        """
        on, off, made_up = len(lesson.positives), len(lesson.negatives), len(lesson.made_up)
        vectors = [
            *(shown.vector for shown in lesson.positives),
            *(shown.vector for shown in lesson.negatives),
            *lesson.made_up,
        ]
        chosen = _shared(vectors[: on + off]) if terms is None else terms
        columns = {term: column for column, term in enumerate(chosen)}
        scales = [scale * lesson.ordinary.rarity(term) / _USUAL for term in columns]
        places: list[int] = []
        values: list[float] = []
        ends = [0]
        for vector in vectors:
            known = [(columns[term], value) for term, value in vector.items() if term in columns]
            places += [column for column, _ in known]
            values += [value * scales[column] for column, value in known]
            ends.append(len(places))
        # Takes 0.3 s to import, for training alone.
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
    """Terms that several pages have, if there are many pages: the others are two thirds and teach nothing."""
    pages = Counter(term for vector in vectors for term in vector)
    least = 2 if len(vectors) >= _MANY else 1
    return [term for term, count in pages.items() if count >= least]
