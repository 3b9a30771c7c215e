"""Memory that all large bodies share.

One body is bounded by its own limit (``Limits.body_caps``), but 64 hosts may send their largest at the same
time, and all of these may have to wait for the worker that reads large pages. So large bodies share a
budget. When it is spent, reading stops and TCP makes the hosts wait. The oldest body may always grow, so
that one always completes and makes room. Bodies of ordinary size do not count. A page that a worker has
parsed counts with its body until it is processed, as a small body can hold many links.
"""

from __future__ import annotations

import asyncio


class BodyBudget:
    """Bytes held by each large body, from its first bytes until it is archived.

    Parameters
    ----------
    most
        Bytes for all together; the oldest body may add its own limit to that.
    large
        Bytes from which on a body counts.

    Examples
    --------
    >>> budget = BodyBudget(most=10, large=3)
    >>> budget.grant(1, 8), budget.grant(2, 3), budget.grant(2, 4), budget.grant(1, 20)
    (True, True, False, True)
    >>> budget.release(1)
    >>> budget.grant(2, 9)
    True
    """

    def __init__(self, *, most: int = 8 * 1024 * 1024, large: int = 256 * 1024) -> None:
        self._most = most
        self._large = large
        self._held: dict[int, int] = {}
        """Bytes by holder, the oldest first."""
        self._released = asyncio.Event()

    def grant(self, holder: int, size: int) -> bool:
        """Record that a body has grown; return whether it may go on growing now."""
        if size <= self._large:
            return True
        self._held[holder] = size
        return self._may_grow(holder)

    async def wait(self, holder: int) -> None:
        """Wait until a body may go on growing."""
        while not self._may_grow(holder):
            self._released.clear()
            await self._released.wait()

    def release(self, holder: int) -> None:
        """Free what a body held: it is archived, or there is none."""
        if self._held.pop(holder, None) is not None:
            self._released.set()

    def _may_grow(self, holder: int) -> bool:
        return sum(self._held.values()) <= self._most or next(iter(self._held)) == holder
