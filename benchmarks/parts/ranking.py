"""How long does a re-rank by Navigational Rank take on the frontier of a very large crawl?

A graph has a million URLs and ten million links, the in-links spread unevenly as on the web; one page in a
hundred is a target. The first ranking starts from nothing, the second from the numbers of the first, after
the crawl has grown by one in a hundred.
"""

import time

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Result
from homing.strategies.graph.navigational_rank import NavigationalRank
from homing.strategies.graph.rank import Graph

SIZES = (100_000, 1_000_000)
LINKS = 10


def run() -> list[Result]:
    seconds = {size: _measure(size) for size in SIZES}
    small, large = seconds[SIZES[0]], seconds[SIZES[-1]]
    ratio = large[1] / small[1] / (SIZES[-1] / SIZES[0])
    return [
        Result("navigational-rank, 1M pages and 10M links, from nothing", f"{large[0]:.2f} s"),
        Result("  the same from the last ranking", f"{large[1]:.2f} s", "≤ 3 s", large[1] <= 3),
        Result("  a page, to one of a crawl a tenth as large", f"{ratio:.2f} times"),
    ]


def _measure(size: int) -> tuple[float, float]:
    dice = np.random.default_rng(1)
    sources, targets = _links(size, dice)
    credit = (dice.random(size) < 0.01).astype(np.float64)
    strategy = NavigationalRank()
    began = time.process_time()
    before = int(0.99 * len(sources))
    found = strategy.spread(Graph(sources[:before], targets[:before], size=size), credit, ())
    cold = time.process_time() - began
    warm = tuple(vector.astype(np.float32) for vector in found)
    began = time.process_time()
    strategy.spread(Graph(sources, targets, size=size), credit, warm)
    return cold, time.process_time() - began


def _links(size: int, dice: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the links of half of the pages, those fetched: twenty each."""
    fetched = size // 2
    sources = np.repeat(np.arange(fetched, dtype=np.int64), LINKS * size // fetched)
    targets = (size * dice.random(len(sources)) ** 3).astype(np.int64)
    return sources, targets
