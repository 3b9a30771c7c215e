"""The baseline that looks at nothing but distance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from homing.model import Priority, Proposal, Visit
from homing.strategies.base import Strategy


class BreadthFirst(Strategy):
    """Takes pages in the order of their distance from the seeds.

    First every page one link away, then every page two links away, and so on; within a level, the one
    found first. It knows no topic, which makes it what every other strategy is measured against. On
    flat sites, where everything is two clicks from home, it is hard to beat.

    Examples
    --------
    >>> from homing.checks.replays import replay
    >>> from homing.checks.webs import toy_web
    >>> web = toy_web(seed=1)
    >>> depths = [web.depth(url) for url in replay(web, BreadthFirst(), pages=60).order]
    >>> depths == sorted(depths)
    True

    References
    ----------
    Najork, Wiener 2001, Breadth-first crawling yields high-quality pages. The level is part of the
    priority, not just the order of discovery: with many pages in flight, one that is deep may answer
    before one that is not, and a URL found on both belongs to the nearer level.
    """

    name = "breadth-first"
    paper: ClassVar[str] = "Najork, Wiener 2001, Breadth-first crawling yields high-quality pages"

    def start(self, url: str) -> Proposal:
        return Proposal(url=url, priority=Priority(), why=(("depth", 0.0),))

    def score(self, visit: Visit) -> Iterator[Proposal]:
        depth = visit.entry.depth + 1
        priority = Priority(tier=depth)
        why = (("depth", float(depth)),)
        for link in visit.page.links:
            yield Proposal(url=link.url, priority=priority, why=why)
