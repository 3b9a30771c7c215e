"""The value of a page by the targets that can be reached from it: the Q of q-learning."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping

from homing.trails import LocalGraph

_NEAREST = 10
"""Targets that count for a page: with the default discount, all others together are worth less than .002."""


def credit_in_sequence(graph: LocalGraph, discount: float) -> Mapping[str, float]:
    """Return Q by page: its targets one after another, none before its own distance, one a fetch."""
    worth = {}
    for url, distances in _nearest_targets(graph).items():
        fetch, total = -1, 0.0
        for distance in distances.values():
            fetch = max(fetch + 1, distance)
            total += discount**fetch
        worth[url] = total
    return worth


def credit_along_ways(graph: LocalGraph, discount: float) -> Mapping[str, float]:
    """Return Q by page: the credit of each target along the shortest way on which the page lies."""
    before = _shortest_ways(graph)
    worth: defaultdict[str, float] = defaultdict(float)
    for target in filter(graph.targets.__contains__, graph.pages):
        page: str | None = target
        share = 1.0
        while page is not None:
            worth[page] += share
            share *= discount
            page = before[page]
    return worth


def _nearest_targets(graph: LocalGraph) -> Mapping[str, Mapping[str, int]]:
    """Return for each page the few nearest targets and their distances, nearest first."""
    parents: defaultdict[str, list[str]] = defaultdict(list)
    for url, links in graph.links.items():
        for link in links:
            parents[link.url].append(url)
    near: dict[str, dict[str, int]] = {url: {} for url in graph.pages}
    queue = deque((url, url, 0) for url in graph.pages if url in graph.targets)
    while queue:
        url, target, distance = queue.popleft()
        # A page that knows enough targets passes on no more: the pages before it have those it knows.
        if len(near[url]) < _NEAREST and target not in near[url]:
            near[url][target] = distance
            queue.extend((parent, target, distance + 1) for parent in parents[url])
    return near


def _shortest_ways(graph: LocalGraph) -> Mapping[str, str | None]:
    """Return the page before each, breadth-first from the farthest; ``None`` where a way begins."""
    before: dict[str, str | None] = {}
    for start in sorted(graph.pages, key=lambda url: -graph.distances.get(url, -1)):
        queue = deque([start] if start not in before else [])
        before.setdefault(start, None)
        while queue:
            url = queue.popleft()
            fresh = dict.fromkeys(link.url for link in graph.links[url] if link.url not in before)
            before.update(dict.fromkeys(fresh, url))
            queue.extend(fresh)
    return before
