"""A local graph: pages whose distance to the nearest target is known, and walks through them.

Strategies are fitted on it, wherever the pages come from: a recorded web, a crawl folder, browsing sessions,
or the crawl itself while it runs.
"""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from homing.model import Link, Page

SHORTEST, LONGEST = 2, 10
"""Pages of a trail (Liu and Milios 2012)."""


class Step(Struct, frozen=True, kw_only=True):
    """One page of a trail."""

    page: Page
    link: Link | None = None
    """The link by which it was reached; ``None`` for the first page."""
    distance: int
    """Links to follow from here to the nearest target; 0 for a target."""


Trail = tuple[Step, ...]
"""A walk from page to page, and how far each of them is from a target."""


class LocalGraph:
    """Pages, the targets among them, and how many links lead from each page to the nearest target.

    Parameters
    ----------
    pages
        The pages; only links from one of them to another count.
    targets
        URLs of those that are on the topic.
    layers
        The layer in which each page was found when the graph was grown backwards from the first targets;
        walks never lead up. Default: the distances.
    sessions
        Walks of users, as URLs; trails are then drawn from these, and not at random.

    Examples
    --------
    >>> def page(name, *links):
    ...     return Page(url=name, links=tuple(Link(url=each, place=n) for n, each in enumerate(links)))
    >>> pages = [page("seed", "hub"), page("hub", "moth", "shop"), page("moth"), page("shop")]
    >>> graph = LocalGraph(pages, {"moth"})
    >>> graph.distances
    {'moth': 0, 'hub': 1, 'seed': 2}
    >>> [[step.page.url for step in trail] for trail in graph.trails(2, seed=1)]
    [['hub', 'moth'], ['seed', 'hub', 'moth']]
    """

    def __init__(
        self,
        pages: Iterable[Page],
        targets: Collection[str],
        layers: Mapping[str, int] | None = None,
        sessions: Sequence[Sequence[str]] = (),
    ) -> None:
        self.pages: Mapping[str, Page] = {page.url: page for page in pages}
        self.targets = frozenset(url for url in targets if url in self.pages)
        self.links: Mapping[str, tuple[Link, ...]] = {
            url: tuple(link for link in page.links if link.url in self.pages and link.url != url)
            for url, page in self.pages.items()
        }
        """The links of each page that stay within the graph."""
        self.distances: Mapping[str, int] = self._distances()
        """By URL; pages without a path to a target are not in it."""
        self.layers: Mapping[str, int] = self.distances if layers is None else layers
        self.sessions = sessions

    def layer(self, distance: int) -> list[Page]:
        """Return the pages at that distance, in the order in which they were given."""
        return [page for url, page in self.pages.items() if self.distances.get(url) == distance]

    def others(self) -> list[Page]:
        """Return the pages without a path to a target."""
        return [page for url, page in self.pages.items() if url not in self.distances]

    def trails(self, count: int, *, seed: int, past_targets: bool = True) -> list[Trail]:
        """Draw random walks of 2 to 10 pages that never lead to a higher layer and visit no page twice.

        Starts are drawn so that all distances are equally frequent. ``past_targets``: after a target a walk
        may lead anywhere; models fitted so know the pages behind targets, too.
        """
        chance = random.Random(seed)  # noqa: S311  (a sample, not a secret)
        if self.sessions:
            taken = [trail for session in self.sessions for trail in self._retraced(session)]
            long_enough = [trail for trail in taken if len(trail) >= SHORTEST]
            return chance.sample(long_enough, min(count, len(long_enough)))
        by_distance: defaultdict[int, list[str]] = defaultdict(list)
        for url, distance in self.distances.items():
            if any(link.url in self.distances for link in self.links[url]):
                by_distance[distance].append(url)
        starts = [urls for _, urls in sorted(by_distance.items())]
        if not starts:
            return []
        walks = (self._walk(chance.choice(chance.choice(starts)), chance, past_targets) for _ in range(count))
        return [walk for walk in walks if len(walk) >= SHORTEST]

    def _retraced(self, session: Sequence[str]) -> Iterator[Trail]:
        """Yield a session as trails: it is cut where no link leads on, and after the tenth page."""
        trail: list[Step] = []
        for url in filter(self.distances.__contains__, session):
            link = self._link(trail[-1].page.url, url) if 0 < len(trail) < LONGEST else None
            if link is None:
                yield tuple(trail)
                trail = []
            trail.append(Step(page=self.pages[url], link=link, distance=self.distances[url]))
        yield tuple(trail)

    def _link(self, source: str, target: str) -> Link | None:
        return next((link for link in self.links[source] if link.url == target), None)

    def _distances(self) -> dict[str, int]:
        """Search breadth-first from all targets at once, against the direction of the links."""
        parents: defaultdict[str, list[str]] = defaultdict(list)
        for url, links in self.links.items():
            for link in links:
                parents[link.url].append(url)
        found = {url: 0 for url in self.pages if url in self.targets}
        queue = deque(found)
        while queue:
            url = queue.popleft()
            for parent in parents[url]:
                if parent not in found:
                    found[parent] = found[url] + 1
                    queue.append(parent)
        return found

    def _walk(self, url: str, chance: random.Random, past_targets: bool) -> Trail:
        length = chance.randint(SHORTEST, LONGEST)
        walk = [Step(page=self.pages[url], distance=self.distances[url])]
        seen = {url}
        reached = url in self.targets
        while len(walk) < length:
            onward = list(self._onward(walk[-1].page.url, seen, free=reached and past_targets))
            if not onward:
                break
            link = chance.choice(onward)
            seen.add(link.url)
            reached = reached or link.url in self.targets
            walk.append(Step(page=self.pages[link.url], link=link, distance=self.distances[link.url]))
        return tuple(walk)

    def _onward(self, url: str, seen: Collection[str], *, free: bool) -> Iterator[Link]:
        """Yield the links to pages not yet seen and, until a target was reached, not of a higher layer."""
        for link in self.links[url]:
            known = link.url in self.distances and link.url not in seen
            if known and (free or self.layers[link.url] <= self.layers[url]):
                yield link
