"""How long a reply may take.

Three limits in one: the headers must be complete soon after the request, the whole reply must arrive within
the total, and the body must not arrive slower than a minimum rate. Each is a moment in time; at the nearest
of them the reply is abandoned. A host that sends a byte a second, or nothing at all, hits the same moment:
after ``n`` bytes it is ``n / rate`` seconds, and a grace for stalls, past the beginning of the body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from homing.fetch.request_failure import RequestFailure
from homing.fetch.settings import Limits


class Deadline:
    """When one reply is abandoned. Wrap the exchange in ``async with deadline.timeout``."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._asked_at = self._loop.time()
        self._body_at = 0.0
        self._excused = 0.0
        self._slow = False
        self.timeout = asyncio.timeout_at(
            self._asked_at + min(limits.first_byte_seconds, limits.total_seconds)
        )

    def body(self, received: int) -> None:
        """Set the deadline for the rest of a body of which ``received`` bytes have arrived."""
        limits = self._limits
        if not self._body_at:
            self._body_at = self._loop.time()
        end = self._asked_at + limits.total_seconds
        self._slow = False
        if limits.min_bytes_per_second > 0:
            paid_for = self._body_at + limits.grace_seconds + received / limits.min_bytes_per_second
            self._slow = paid_for < end
            end = min(end, paid_for)
        self.timeout.reschedule(end + self._excused)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock while we do not read: that time does not count against the host."""
        began = self._loop.time()
        self.timeout.reschedule(None)
        yield
        self._excused += self._loop.time() - began

    def failure(self) -> RequestFailure:
        """Return which limit was missed, once one was."""
        limits = self._limits
        if not self._body_at:
            return RequestFailure(kind="timeout", detail=f"no answer within {limits.first_byte_seconds:g} s")
        if self._slow:
            return RequestFailure(
                kind="slow", detail=f"less than {limits.min_bytes_per_second:g} bytes a second"
            )
        return RequestFailure(kind="timeout", detail=f"not complete within {limits.total_seconds:g} s")
