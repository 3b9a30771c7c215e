"""The baseline that looks at nothing at all."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import ClassVar

from homing.model import Priority, Proposal, Visit
from homing.parameters import parameter
from homing.strategies.base import Strategy


class RandomOrder(Strategy):
    """Takes pages in an order that means nothing.

    Every URL has a number that depends on the URL and the seed alone, and the highest number in the
    frontier is next. No state, no draws: the same seed gives the same crawl, however often it is stopped. A
    strategy that is not better than this is no strategy.

    Examples
    --------
    >>> from homing.checks.replays import replay
    >>> from homing.checks.webs import toy_web
    >>> web = toy_web(seed=1)
    >>> first = replay(web, RandomOrder(seed=1), pages=60).order
    >>> first == replay(web, RandomOrder(seed=1), pages=60).order
    True
    >>> first == replay(web, RandomOrder(seed=2), pages=60).order
    False

    References
    ----------
    None: this is chance. A page found by many links is no likelier than one found by one.
    """

    name = "random"
    paper: ClassVar[str] = ""

    seed: int = parameter(
        "Another seed, another order.",
        default=0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._key = str(self.seed).encode()[:64]

    def score(self, visit: Visit) -> Iterator[Proposal]:
        for link in visit.page.links:
            drawn = self._draw(link.url)
            yield Proposal(url=link.url, priority=Priority(score=drawn), why=(("drawn", drawn),))

    def _draw(self, url: str) -> float:
        digest = blake2b(url.encode("utf-8", "replace"), digest_size=8, key=self._key).digest()
        return (int.from_bytes(digest) >> 11) / 2**53  # 53 bits: what a float below 1 holds exactly
