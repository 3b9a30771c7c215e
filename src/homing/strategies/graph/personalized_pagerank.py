"""PageRank whose surfer always starts again at a target."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from homing.parameters import parameter
from homing.strategies.graph.rank import Floats, Graph, GraphRank, Warm, settled, share

_TOLERANCE = 1e-6
_SWEEPS = 100


class PersonalizedPageRank(GraphRank):
    """Follows a random surfer who always restarts at a target.

    A URL is worth the probability of finding the surfer there. Credit flows only forwards: what
    leads to targets gets none, unless targets lead to it. Until the first target is found, link-context
    decides, and always among the links of one page.

    Examples
    --------
    >>> from homing.checks.replays import harvest
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(PersonalizedPageRank(), pages=100) > harvest(BreadthFirst(), pages=100)
    True

    References
    ----------
    Haveliwala 2002, Topic-sensitive PageRank; recomputed during the crawl, as the paper on Navigational
    Rank has it for comparison. From a page without known links the surfer starts again, of which that
    paper says nothing.
    """

    name = "personalized-pagerank"
    paper: ClassVar[str] = "Haveliwala 2002, Topic-sensitive PageRank"

    restart: float = parameter(
        "How likely the surfer is to restart before each click (d in the paper on Navigational Rank).",
        default=0.2,
        within=(0.001, 0.999),
    )

    def spread(self, graph: Graph, credit: Floats, warm: Warm) -> tuple[Floats, ...]:
        starts = credit / credit.sum()
        rank = warm[0].astype(np.float64) if warm else starts
        leaves = graph.out == 0
        for _ in range(_SWEEPS):
            stuck = rank[leaves].sum()
            flow = graph.sums_of_sources(share(rank, graph.out)) + stuck * starts
            old, rank = rank, self.restart * starts + (1 - self.restart) * flow
            if settled(rank, old, _TOLERANCE):
                break
        return (rank,)

    def handed_on(self, rank: float, credit: float, links: int) -> float:
        starts = credit / self.credited if credit else 0.0
        return (1 - self.restart) * (rank + self.restart * starts) / max(links, 1)
