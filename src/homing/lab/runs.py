"""The result of one replay of one strategy: the raw material of every measure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct


class Unit(Struct, frozen=True, kw_only=True):
    """One topic on one web from one set of seeds, and one draw of example pages."""

    topic: str
    draw: int


class Run(Struct, frozen=True, kw_only=True, dict=True):
    """The run of a strategy on a recorded web.

    Steps count from 1. Examples of the topic are no targets, as they are known before.
    """

    unit: Unit
    strategy: str
    """Name of the strategy."""
    params: Mapping[str, object] = {}
    """Parameters that were set."""
    label: str = ""
    """Name in tables: the strategy and its parameters that were set."""
    reachable: int
    """Number of pages that can be reached from the seeds."""
    targets: int
    """Number of targets among them."""
    budget: int
    """Number of pages that a user would fetch."""
    end: int
    """Number of pages of the curve; the crawl may have run out of URLs before."""
    pages: int
    """Number of fetches, revisits included."""
    hits: tuple[int, ...]
    """Steps at which targets were fetched for the first time."""
    similar: tuple[float, ...] = ()
    """Highest cosine of each fetched page to an example; 0 for a revisit."""
    mean_similar: tuple[float, ...] = ()
    """Mean cosine to each example of the pages up to the budget."""
    cpu_seconds: float = 0.0
    """CPU seconds of the strategy alone, without fits."""
    fit_seconds: float = 0.0
    fits: int = 0
    seconds: float = 0.0
    """CPU seconds of the whole replay, judge and engine included."""
    bytes_a_url: float = 0.0
    """Bytes that the strategy keeps (memos and state) per queued URL."""

    @cached_property
    def name(self) -> str:
        return self.label or self.strategy
