"""What an engine is made of. Each part is known to it only by a Protocol of ``ports``."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

from homing.ports import (
    ByteBudget,
    Clock,
    Fetcher,
    Frontier,
    RateLimit,
    Reader,
    Scope,
    Store,
    Strategy,
    Traps,
)


@dataclass(slots=True, kw_only=True)
class Parts:
    """The parts of a crawl; ``assembly.py`` builds them.

    Parts stay and values travel, but three may be exchanged between two turns: a relearnt strategy replaces
    the one before, a refresh goes without traps, and the reader gets a new judge.
    """

    fetcher: Fetcher
    reader: Reader
    strategy: Strategy
    frontier: Frontier
    store: Store
    scope: Scope
    clock: Clock
    rate: RateLimit
    """Pages a second, over all hosts."""
    budget: ByteBudget
    """Memory for large bodies, until they are archived."""
    thread: Executor
    """Where re-ranks and commits are done, so that the network need not wait for them."""
    traps: Traps | None = None
    """``None``: no trap is avoided."""
    follow_links: bool = True
    """Offer the links of pages. An example fetch does not."""
    follow_nofollow: bool = True
