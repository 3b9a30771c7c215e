"""Ports to time and to the network."""

from __future__ import annotations

from typing import Protocol

from homing.model import Entry, Failure, Reply, Wait


class Clock(Protocol):
    """The time, which no part may read from the machine itself."""

    def now(self) -> float:
        """Return seconds on a clock that never jumps; for delays and limits."""

    def wall(self) -> float:
        """Return seconds since 1970; for records that people read."""

    async def sleep(self, seconds: float) -> None:
        """Let that much time pass."""


class Fetcher(Protocol):
    """Requests a page from its host, politely."""

    async def fetch(self, entry: Entry) -> Reply | Failure | Wait: ...

    async def close(self) -> None: ...


class RateLimit(Protocol):
    """The rate at which requests of all hosts together are sent."""

    rate: float | None
    """Requests a second; ``None`` for no limit."""

    def due(self) -> float:
        """Return the moment at which the next request may be sent."""

    def book(self) -> float:
        """Take a place in the queue; return the moment at which it comes up."""


class ByteBudget(Protocol):
    """Memory that large bodies share while they are fetched and read."""

    def grant(self, holder: int, size: int) -> bool:
        """Note how large a body has become; return whether it may grow further now."""

    def release(self, holder: int) -> None:
        """Give back what a body held: it is archived, or there will be none."""
