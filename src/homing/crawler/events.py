"""Events: what the engine tells its listeners.

Listeners are the counters behind the terminal panel (``progress.py``), the log, the index, an ``async for``
over the visits. They are called one event at a time, on the event loop or, for an outcome that takes long, in
the engine's thread; never two at once. They must be quick.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from homing.model import Entry, Failure, Reply, Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """A page was fetched, judged and kept."""

    visit: Visit
    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A final response that is no page: an error status, or a type we do not parse."""

    entry: Entry
    reply: Reply
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """A URL led to another."""

    entry: Entry
    status: int
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A URL was abandoned."""

    entry: Entry
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """An attempt failed; there will be another."""

    entry: Entry
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Anything else worth a line in the log."""

    name: str
    detail: str = ""


Event = Visited | Answered | Redirected | Missed | Postponed | Noted
Listener = Callable[[Event], None]
