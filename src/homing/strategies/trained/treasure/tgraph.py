"""The T-Graph: passages that are known, and how many documents lie between each of them and a target.

A page of 60 links is compared with 5,000 nodes in one or two milliseconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Annotated, Literal, NamedTuple

import numpy as np
from msgspec import Meta, convert

from homing.strategies.trained.treasure.passages import (
    ENCLOSING,
    PARTS,
    Floats,
    Integers,
    Node,
    Passage,
)
from homing.strategies.trained.treasure.postings import BITS, Postings
from homing.text.hashing import BUCKETS

Average = Literal["present", "all"]
Enclosing = Literal["every", "nearest"]

MAX_NODES = 5_000

_AT_ONCE = 64
"""Passages compared at a time: 64 by 5,000 cosines are 1.3 MB, whatever a page holds."""
_BLOCK = 50
"""Nodes that are looked at together to tell how similar the nearest are at least."""
_Feature = Annotated[int, Meta(ge=0, lt=PARTS * BUCKETS)]
_Row = tuple[int, int, float, float, list[_Feature], list[float]]


class Alike(NamedTuple):
    """Nodes that some passages are similar to, one pair after the other."""

    passages: int
    """How many passages were compared."""
    row: Integers
    """The passage of each pair, in order."""
    node: Integers
    """The place of its node."""
    similarity: Floats


class TGraph:
    """The nodes, and which of them a passage is similar to.

    Parameters
    ----------
    average, enclosing
        As the strategy ``treasure`` has them.

    Examples
    --------
    >>> from homing.strategies.trained.treasure.passages import NOWHERE, nodes_of
    >>> passages = [Passage("", (), "Moths", "moth wings"), Passage("", (), "Trains", "train and railway")]
    >>> graph = TGraph(average="present", enclosing="every")
    >>> graph.use(nodes_of(passages, [1, NOWHERE], "en"))
    >>> print(graph.similarities([Passage("", (), "", "a moth")], "en").round(2))
    [[0.71 0.  ]]
    """

    def __init__(self, *, average: Average, enclosing: Enclosing) -> None:
        self.average = average
        self.enclosing = enclosing
        self.last_serial = 0
        """The highest serial given so far. A number is never given twice: frontier URLs remember them."""
        self.use(())

    def use(self, nodes: Iterable[Node]) -> None:
        """Replace the nodes; those without a serial get one.

        Beyond 5,000 the same number is kept of each distance: the useful ones, then the latest.
        """
        numbered = list(nodes)
        for node in numbered:
            if not node.serial:
                self.last_serial = node.serial = self.last_serial + 1
        self.nodes = _thinned(numbered)
        self.by_serial = {node.serial: node for node in self.nodes}
        self.levels = max((node.distance for node in self.nodes), default=0)
        distances = np.array([node.distance for node in self.nodes], np.float32)
        self.nearness = np.divide(1, distances, out=np.zeros_like(distances), where=distances > 0)
        """One by the distance of each node; 0 for those from which no target is reached."""
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

    def alike(
        self, passages: Sequence[Passage], language: str, *, threshold: float, nearest: int | None
    ) -> Iterator[Alike]:
        """Yield the nodes at least this similar to the passages, a few passages at a time.

        With ``nearest`` at most that many of each, the most similar.
        """
        for start in range(0, len(passages), _AT_ONCE):
            few = passages[start : start + _AT_ONCE]
            if self.nodes:
                similar = self.similarities(few, language)
                row, node = _similar_enough(similar, threshold, nearest)
                yield Alike(len(few), row, node, similar[row, node])
            else:
                none = np.zeros(0, np.int64)
                yield Alike(len(few), none, none, np.zeros(0, np.float32))

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


def _similar_enough(similar: Floats, threshold: float, nearest: int | None) -> tuple[Integers, Integers]:
    """Return the pairs of passage and node from the threshold on; of each passage, its nearest nodes."""
    nodes = similar.shape[1]
    least = np.full(len(similar), threshold, np.float32)
    borders = np.arange(0, nodes, _BLOCK)
    if nearest and len(borders) >= nearest:
        # The nearest are no less similar than the best of as many blocks: of thousands, some dozens are
        # left to be sorted.
        highest = np.maximum.reduceat(similar, borders, axis=1)
        least = np.maximum(least, np.partition(highest, -nearest, axis=1)[:, -nearest])
    # A tenth of the time of ``nonzero`` in two dimensions.
    row, node = np.divmod(np.flatnonzero(similar >= least[:, None]), nodes)
    if not nearest:
        return row, node
    order = np.lexsort((-similar[row, node], row))
    row, node = row[order], node[order]
    is_near = np.arange(len(row)) < np.searchsorted(row, row) + nearest
    return row[is_near], node[is_near]


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
