"""The T-Graph: which passages are alike, and how many documents lie between each of them and a target.

To compare a page with all nodes they are turned round, term by term, so that only nodes that share a word
are looked at: a page of 60 links and 5,000 nodes take a few milliseconds.
"""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from msgspec import Meta, convert
from numpy.typing import NDArray

from homing.hashing import BUCKETS
from homing.strategies.passages import (
    ENCLOSING,
    NOWHERE,
    PARTS,
    Floats,
    Integers,
    Node,
    Passage,
    Texts,
    counted,
)

Aggregate = Literal["min", "topk", "weighted"]
Average = Literal["present", "all"]
Enclosing = Literal["every", "nearest"]

MAX_NODES = 5_000

_AT_ONCE = 64
"""Passages compared at a time: 64 by 5,000 cosines are 1.3 MB, whatever a page holds."""
_BITS = 1 << np.arange(PARTS)
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
        The highest serial given so far. A number is never given twice: URLs that wait remember them.

    Examples
    --------
    >>> from homing.strategies.passages import nodes_of
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
        """Go on with these nodes instead; those without a serial get one."""
        numbered = list(nodes)
        for node in numbered:
            if not node.serial:
                self.last_serial = node.serial = self.last_serial + 1
        self.nodes = _thinned(numbered)
        self.by_serial = {node.serial: node for node in self.nodes}
        self.levels = max((node.distance for node in self.nodes), default=0)
        distances = np.array([node.distance for node in self.nodes], np.float32)
        self._nearness = np.divide(1, distances, out=np.zeros_like(distances), where=distances > 0)
        self._turn_round()

    def plain(self) -> dict[str, object]:
        """All nodes as plain data."""
        rows = [
            [each.distance, each.serial, each.uses, each.hits, each.features.tolist(), each.counts.tolist()]
            for each in self.nodes
        ]
        return {"last_serial": self.last_serial, "nodes": rows}

    def use_plain(self, data: object) -> None:
        """Go on with what ``plain`` gave; ``ValidationError`` where it is something else."""
        kept = convert(data, dict[str, object])
        rows = convert(kept.get("nodes"), list[_Row])
        self.last_serial = convert(kept.get("last_serial"), int)
        self.use(
            Node(np.array(features, np.int32), np.array(counts, np.float32), distance, serial, uses, hits)
            for distance, serial, uses, hits, features, counts in rows
        )

    def estimate(self, passages: Sequence[Passage], language: str) -> list[Estimate]:
        """How near a target is, by the nodes that each passage is like."""
        unknown = Estimate(nearness=1 / (self.levels + 1))
        if not self.nodes:
            return [unknown] * len(passages)
        found: list[Estimate] = []
        for start in range(0, len(passages), _AT_ONCE):
            similar = self.similarities(passages[start : start + _AT_ONCE], language)
            found += [self._aggregated(row) or unknown for row in similar]
        return found

    def _aggregated(self, similar: Floats) -> Estimate | None:
        """What the nodes come to for a passage so like them; ``None`` if none is similar enough."""
        chosen = np.flatnonzero(similar >= self.threshold)
        if self.aggregate == "topk" and len(chosen) > self.nearest:
            chosen = chosen[np.argpartition(similar[chosen], -self.nearest)[-self.nearest :]]
        weights, nearness = similar[chosen], self._nearness[chosen]
        if self.aggregate == "min":
            value = float(nearness.max(initial=0))
            speaking = np.flatnonzero(nearness == value) if value else chosen[:0]
        else:
            known, doubt = float(weights.sum()), self.doubt
            value = (float(nearness @ weights) + doubt / (self.levels + 1)) / max(known + doubt, 1e-9)
            speaking = np.flatnonzero(nearness)
        if len(speaking):
            best = speaking[weights[speaking].argmax()]
            node = self.nodes[chosen[best]]
            return Estimate(value, node.serial, float(weights[best]), node.distance)
        return Estimate(value) if len(chosen) and self.aggregate != "min" else None

    def similarities(self, passages: Sequence[Passage], language: str) -> Floats:
        """How much each passage is like each node: the mean of the cosines of their parts (OSM)."""
        few = 1 if self.enclosing == "nearest" else None
        around = [passage.enclosing[:few] for passage in passages]
        headings = list(dict.fromkeys(chain.from_iterable(around)))
        cosines, has = self._cosines(
            [(passage.sub_heading, "", passage.main_heading, passage.text) for passage in passages]
            + [("", heading, "", "") for heading in headings],
            language,
        )
        summed, present = cosines[: len(passages)], has[: len(passages)]
        place = {heading: len(passages) + number for number, heading in enumerate(headings)}
        for number, mine in enumerate(around):
            if mine:
                rows = [place[heading] for heading in mine]
                summed[number] += cosines[rows].max(axis=0)
                present[number, ENCLOSING] = has[rows, ENCLOSING].any()
        if self.average == "all":
            return summed / np.float32(PARTS)
        summed *= self._shares[present @ _BITS]
        return summed

    def _turn_round(self) -> None:
        """Sort all terms of all nodes, each with its node and its weight in a vector of length one."""
        none = Node(np.zeros(0, np.int32), np.zeros(0, np.float32), NOWHERE)
        features = np.concatenate([each.features for each in (*self.nodes, none)])
        counts = np.concatenate([each.counts for each in (*self.nodes, none)])
        owners = np.repeat(np.arange(len(self.nodes)), [len(each.features) for each in self.nodes])
        weights, has = _unit(owners * PARTS + features // BUCKETS, counts, len(self.nodes))
        shared = np.bitwise_count(np.arange(1 << PARTS)[:, None] & (has @ _BITS))
        self._shares = (1 / np.maximum(shared, 1)).astype(np.float32)
        """One by the number of parts that a passage has in common with each node, by the parts it has."""
        order = np.argsort(features, kind="stable")
        # A feature past all others, so that looking one up never leads past the end.
        self._terms, starts = np.unique(np.append(features[order], PARTS * BUCKETS), return_index=True)
        # scipy.sparse takes half a second to import: those who rank by other means need not wait for it.
        sparse: Any = importlib.import_module("scipy.sparse")
        self._by_term = sparse.csr_array(
            (
                weights[order],
                owners[order].astype(np.int32),
                np.append(starts, len(features)).astype(np.int32),
            ),
            shape=(len(self._terms), len(self.nodes)),
        )
        """A row a term, a column a node."""

    def _cosines(self, texts: Sequence[Texts], language: str) -> tuple[Floats, NDArray[np.bool_]]:
        """The cosines of each four texts to those of every node, summed up, and which texts have terms."""
        row, term, counts = counted(texts, language)
        weights, has = _unit(row * PARTS + term // BUCKETS, counts, len(texts))
        place = np.searchsorted(self._terms, term)
        known = self._terms[place] == term
        # Passages of a page share their words: with each of these looked up once, and all passages side by
        # side, a fifth of the time of every passage by itself.
        distinct, column = np.unique(place[known], return_inverse=True)
        wanted = np.zeros((len(distinct), len(texts)), np.float32)
        wanted[column, row[known]] = weights[known]
        sums = self._by_term[distinct].T @ wanted
        return np.ascontiguousarray(sums.T), has


def _unit(vector: Integers, counts: Floats, rows: int) -> tuple[Floats, NDArray[np.bool_]]:
    """The counts with each part of each row brought to length one, and which parts are not empty."""
    lengths = np.sqrt(np.bincount(vector, counts**2, minlength=rows * PARTS))
    return (counts / lengths[vector]).astype(np.float32), (lengths > 0).reshape(rows, PARTS)


def _thinned(nodes: list[Node]) -> list[Node]:
    """At most 5,000 of them, evenly over the distances."""
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
