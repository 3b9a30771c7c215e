"""Requests in flight, and how long each has been."""

from __future__ import annotations

import asyncio
from itertools import takewhile

from homing.crawler.parts import Outcome

STRAGGLES_AFTER = 2.0
"""Seconds after which a request no longer keeps another one from being sent (see ``Limits.room``)."""


class InFlight:
    """The tasks that ask for a page, the eldest first."""

    def __init__(self) -> None:
        self._since: dict[asyncio.Task[Outcome], float] = {}

    def __len__(self) -> int:
        return len(self._since)

    def add(self, task: asyncio.Task[Outcome], now: float) -> None:
        self._since[task] = now

    def remove(self, task: asyncio.Task[Outcome]) -> None:
        del self._since[task]

    def cancel(self) -> None:
        """Drop them all."""
        for task in self._since:
            task.cancel()

    def stragglers(self, now: float) -> int:
        """How many have been asking for long: the host is slow, or their page waits to be read."""
        until = now - STRAGGLES_AFTER
        return sum(1 for _ in takewhile(lambda since: since < until, self._since.values()))
