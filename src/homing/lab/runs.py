"""What one replay of one strategy found: the raw material of every measure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct


class Unit(Struct, frozen=True, kw_only=True):
    """One topic on one web from one set of seeds, and one draw of example pages."""

    topic: str
    draw: int


class Run(Struct, frozen=True, kw_only=True, dict=True):
    """A strategy's way through a recorded web.

    Steps count from 1. A page that is an example of the topic is no target: it was known before.
    """

    unit: Unit
    strategy: str
    """Its name."""
    params: Mapping[str, object] = {}
    """Those that were set."""
    label: str = ""
    """What to call it in tables: its name and what was set."""
    reachable: int
    """Pages that can be reached from the seeds."""
    targets: int
    """Targets among them."""
    budget: int
    """How many pages a user would have fetched."""
    end: int
    """How many pages the curve goes to; the crawl may have run dry before."""
    pages: int
    """How many pages were fetched."""
    hits: tuple[int, ...]
    """The steps at which targets were fetched."""
    similar: tuple[float, ...] = ()
    """Of each fetched page, the highest cosine to an example."""
    mean_similar: tuple[float, ...] = ()
    """Of each example, the mean cosine of the pages up to the budget to it."""
    cpu_seconds: float = 0.0
    """Of the strategy alone, fits apart."""
    fit_seconds: float = 0.0
    fits: int = 0
    seconds: float = 0.0
    """Of the whole replay, judge and engine included."""
    bytes_a_url: float = 0.0
    """What the strategy keeps, memos and state, divided by the number of URLs in the frontier."""

    @cached_property
    def name(self) -> str:
        return self.label or self.strategy
