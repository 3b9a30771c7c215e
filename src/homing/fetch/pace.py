"""Rate limits of the whole crawl: pages and bytes a second, by time of day or as a command has set them.

``Pace`` tells which limits hold when; ``Bucket`` enforces a rate. The frontier keeps the delay between two
requests to one host.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, tzinfo
from typing import TypedDict

from homing.ports import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """The limits that hold at one moment."""

    delay: float
    """Seconds between two requests to one host."""
    pages_per_second: float | None
    """Over all hosts; ``None`` for no limit."""


class Steered(TypedDict, total=False):
    """Limits that a command has set; those it has not set are missing."""

    delay: float
    pages_per_second: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Limits from one time of day to another; past midnight where ``end`` is the earlier.

    A limit of ``None`` stays as it is outside the window.

    >>> night = Window(start=time(22), end=time(6), delay=0.5)
    >>> night.holds(time(23, 30)), night.holds(time(5, 59)), night.holds(time(6))
    (True, True, False)
    """

    start: time
    end: time
    delay: float | None = None
    pages_per_second: float | None = None

    def holds(self, moment: time) -> bool:
        if self.start < self.end:
            return self.start <= moment < self.end
        return moment >= self.start or moment < self.end


class Pace:
    """Which limits hold when, such as slow by day and fast by night.

    Parameters
    ----------
    delay, pages_per_second
        Limits outside of all windows.
    windows
        The first one that holds decides.
    zone
        Time zone of the windows. Default: the machine's.
    steered
        Limits that hold instead of all these, at any time of day.

    Examples
    --------
    >>> night = Window(start=time(22), end=time(6), pages_per_second=20.0)
    >>> from datetime import timezone
    >>> pace = Pace(delay=2.0, windows=[night], zone=timezone.utc)
    >>> pace.at(23 * 3600)
    RateLimits(delay=2.0, pages_per_second=20.0)
    >>> pace.steered = {"pages_per_second": 5.0}
    >>> pace.at(23 * 3600)
    RateLimits(delay=2.0, pages_per_second=5.0)
    """

    def __init__(
        self,
        *,
        delay: float = 1.0,
        pages_per_second: float | None = None,
        windows: Sequence[Window] = (),
        zone: tzinfo | None = None,
        steered: Steered | None = None,
    ) -> None:
        self.delay = delay
        self.pages_per_second = pages_per_second
        self.windows = tuple(windows)
        self.zone = zone
        self.steered: Steered = steered or {}

    def at(self, wall: float) -> RateLimits:
        """Return the limits at this moment, in seconds since 1970."""
        return replace(self._configured(wall), **self.steered)

    def _configured(self, wall: float) -> RateLimits:
        moment = datetime.fromtimestamp(wall, self.zone).time()
        window = next((window for window in self.windows if window.holds(moment)), None)
        if window is None:
            return RateLimits(delay=self.delay, pages_per_second=self.pages_per_second)
        return RateLimits(
            delay=self.delay if window.delay is None else window.delay,
            pages_per_second=(
                self.pages_per_second if window.pages_per_second is None else window.pages_per_second
            ),
        )


class Bucket:
    """A rate limiter: a token bucket that serves its callers in order.

    Each call reserves the time that its amount costs, after the time reserved before it, so that no timer
    runs while there are no callers.

    Parameters
    ----------
    rate
        Amount a second; ``None`` for no limit. It may be changed at any time.
    burst
        Amount that may pass at once after a quiet time.
    """

    def __init__(self, clock: Clock, rate: float | None, *, burst: float = 0.0) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._reserved_until = float("-inf")

    def due(self) -> float:
        """Return the moment at which the next amount may pass."""
        now = self._clock.now()
        return now if self.rate is None else max(self._reserved_until, now - self.burst / self.rate)

    def book(self, amount: float = 1.0) -> float:
        """Reserve a place in the queue; return the moment of its turn."""
        due = self.due()
        if self.rate is not None:
            self._reserved_until = due + amount / self.rate
        return due

    async def take(self, amount: float = 1.0) -> float:
        """Wait until the amount may pass; return how long that took, in seconds."""
        wait = self.book(amount) - self._clock.now()
        if wait <= 0:
            return 0.0
        await self._clock.sleep(wait)
        return wait
