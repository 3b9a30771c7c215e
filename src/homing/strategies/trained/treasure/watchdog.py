"""Keeps the T-Graph up to date while the crawl runs: adds new nodes, drops dead ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct, convert, to_builtins

from homing.model import Visit
from homing.strategies.trained.treasure.passages import NOWHERE, Node, Passage, nodes_of
from homing.strategies.trained.treasure.tgraph import TGraph

_MEMORY = 300
_MAX_PASSAGES = 40
_MAX_TEXT = 500
_DECAY = 0.99
_ALIKE = 0.9
_ENOUGH_USES = 50
"""Uses after which a node can be found dead; as they fade, that takes some seventy pages."""
_DEAD = 0.02


class Watchdog:
    """Remembers by which links the crawl came to its latest pages, and mends a T-Graph by it.

    From each page that turned out to be a target it walks back the way the crawl came, up to ``levels``
    links. The passages on the way become nodes, or are merged with similar nodes. Nodes by which these
    pages were fetched have a hit; nodes that hardly ever have one are dropped.

    It remembers 300 pages, those longest that still lead to others, and 40 passages of each.
    """

    def __init__(self, levels: int) -> None:
        self.levels = levels
        self._met: dict[int, _Met] = {}
        self._targets: list[int] = []

    def meet(self, visit: Visit, passages: Sequence[Passage], *, place: int, node: Node | None) -> None:
        """Add a visit: where on its parent the link to it stood, and which node it was fetched by."""
        entry = visit.entry
        if node:
            node.uses = _DECAY * node.uses + 1
            node.hits *= _DECAY
        if entry.parent is not None and entry.parent in self._met:
            self._met[entry.parent] = self._met.pop(entry.parent)
        self._met.pop(entry.seq, None)
        self._met[entry.seq] = _Met(
            parent=entry.parent,
            place=place,
            serial=node.serial if node else 0,
            language=visit.page.language,
            passages=tuple(map(_outline, passages[:_MAX_PASSAGES])),
        )
        if visit.judgement.relevant and entry.seq not in self._targets:
            self._targets.append(entry.seq)
        if len(self._met) > _MEMORY:
            del self._met[next(iter(self._met))]
            self._targets = [seq for seq in self._targets if seq in self._met]

    def mend(self, graph: TGraph) -> None:
        """Update a graph by the pages visited since the last time."""
        passed: defaultdict[str, dict[Passage, int]] = defaultdict(dict)
        for target in self._targets:
            for steps, (page, parent) in enumerate(self._way_back(target)):
                node = graph.by_serial.get(page.serial)
                if node and node.distance > steps and not page.credited:
                    page.credited = True
                    node.hits += 1
                if parent and page.place < len(parent.passages):
                    known, passage = passed[parent.language], parent.passages[page.place]
                    known[passage] = min(steps + 1, known.get(passage, steps + 1))
        self._targets.clear()
        new = [node for language, known in passed.items() for node in _merge(graph, known, language)]
        graph.use([node for node in graph.nodes if not _is_dead(node)] + new)

    def state(self) -> dict[str, object]:
        return {"met": [[seq, to_builtins(met)] for seq, met in self._met.items()], "targets": self._targets}

    def restore(self, state: object) -> None:
        kept = convert(state, _State)
        self._met = dict(kept.met)
        self._targets = kept.targets

    def _way_back(self, seq: int) -> Iterator[tuple[_Met, _Met | None]]:
        """Yield a page and its parent, then the parent and its own, as far as they are remembered."""
        page = self._met.get(seq)
        for _ in range(self.levels):
            if page is None:
                return
            parent = None if page.parent is None else self._met.get(page.parent)
            yield page, parent
            page = parent


class _Met(Struct):
    """A page of the crawl: how it was found, and where its own links stand."""

    parent: int | None
    place: int
    """The number of the passage, on the parent, that holds the link to it."""
    serial: int
    """The node it was fetched by; 0 if by none."""
    language: str
    passages: tuple[Passage, ...]
    credited: bool = False


class _State(Struct):
    met: list[tuple[int, _Met]]
    targets: list[int]


def _merge(graph: TGraph, passed: Mapping[Passage, int], language: str) -> Iterator[Node]:
    """Add passages to the nodes they are much like; yield the others as new nodes."""
    passages = list(passed)
    similar = graph.similarities(passages, language)
    for node, row in zip(nodes_of(passages, list(passed.values()), language), similar, strict=True):
        if row.max(initial=0) > _ALIKE:
            _add(graph.nodes[int(row.argmax())], node)
        else:
            yield node


def _add(node: Node, other: Node) -> None:
    """Add a passage to a node: term frequencies add up, and the shorter way counts."""
    features = np.concatenate((node.features, other.features))
    counts = np.concatenate((node.counts, other.counts))
    node.features, place = np.unique(features, return_inverse=True)
    node.counts = np.bincount(place, counts).astype(np.float32)
    node.distance = min(filter(None, (node.distance, other.distance)), default=NOWHERE)


def _is_dead(node: Node) -> bool:
    return node.uses >= _ENOUGH_USES and node.hits < _DEAD * node.uses


def _outline(passage: Passage) -> Passage:
    """Return a passage cut short, in text that any JSON can hold."""
    sub_heading, enclosing, main_heading, text = passage
    return Passage(_plain(sub_heading), tuple(map(_plain, enclosing)), _plain(main_heading), _plain(text))


def _plain(text: str) -> str:
    return text[:_MAX_TEXT] if text.isascii() else text[:_MAX_TEXT].encode("utf-8", "replace").decode()
