"""The books of a crawl: what is counted as it runs, and when it is safe on disk."""

from __future__ import annotations

from homing.crawler.events import Counters
from homing.crawler.parts import Parts

COMMIT_EVERY = 0.5
"""Seconds of work that a crash may cost at most."""
SAVE_STATE_EVERY = 60.0
REASONS = 100
"""Why links were not followed: so many of the reasons are remembered, the most frequent."""


class Books:
    """Counts, and commits now and then; twice a second, with the strategy's state once a minute."""

    def __init__(self, counters: Counters, now: float) -> None:
        self._counters = counters
        self._began_at = self._committed_at = self._saved_at = now
        self._seconds_before = counters.seconds

    def count(self, parts: Parts, now: float) -> None:
        """Bring the counters up to date."""
        self._counters.frontier = parts.frontier.waiting
        self._counters.hosts = len(parts.frontier.hosts)
        self._counters.run_seconds = now - self._began_at
        self._counters.seconds = self._seconds_before + self._counters.run_seconds

    def is_due(self, now: float) -> bool:
        """Is it time for a commit?"""
        return now - self._committed_at >= COMMIT_EVERY

    def commit(self, parts: Parts, now: float) -> None:
        """All that has happened so far is safe from here on."""
        if now - self._saved_at >= SAVE_STATE_EVERY:
            self._saved_at = now
            parts.store.save_strategy(self._counters.pages, parts.strategy.state())
        parts.store.note("seconds", self._counters.seconds)
        if parts.traps:
            parts.store.note("cut", dict(parts.traps.cut.most_common(REASONS)))
        parts.store.commit()
        self._committed_at = now

    def close(self, parts: Parts, now: float) -> None:
        """The last commit, with all that a later run needs to go on exactly here."""
        self.count(parts, now)
        parts.store.save_strategy(self._counters.pages, parts.strategy.state())
        if parts.frontier.overwritten:
            parts.store.save_ranking(parts.frontier.ranking())
        parts.store.note("stop_reason", self._counters.stop_reason)
        self.commit(parts, now)
