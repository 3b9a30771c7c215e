"""Ways through a graph: from pages to the targets nearest to them, and from far away to every page."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping

from homing.trails import LocalGraph


def nearest_targets(graph: LocalGraph, most: int) -> Mapping[str, Mapping[str, int]]:
    """Return for each page its nearest targets, ``most`` at most, and their distances, nearest first."""
    parents: defaultdict[str, list[str]] = defaultdict(list)
    for url, links in graph.links.items():
        for link in links:
            parents[link.url].append(url)
    near: dict[str, dict[str, int]] = {url: {} for url in graph.pages}
    queue = deque((url, url, 0) for url in graph.pages if url in graph.targets)
    while queue:
        url, target, distance = queue.popleft()
        # A page that knows enough targets passes on no more: the pages before it have those it knows.
        if len(near[url]) < most and target not in near[url]:
            near[url][target] = distance
            queue.extend((parent, target, distance + 1) for parent in parents[url])
    return near


def shortest_ways(graph: LocalGraph) -> Mapping[str, str | None]:
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
