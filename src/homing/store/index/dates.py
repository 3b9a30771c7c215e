"""Dates as people write them, for filters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from homing.errors import UsageError

_DAY = "2026-05-31"


def moment_of(text: str, name: str, *, whole_day: bool = False) -> float | None:
    """Return a date, or a date and time, in seconds since 1970; ``None`` for none. Default zone: UTC.

    ``whole_day``: for a date without a time, its end. ``name`` is the option that an error names.

    >>> moment_of("1970-01-02", "since"), moment_of("1970-01-02", "until", whole_day=True)
    (86400.0, 172800.0)
    """
    given = text.strip()
    if not given:
        return None
    try:
        moment = datetime.fromisoformat(given)
        if whole_day and len(given) <= len(_DAY):
            moment += timedelta(days=1)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise UsageError(f'{name} cannot be "{text}"; write a date like {_DAY}') from None
