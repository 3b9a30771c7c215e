"""When a crawl is over."""

from __future__ import annotations

from dataclasses import dataclass

from homing.crawler.events import Counters
from homing.frontier import Frontier


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is enough. Totals over all runs of a crawl; ``None`` is no limit."""

    concurrency: int = 64
    pages: int | None = None
    relevant: int | None = None
    seconds: float | None = None

    def room(self, counters: Counters, in_flight: int) -> bool:
        """May one more request be sent? What is in flight may all become pages, and none too many."""
        if counters.stop_reason or in_flight >= self.concurrency:
            return False
        return self.pages is None or counters.pages + in_flight < self.pages

    def reached(self, counters: Counters, frontier: Frontier) -> str:
        """Why the crawl is over, in a word or two; empty if it is not."""
        if self.pages is not None and counters.pages >= self.pages:
            return "pages"
        if self.relevant is not None and counters.relevant >= self.relevant:
            return "relevant"
        if self.seconds is not None and counters.seconds >= self.seconds:
            return "minutes"
        if frontier.leased:
            return ""
        if not frontier.waiting:
            return "frontier empty"
        if frontier.is_stuck():
            return "hosts full"
        return ""
