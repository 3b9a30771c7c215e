"""The live status of a crawl that is only in its memory: ``pulse.json`` in its folder.

The crawl writes it every two seconds while it is watched; a watching page sends the command ``watch``.
A file is enough: no port, no protocol, and reading it cannot delay the crawl.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from homing.bounded import read_at_most
from homing.files import whole_file
from homing.model import Why

LARGEST = 16 * 1024 * 1024
"""Bytes of a pulse: it has twenty URLs and a hundred hosts."""

HostState = Literal["ready", "busy", "resting", "full"]
"""May be requested now; has a request in flight; must rest; has reached its quota of pages."""


class Awaited(Struct, frozen=True, kw_only=True):
    """A URL at the head of the frontier."""

    url: str
    tier: int = 0
    score: float = 0.0
    why: Why = ()
    """The parts of its priority."""
    anchor: str = ""
    parent: str | None = None
    """URL of the page it was found on; ``None`` for a seed."""


class HostNow(Struct, frozen=True, kw_only=True):
    """A host as the frontier sees it at this moment."""

    name: str
    state: HostState
    ready_in: float = 0.0
    """Seconds until its next request."""
    delay: float = 0.0
    waiting: int = 0
    """Its URLs in the frontier."""
    asked: int = 0
    failures: int = 0
    """How many attempts failed in a row."""


class Pulse(Struct, frozen=True, kw_only=True):
    """A running crawl at one moment."""

    at: float
    """Seconds since 1970."""
    paused: bool = False
    in_flight: int = 0
    """Requests without an answer yet."""
    head: tuple[Awaited, ...] = ()
    """The best queued URLs, best first."""
    hosts: tuple[HostNow, ...] = ()
    memory: int = 0
    """Bytes of main memory that the crawl's process holds."""


def write_pulse(path: Path, pulse: Pulse) -> None:
    """Put a pulse in place of the one before."""
    with whole_file(path) as file:
        file.write(msgspec.json.encode(pulse))


def read_pulse(path: Path) -> Pulse | None:
    """Read the last pulse; ``None`` where there is none that can be read."""
    try:
        return msgspec.json.decode(read_at_most(path, LARGEST), type=Pulse)
    except (OSError, ValueError):
        return None
