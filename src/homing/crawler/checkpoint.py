"""The checkpoint: when what has happened is safe on disk, and what a later run needs to resume from there."""

from __future__ import annotations

from itertools import islice

from homing.crawler.parts import Parts
from homing.crawler.progress import Counters

COMMIT_EVERY = 0.5
"""Seconds of work that a crash may cost at most."""
SAVE_STATE_EVERY = 60.0
REASONS = 100
"""Reasons why links were not followed: at most this many are kept, the most frequent."""


class Checkpoint:
    """Commits twice a second, with the strategy's state once a minute."""

    def __init__(self, parts: Parts, counters: Counters) -> None:
        self._parts = parts
        self._counters = counters
        now = parts.clock.now()
        self.due_at = now + COMMIT_EVERY
        self._save_at = now + SAVE_STATE_EVERY

    def commit(self, now: float) -> None:
        """Commit: everything that has happened so far is safe from here on."""
        parts = self._parts
        if now >= self._save_at:
            self._save_at = now + SAVE_STATE_EVERY
            parts.store.save_strategy(self._counters.steps, parts.strategy.state())
            self._save_allowances()
        self._counters.size(parts.frontier)
        parts.store.note("seconds", self._counters.seconds)
        if self._counters.refreshed:
            parts.store.note("refreshed", self._counters.refreshed)
        if parts.traps:
            parts.store.note("cut", parts.traps.cut(REASONS))
            parts.store.note("held_back", dict(islice(parts.frontier.hosts.held_back().items(), REASONS)))
        parts.store.commit()
        self.due_at = now + COMMIT_EVERY

    def _save_allowances(self) -> None:
        if allowances := self._parts.frontier.hosts.allowances():
            self._parts.store.note("allowances", allowances)

    def close(self, now: float) -> None:
        """Commit for the last time, with everything that a later run needs to resume exactly here."""
        parts = self._parts
        parts.store.save_strategy(self._counters.steps, parts.strategy.state())
        self._save_allowances()
        if parts.frontier.overwritten:
            parts.store.save_ranking(parts.frontier.urls.ranking())
        parts.store.note("stop_reason", self._counters.stop_reason)
        self.commit(now)
