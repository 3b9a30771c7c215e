"""Pages in clusters of like content: what a hidden Markov model observes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Self

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from homing.model import Page
from homing.strategies.trained.sequence.belief import Floats
from homing.text.words import bag

TARGETS = 0
"""The cluster of the targets."""

_TEXT = 1_500
"""How much is read of a page. As much is remembered of pages to fit on: both must look alike."""
_PAGES = 2_000
_TERMS = 2_000
"""Maximum pages, targets and others each, and maximum terms that make the space."""
_ROUNDS = 20


class Clusters(Struct, frozen=True, kw_only=True):
    """Clusters by latent semantic indexing and k-means; plain data, part of the model.

    ``terms`` are those that count, with their numbers; ``places`` says where each of them lies in the space
    of a few dimensions, its rarity included; ``centres`` are unit vectors there.
    """

    terms: dict[str, int]
    places: list[list[float]]
    centres: list[list[float]]

    @classmethod
    def of(
        cls, targets: Sequence[Page], others: Sequence[Page], *, clusters: int, dimensions: int, seed: int
    ) -> Self:
        """Cluster pages: the targets as one cluster, the others in those left."""
        targets, others = _some(targets), _some(others)
        bags = [_bag(page) for page in (*targets, *others)]
        pages_with = Counter(term for each in bags for term in each)
        shared = [term for term, count in pages_with.most_common(_TERMS) if count > 1]
        terms = {term: number for number, term in enumerate(shared)}
        rarity = np.array([math.log(1 + len(bags) / pages_with[term]) for term in shared] or [0.0])
        table = np.zeros((len(bags), len(rarity)))
        for row, each in zip(table, bags, strict=True):
            known = [term for term in each if term in terms]
            row[[terms[term] for term in known]] = [1 + math.log(each[term]) for term in known]
        chance = np.random.default_rng(seed)
        places = np.round(rarity[:, None] * _axes(_unit(table * rarity), dimensions, chance), 5)
        spots = _unit(table @ places)
        own = _unit(spots[: len(targets)].mean(axis=0, keepdims=True))
        centres = np.vstack([own, _centres(spots[len(targets) :], clusters - 1, chance)])
        return cls(terms=terms, places=places.tolist(), centres=np.round(centres, 6).tolist())


class Finder:
    """Tells the cluster of a page."""

    def __init__(self, clusters: Clusters) -> None:
        self._terms = clusters.terms
        self._centres = np.array(clusters.centres)
        self._places = np.array(clusters.places).reshape(-1, self._centres.shape[1])
        if not all(0 <= number < len(self._places) for number in self._terms.values()):
            raise ValueError("a term lies nowhere")

    def find(self, page: Page) -> int:
        """Return the cluster whose centre is nearest; for a page without known words, the last."""
        known = [(self._terms[term], count) for term, count in _bag(page).items() if term in self._terms]
        if not known:
            return len(self._centres) - 1
        numbers, counts = map(list, zip(*known, strict=True))
        spot = (1 + np.log(counts)) @ self._places[numbers]
        return int(np.argmax(self._centres @ spot))


def _some(pages: Sequence[Page]) -> Sequence[Page]:
    return pages[:: math.ceil(len(pages) / _PAGES) or 1]


def _bag(page: Page) -> Counter[str]:
    return bag(f"{page.title} {page.text[:_TEXT]}", page.language)


def _unit(table: Floats) -> Floats:
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    units: Floats = np.divide(table, lengths, out=np.zeros_like(table), where=lengths > 0)
    return units


def _axes(table: Floats, dimensions: int, chance: np.random.Generator) -> Floats:
    """Return the first right singular vectors, by random projection: exact enough, linear in the pages."""
    wanted = min(dimensions, *table.shape)
    sketch = table.T @ chance.standard_normal((len(table), wanted + 10))
    for _ in range(3):
        sketch, _ = np.linalg.qr(table.T @ (table @ sketch))
    _, _, axes = np.linalg.svd(table @ sketch, full_matrices=False)
    found: Floats = (sketch @ axes.T)[:, :wanted]
    return found


def _centres(spots: Floats, clusters: int, chance: np.random.Generator) -> Floats:
    """Run k-means on the unit sphere; a cluster that loses its last page is dropped."""
    if not len(spots):
        return np.zeros((1, spots.shape[1]))
    centres = spots[chance.choice(len(spots), min(clusters, len(spots)), replace=False)]
    nearest: NDArray[np.intp] | None = None
    for _ in range(_ROUNDS):
        now = np.argmax(spots @ centres.T, axis=1)
        if nearest is not None and np.array_equal(now, nearest):
            break
        nearest = now
        centres = _unit(np.array([spots[now == each].mean(axis=0) for each in np.unique(now)]))
    return centres
