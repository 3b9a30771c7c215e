"""The nodes of a T-Graph turned round: for each term the nodes that have it.

To compare texts with all nodes, only nodes that share a term with them are looked at. A few terms are in
so many nodes that they have most of these postings; their rows are kept dense, as adding up a whole row is
quicker than picking out a tenth of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from homing.strategies.trained.treasure.passages import NOWHERE, PARTS, Floats, Integers, Node, Texts, counted
from homing.text.hashing import BUCKETS

_COMMON = 1 / 12
"""The share of all nodes from which on a term is common ..."""
_MOST_COMMON = 64
"""... and how many such terms there are at most: 1.3 MB with 5,000 nodes."""

BITS = 1 << np.arange(PARTS)
"""A number for any choice of parts: the sum of their bits."""


class Postings:
    """Compares texts with all nodes at once.

    Parameters
    ----------
    nodes
        What to compare with.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        none = Node(np.zeros(0, np.int32), np.zeros(0, np.float32), NOWHERE)
        features = np.concatenate([each.features for each in (*nodes, none)])
        counts = np.concatenate([each.counts for each in (*nodes, none)])
        owners = np.repeat(np.arange(len(nodes)), [len(each.features) for each in nodes])
        weights, has = _unit(owners * PARTS + features // BUCKETS, counts, len(nodes))
        shared = np.bitwise_count(np.arange(1 << PARTS)[:, None] & (has @ BITS))
        self.shares: Floats = (1 / np.maximum(shared, 1)).astype(np.float32)
        """One by the number of parts that a passage has in common with each node, by the parts it has."""
        order = np.argsort(features, kind="stable")
        # A feature past all others, so that looking one up never leads past the end.
        self._terms, starts = np.unique(np.append(features[order], PARTS * BUCKETS), return_index=True)
        self._borders = np.append(starts, len(features))
        """Where the nodes of each term begin and end."""
        self._owners, self._weights = owners[order], weights[order]
        """The nodes of one term after another, and what the term weighs in each."""
        spread = np.diff(self._borders)
        common = np.argsort(-spread, kind="stable")[:_MOST_COMMON]
        common = common[spread[common] > _COMMON * len(nodes)]
        self._size = len(nodes)
        self._common_nodes = [self._row(term) for term in common]
        self._common = np.full(len(self._terms), -1, np.int32)
        """The row of each common term there; -1 for the others."""
        self._common[common] = np.arange(len(common))

    def cosines(self, texts: Sequence[Texts], language: str) -> tuple[Floats, NDArray[np.bool_]]:
        """The cosines of each four texts to those of every node, summed up, and which texts have terms."""
        row, term, counts = counted(texts, language)
        weights, has = _unit(row * PARTS + term // BUCKETS, counts, len(texts))
        place = np.searchsorted(self._terms, term)
        known = self._terms[place] == term
        row, place, weights = row[known], place[known], weights[known]
        common = self._common[place]
        is_rare = common < 0
        sums = self._of_common(len(texts), row[~is_rare], common[~is_rare], weights[~is_rare])
        sums += self._of_rare(len(texts), row[is_rare], place[is_rare], weights[is_rare])
        return sums, has

    def _row(self, term: int) -> Floats:
        """Return what a term weighs in every node."""
        row: Floats = np.zeros(self._size, np.float32)
        of_term = slice(self._borders[term], self._borders[term + 1])
        row[self._owners[of_term]] = self._weights[of_term]
        return row

    def _of_common(self, rows: int, row: Integers, term: Integers, weights: Floats) -> Floats:
        sums: Floats = np.zeros((rows, self._size), np.float32)
        product = np.empty(self._size, np.float32)
        texts, nodes = list(sums), self._common_nodes
        for text, number, weight in zip(row.tolist(), term.tolist(), weights, strict=True):
            np.multiply(nodes[number], weight, out=product)
            np.add(texts[text], product, out=texts[text])
        return sums

    def _of_rare(self, rows: int, row: Integers, term: Integers, weights: Floats) -> Floats:
        first, lengths = self._borders[term], self._borders[term + 1] - self._borders[term]
        # The places of the nodes of these terms, one term after another, each counted from its first.
        places = np.arange(lengths.sum()) + np.repeat(first + lengths - np.cumsum(lengths), lengths)
        sums: Floats = np.zeros(rows * self._size, np.float32)
        found = self._owners[places] + np.repeat(row * self._size, lengths)
        np.add.at(sums, found, self._weights[places] * np.repeat(weights, lengths))
        return sums.reshape(rows, self._size)


def _unit(vector: Integers, counts: Floats, rows: int) -> tuple[Floats, NDArray[np.bool_]]:
    """The counts with each part of each row brought to length one, and which parts are not empty."""
    lengths = np.sqrt(np.bincount(vector, counts**2, minlength=rows * PARTS))
    return (counts / lengths[vector]).astype(np.float32), (lengths > 0).reshape(rows, PARTS)
