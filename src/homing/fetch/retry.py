"""When to request again after a failure, and how long a host rests."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

from aiohttp import hdrs

from homing.fetch.settings import Limits
from homing.model import Reply

_LONGEST_PAUSE = 86_400


def back_off(base: float, tries: int) -> float:
    """Return the seconds before the next attempt: four times as long after each, a day at most.

    >>> [back_off(30, tries) for tries in (0, 1, 2, 20)]
    [30.0, 120.0, 480.0, 86400.0]
    """
    return float(min(base * 4**tries, _LONGEST_PAUSE))


def requested_rest(reply: Reply, limits: Limits, wall: float) -> float | None:
    """Return the rest that a host requests by ``Retry-After``, capped; ``None`` if it requests none."""
    seconds = retry_after(reply.header(hdrs.RETRY_AFTER), wall)
    return None if seconds is None else min(seconds, limits.retry_after_cap)


def retry_after(header: str, wall: float) -> float | None:
    """Return the seconds in a ``Retry-After`` header: a number or a date; ``None`` if it is neither.

    >>> retry_after("120", 0.0)
    120.0
    >>> retry_after("Thu, 01 Jan 1970 00:01:30 GMT", 60.0)
    30.0
    >>> retry_after("soon", 0.0) is None
    True
    """
    text = header.strip()
    # No host means more than this, and longer numbers do not fit a float.
    if text.isascii() and text.isdigit() and len(text) < 12:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    try:
        return max(0.0, moment.timestamp() - wall)
    except (ValueError, OverflowError):
        return None
