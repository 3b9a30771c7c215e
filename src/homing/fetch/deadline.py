"""How long a reply may take.

Three limits in one: the headers must be complete soon after asking, the whole must come within the total,
and once the body has begun it must not come slower than a minimum rate. Each is a moment in time; the
nearest of them is when the reply is given up. A host that sends a byte a second, or nothing at all, hits
the same moment: after ``n`` bytes it is ``n / rate`` seconds, and a grace for stalls, past the beginning.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from homing.fetch.settings import Limits
from homing.fetch.trouble import Trouble


class Deadline:
    """When one reply is given up. Wrap the exchange in ``async with deadline.timeout``."""

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
        """Set the limit for more of the body, of which so many bytes have come."""
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
        """While it is we who do not read: that time is not held against the host."""
        began = self._loop.time()
        self.timeout.reschedule(None)
        yield
        self._excused += self._loop.time() - began

    def trouble(self) -> Trouble:
        """What to say once it has passed."""
        limits = self._limits
        if not self._body_at:
            return Trouble(kind="timeout", detail=f"no answer within {limits.first_byte_seconds:g} s")
        if self._slow:
            return Trouble(kind="slow", detail=f"less than {limits.min_bytes_per_second:g} bytes a second")
        return Trouble(kind="timeout", detail=f"not complete within {limits.total_seconds:g} s")
