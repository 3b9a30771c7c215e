"""When a crawl is over."""

from __future__ import annotations

from dataclasses import dataclass

from homing.crawler.events import Counters
from homing.ports import Frontier

CROWD = 4
"""How many times ``concurrency`` are in flight at most, stragglers included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is enough. Totals over all runs of a crawl; ``None`` is no limit."""

    concurrency: int = 64
    """Requests in flight, apart from stragglers."""
    pages: int | None = None
    relevant: int | None = None
    seconds: float | None = None
    yield_below: float | None = None
    """Fewer relevant pages than this are to be expected of the next hundred."""

    def room(self, counters: Counters, in_flight: int, stragglers: int = 0) -> bool:
        """May one more request be sent? What is in flight may all become pages, and none too many.

        ``stragglers`` of those in flight have taken long. Hosts that never respond would soon have all places
        otherwise. Where there is one place only, it is for the same crawl to be had again.
        """
        most = self.concurrency if self.concurrency == 1 else CROWD * self.concurrency
        if counters.stop_reason or in_flight - stragglers >= self.concurrency or in_flight >= most:
            return False
        return self.pages is None or counters.pages + in_flight < self.pages

    def reached(self, counters: Counters, frontier: Frontier, now: float) -> str:
        """Return why the crawl is over, in a word or two; empty if it is not."""
        if self.pages is not None and counters.pages >= self.pages:
            return "pages"
        if self.relevant is not None and counters.relevant >= self.relevant:
            return "relevant"
        if self.seconds is not None and counters.seconds >= self.seconds:
            return "minutes"
        if self.yield_below is not None:
            expected = counters.expected_yield
            if expected is not None and expected < self.yield_below:
                return "yield"
        if frontier.leased:
            return ""
        if not frontier.queued:
            return "frontier empty"
        if frontier.is_stuck():
            return "hosts full"
        return ""
