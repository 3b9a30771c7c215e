"""One request to a host at a time, also where the frontier cannot see the request.

The frontier leases one URL of a host at a time and rests the host between two. But a robots.txt may
redirect to a host that was not leased and that may be answering another request of ours. Such an unleased
request waits here until that host is free and has rested, and the next leased request to the host waits for
the rest after the unleased one.

A lock is held for one request only, never while waiting for another host: two hosts whose robots.txt
redirect to each other cannot deadlock.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from homing.ports import Clock

_MAX_HOSTS = 10_000
"""Hosts kept before those that have rested are dropped."""
_LONG_AGO = 60.0
"""Seconds after which no delay of ours is left: as long as the default cap on Crawl-delay."""


class HostLocks:
    """A lock for each host, and a rest around requests that the frontier did not lease."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def hold(self, host: str, *, unleased_delay: float | None = None) -> AsyncIterator[None]:
        """Hold the host for one request.

        A request that the frontier has leased waits for unleased ones only. One that it has not leased keeps
        ``unleased_delay`` seconds from its neighbours.
        """
        known = self._hosts.get(host) or self._add(host)
        async with known.lock:
            begin = known.rests_until
            if unleased_delay is not None:
                begin = max(begin, known.requested_at + unleased_delay)
            if (wait := begin - self._clock.now()) > 0:
                await self._clock.sleep(wait)
            try:
                yield
            finally:
                known.requested_at = self._clock.now()
                if unleased_delay is not None:
                    known.rests_until = known.requested_at + unleased_delay

    def _add(self, name: str) -> _Host:
        if len(self._hosts) >= _MAX_HOSTS:
            self._drop_rested()
        host = self._hosts[name] = _Host()
        return host

    def _drop_rested(self) -> None:
        """Drop the hosts that are neither busy nor resting."""
        now = self._clock.now()
        self._hosts = {
            name: known
            for name, known in self._hosts.items()
            if known.lock.locked() or known.requested_at > now - _LONG_AGO or known.rests_until > now
        }


class _Host:
    """The lock of one host, and when it was last sent a request."""

    __slots__ = ("lock", "requested_at", "rests_until")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.requested_at = float("-inf")
        self.rests_until = float("-inf")
