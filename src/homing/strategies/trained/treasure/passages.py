"""Passages that hold links, and the nodes of a T-Graph made from them.

Nodes are kept as hashed terms: comparing them needs no words, and 5,000 of them take little room.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from homing.model import Page
from homing.text.hashing import BUCKETS, hashed
from homing.trails import LocalGraph

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Texts = tuple[str, str, str, str]

PARTS = 4
SUB_HEADING, ENCLOSING, MAIN_HEADING, TEXT = range(PARTS)
"""What of a node is compared: the paper's ISH, SH, MH and DC."""
NOWHERE = 0
"""The distance of a node from which no target is reached."""
_MAX_TEXT = 300
"""Letters of a paragraph or list that are compared: on development topics 500 find no more."""


class Passage(NamedTuple):
    """A paragraph or list that holds links, and the headings it stands under."""

    sub_heading: str
    """The nearest heading, unless that is the main one (ISH)."""
    enclosing: tuple[str, ...]
    """The headings between that and the main one, nearest first (SH)."""
    main_heading: str
    """The main heading, or else the title (MH)."""
    text: str
    """The words of the paragraph or list (DC)."""


@dataclass(slots=True)
class Node:
    """A passage of a known page, and how far it is from a target."""

    features: NDArray[np.int32]
    """Its terms, hashed, in order; those of each part in a range of their own."""
    counts: Floats
    """How often each of them occurs."""
    distance: int
    """Documents to download from here to reach a target, the target itself among them (DIC)."""
    serial: int = 0
    uses: float = 0.0
    """Pages fetched by it; those of long ago count less."""
    hits: float = 0.0
    """How many of them led to a target within its distance."""


def passages_of(page: Page) -> tuple[list[Passage], list[int]]:
    """Return the passages of a page in order, and for each link the number of its own."""
    numbers: dict[tuple[str, tuple[str, ...]], int] = {}
    of_links = [numbers.setdefault((link.block, link.headings), len(numbers)) for link in page.links]
    passages = [
        Passage(
            sub_heading=headings[0] if len(headings) > 1 else "",
            enclosing=headings[1:-1],
            main_heading=headings[-1] if headings else page.title,
            text=block[:_MAX_TEXT],
        )
        for block, headings in numbers
    ]
    return passages, of_links


def nodes_of(passages: Sequence[Passage], distances: Sequence[int], language: str) -> list[Node]:
    """Return passages as nodes; of several enclosing headings a node has the nearest."""
    texts = [(sub, "".join(around[:1]), main, text) for sub, around, main, text in passages]
    row, features, counts = counted(texts, language)
    borders = np.searchsorted(row, np.arange(len(passages) + 1))
    return [
        Node(features[start:end].astype(np.int32), counts[start:end], distance)
        for start, end, distance in zip(borders[:-1], borders[1:], distances, strict=True)
    ]


def counted(texts: Sequence[Texts], language: str) -> tuple[Integers, Integers, Floats]:
    """Return the distinct terms of each four texts: their owner, in order, the hashed term, and its count."""
    numbers, borders = hashed(list(chain.from_iterable(texts)), language)
    part = np.repeat(np.arange(PARTS * len(texts)), np.diff(borders))
    distinct, counts = np.unique(part * BUCKETS + numbers, return_counts=True)
    row, features = np.divmod(distinct, PARTS * BUCKETS)
    return row, features, counts.astype(np.float32)


def top_down(graph: LocalGraph) -> list[Node]:
    """Return a node for each passage with a link within the graph; its distance by its best link.

    A passage none of whose links leads to a target is ``NOWHERE``: that is worth knowing, too.
    """
    ways = {url: 1 + distance for url, distance in graph.distances.items()}
    return list(_grow(graph, graph.pages, ways))


def bottom_up(graph: LocalGraph, levels: int) -> list[Node]:
    """Return nodes for passages that link to targets, then for those that link to their pages, by level."""
    backlinks: defaultdict[str, list[str]] = defaultdict(list)
    for url, links in graph.links.items():
        for link in links:
            backlinks[link.url].append(url)
    ways: dict[str, int] = {}
    pages: dict[str, None] = {}
    level = [url for url in graph.pages if url in graph.targets]
    for distance in range(1, levels + 1):
        ways |= dict.fromkeys(level, distance)
        parents = dict.fromkeys(parent for url in level for parent in backlinks[url])
        pages |= parents
        level = [parent for parent in parents if parent not in ways]
    return [node for node in _grow(graph, pages, ways) if node.distance != NOWHERE]


def _grow(graph: LocalGraph, urls: Iterable[str], ways: dict[str, int]) -> Iterator[Node]:
    """Yield the nodes of these pages; ``ways`` has the distance to a target by way of each URL."""
    distances: defaultdict[str, dict[Passage, int]] = defaultdict(dict)
    for url in urls:
        page = graph.pages[url]
        passages, of_links = passages_of(page)
        found = distances[page.language]
        for link, number in zip(page.links, of_links, strict=True):
            if link.url in graph.pages and link.url != url:
                known = (found.get(passages[number], NOWHERE), ways.get(link.url, NOWHERE))
                found[passages[number]] = min(filter(None, known), default=NOWHERE)
    for language, found in distances.items():
        yield from nodes_of(list(found), list(found.values()), language)
