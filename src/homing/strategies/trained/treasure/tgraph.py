"""The T-Graph: which passages are alike, and how many documents lie between each of them and a target.

A page of 60 links is compared with 5,000 nodes in one or two milliseconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Annotated, Literal, NamedTuple

import numpy as np
from msgspec import Meta, convert

from homing.strategies.trained.treasure.passages import (
    ENCLOSING,
    NOWHERE,
    PARTS,
    Floats,
    Integers,
    Node,
    Passage,
)
from homing.strategies.trained.treasure.postings import BITS, Postings
from homing.text.hashing import BUCKETS

Aggregate = Literal["min", "topk", "weighted"]
Average = Literal["present", "all"]
Enclosing = Literal["every", "nearest"]

MAX_NODES = 5_000

_AT_ONCE = 64
"""Passages compared at a time: 64 by 5,000 cosines are 1.3 MB, whatever a page holds."""
_BLOCK = 50
"""Nodes that are looked at together to tell how similar the nearest are at least."""
_Feature = Annotated[int, Meta(ge=0, lt=PARTS * BUCKETS)]
_Row = tuple[int, int, float, float, list[_Feature], list[float]]


class Estimate(NamedTuple):
    """What the T-Graph says of a passage."""

    nearness: float
    """About one by the number of documents to a target."""
    serial: int = 0
    """The node that speaks for it; 0 if none does."""
    similarity: float = 0.0
    """How much the passage is like that node."""
    distance: int = NOWHERE


class TGraph:
    """Nodes, and what they say of other passages.

    Parameters
    ----------
    nodes
        Beyond 5,000 the same number is kept of each distance: the useful ones, then the latest.
    aggregate, nearest, threshold, doubt, average, enclosing
        As the strategy ``treasure`` has them.
    last_serial
        The highest serial given so far. A number is never given twice: frontier URLs remember them.

    Examples
    --------
    >>> from homing.strategies.trained.treasure.passages import nodes_of
    >>> passages = [Passage("", (), "Moths", "moth wings"), Passage("", (), "Trains", "train and railway")]
    >>> graph = TGraph(nodes_of(passages, [1, NOWHERE], "en"), doubt=0)
    >>> print(graph.similarities([Passage("", (), "", "a moth")], "en").round(2))
    [[0.71 0.  ]]
    >>> graph.estimate([Passage("", (), "", "a moth"), Passage("", (), "", "a ship")], "en")
    [Estimate(nearness=1.0, serial=1, similarity=0.70..., distance=1), Estimate(nearness=0.5, ...)]
    """

    def __init__(
        self,
        nodes: Iterable[Node] = (),
        *,
        aggregate: Aggregate = "topk",
        nearest: int = 10,
        threshold: float = 0.05,
        doubt: float = 1.0,
        average: Average = "present",
        enclosing: Enclosing = "every",
        last_serial: int = 0,
    ) -> None:
        self.aggregate: Aggregate = aggregate
        self.nearest = nearest
        self.threshold = threshold
        self.doubt = doubt
        self.average: Average = average
        self.enclosing: Enclosing = enclosing
        self.last_serial = last_serial
        self.use(nodes)

    def use(self, nodes: Iterable[Node]) -> None:
        """Replace the nodes; those without a serial get one."""
        numbered = list(nodes)
        for node in numbered:
            if not node.serial:
                self.last_serial = node.serial = self.last_serial + 1
        self.nodes = _thinned(numbered)
        self.by_serial = {node.serial: node for node in self.nodes}
        self.levels = max((node.distance for node in self.nodes), default=0)
        distances = np.array([node.distance for node in self.nodes], np.float32)
        self._nearness = np.divide(1, distances, out=np.zeros_like(distances), where=distances > 0)
        self._postings = Postings(self.nodes)

    def plain(self) -> dict[str, object]:
        """Return all nodes as plain data."""
        rows = [
            [each.distance, each.serial, each.uses, each.hits, each.features.tolist(), each.counts.tolist()]
            for each in self.nodes
        ]
        return {"last_serial": self.last_serial, "nodes": rows}

    def use_plain(self, data: object) -> None:
        """Replace the nodes by what ``plain`` returned; ``ValidationError`` if it is something else."""
        kept = convert(data, dict[str, object])
        rows = convert(kept.get("nodes"), list[_Row])
        self.last_serial = convert(kept.get("last_serial"), int)
        self.use(
            Node(np.array(features, np.int32), np.array(counts, np.float32), distance, serial, uses, hits)
            for distance, serial, uses, hits, features, counts in rows
        )

    def estimate(self, passages: Sequence[Passage], language: str) -> list[Estimate]:
        """Return how near a target is, by the nodes that each passage is like."""
        if not self.nodes:
            return [Estimate(nearness=self._unknown)] * len(passages)
        found: list[Estimate] = []
        for start in range(0, len(passages), _AT_ONCE):
            found += self._aggregated(self.similarities(passages[start : start + _AT_ONCE], language))
        return found

    @property
    def _unknown(self) -> float:
        """The nearness of a passage that is like no node."""
        return 1 / (self.levels + 1)

    def _aggregated(self, similar: Floats) -> list[Estimate]:
        """Aggregate the nodes by their similarity to each passage, all passages at once."""
        row, node = self._alike(similar)
        weights, nearness, rows = similar[row, node], self._nearness[node], len(similar)
        if self.aggregate == "min":
            values = _largest(row, nearness, rows)
            is_known, speaking = values > 0, (nearness == values[row]) & (nearness > 0)
        else:
            known = np.bincount(row, weights, rows)
            values = np.bincount(row, nearness * weights, rows) + self.doubt * self._unknown
            values /= np.maximum(known + self.doubt, 1e-9)
            is_known, speaking = known > 0, nearness > 0
        found = [Estimate(value) for value in np.where(is_known, values, self._unknown).tolist()]
        row, node, weights = row[speaking], node[speaking], weights[speaking]
        foremost = np.flatnonzero(weights == _largest(row, weights, rows)[row])[::-1]  # the first comes last
        for passage, number, weight in zip(
            row[foremost].tolist(), node[foremost].tolist(), weights[foremost].tolist(), strict=True
        ):
            speaker = self.nodes[number]
            found[passage] = Estimate(found[passage].nearness, speaker.serial, weight, speaker.distance)
        return found

    def _alike(self, similar: Floats) -> tuple[Integers, Integers]:
        """Return which passages and nodes are similar enough; for ``topk``, the nearest of each passage."""
        least = np.full(len(similar), self.threshold, np.float32)
        borders = np.arange(0, len(self.nodes), _BLOCK)
        if self.aggregate == "topk" and len(borders) >= self.nearest:
            # The nearest are no less similar than the best of as many blocks: of thousands, some dozens are
            # left to be sorted.
            highest = np.maximum.reduceat(similar, borders, axis=1)
            least = np.maximum(least, np.partition(highest, -self.nearest, axis=1)[:, -self.nearest])
        # A tenth of the time of ``nonzero`` in two dimensions.
        row, node = np.divmod(np.flatnonzero(similar >= least[:, None]), len(self.nodes))
        if self.aggregate != "topk":
            return row, node
        order = np.lexsort((-similar[row, node], row))
        row, node = row[order], node[order]
        is_near = np.arange(len(row)) < np.searchsorted(row, row) + self.nearest
        return row[is_near], node[is_near]

    def similarities(self, passages: Sequence[Passage], language: str) -> Floats:
        """Return how like each passage is to each node: the mean of the cosines of their parts (OSM)."""
        few = 1 if self.enclosing == "nearest" else None
        around = [passage.enclosing[:few] for passage in passages]
        # Most links have one heading around them or none: only for the others it must be seen which is best.
        several = {number: mine for number, mine in enumerate(around) if len(mine) > 1}
        headings = list(dict.fromkeys(chain.from_iterable(several.values())))
        summed, has = self._postings.cosines(
            [
                (sub, mine[0] if len(mine) == 1 else "", main, text)
                for (sub, _, main, text), mine in zip(passages, around, strict=True)
            ]
            + [("", heading, "", "") for heading in headings],
            language,
        )
        place = {heading: len(passages) + number for number, heading in enumerate(headings)}
        for number, mine in several.items():
            rows = [place[heading] for heading in mine]
            summed[number] += summed[rows].max(axis=0)
            has[number, ENCLOSING] = has[rows, ENCLOSING].any()
        summed, has = summed[: len(passages)], has[: len(passages)]
        if self.average == "all":
            return summed / np.float32(PARTS)
        for mine, parts in zip(summed, has @ BITS, strict=True):  # one by one: no copy of all shares
            mine *= self._postings.shares[parts]
        return summed


def _largest(row: Integers, values: Floats, rows: int) -> Floats:
    """Return the largest value of each row; 0 for one that has none."""
    found = np.zeros(rows, np.float32)
    np.maximum.at(found, row, values)
    return found


def _thinned(nodes: list[Node]) -> list[Node]:
    """Return at most 5,000 nodes, evenly over the distances."""
    if len(nodes) <= MAX_NODES:
        return nodes
    ranks: dict[int, int] = {}
    seen: defaultdict[int, int] = defaultdict(int)
    for node in sorted(
        nodes, key=lambda node: ((node.hits + 1) / (node.uses + 2), node.serial), reverse=True
    ):
        ranks[node.serial] = seen[node.distance]
        seen[node.distance] += 1
    kept = {node.serial for node in sorted(nodes, key=lambda node: ranks[node.serial])[:MAX_NODES]}
    return [node for node in nodes if node.serial in kept]
