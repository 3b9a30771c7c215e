"""Requests to one host kept apart where the frontier cannot see them.

The frontier leases one URL of a host at a time and rests the host between two. But a robots.txt may
redirect to a host that was not leased, and that may just be answering another request of ours. Such a
stray request waits here until that host is free and has rested, and the next leased request to the host
waits for the rest after the stray one.

A turn is held for one request only, never while waiting for another host: two hosts whose robots.txt
redirect to each other do not lock each other up.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from homing.ports import Clock

_MANY = 10_000
_LONG_AGO = 60.0
"""Seconds after which no delay of ours is left: none is longer than the cap on Crawl-delay usually is."""


class _Turn:
    """Where one host stands."""

    __slots__ = ("asked_at", "lock", "rests_until")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.asked_at = float("-inf")
        self.rests_until = float("-inf")


class Turns:
    """One request a host at a time, and a rest around those that the frontier did not lease."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._hosts: dict[str, _Turn] = {}

    @asynccontextmanager
    async def leased(self, host: str) -> AsyncIterator[None]:
        """A request that the frontier has leased: it waits for stray ones only."""
        turn = self._turn(host)
        async with turn.lock:
            await self._wait_until(turn.rests_until)
            try:
                yield
            finally:
                turn.asked_at = self._clock.now()

    @asynccontextmanager
    async def stray(self, host: str, delay: float) -> AsyncIterator[None]:
        """A request that the frontier does not know of, ``delay`` seconds from those before and after it."""
        turn = self._turn(host)
        async with turn.lock:
            await self._wait_until(max(turn.asked_at + delay, turn.rests_until))
            try:
                yield
            finally:
                turn.asked_at = self._clock.now()
                turn.rests_until = turn.asked_at + delay

    def _turn(self, host: str) -> _Turn:
        turn = self._hosts.get(host)
        if turn is None:
            if len(self._hosts) >= _MANY:
                self._forget()
            turn = self._hosts[host] = _Turn()
        return turn

    def _forget(self) -> None:
        """Hosts that are not being asked and have rested need no place here."""
        now = self._clock.now()
        self._hosts = {
            host: turn
            for host, turn in self._hosts.items()
            if turn.lock.locked() or turn.asked_at > now - _LONG_AGO or turn.rests_until > now
        }

    async def _wait_until(self, moment: float) -> None:
        wait = moment - self._clock.now()
        if wait > 0:
            await self._clock.sleep(wait)
