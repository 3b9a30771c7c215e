"""How the crawler names itself, and what one reply may cost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

from homing.config import FetchSection, PaceSection

DEFAULT_AGENT = f"homing/{version('homing')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What every request tells about its sender, and the name by which robots.txt addresses us.

    >>> me = Identity(user_agent="plantbot/2.0", contact="https://plants.example/bot")
    >>> me.header
    'plantbot/2.0 (+https://plants.example/bot)'
    >>> me.product
    'plantbot'
    >>> Identity(user_agent="Mozilla/5.0 (compatible; PlantBot/2.0)").product
    'plantbot'
    """

    user_agent: str = ""
    """Product name and version; ours if empty."""
    contact: str = ""
    """A page or a mail address where the owner of a host can reach the operator of the crawl."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further headers."""
    trusted: frozenset[str] = frozenset()
    """Origins that get all of these headers; others get those that only say how a page is wanted."""

    @property
    def header(self) -> str:
        """Value of the ``User-Agent`` header."""
        agent = self.user_agent or DEFAULT_AGENT
        if not self.contact or self.contact in agent:
            return agent
        return f"{agent} (+{self.contact})"

    @property
    def product(self) -> str:
        """Product token by which robots.txt knows us, in lower case."""
        agent = self.user_agent or DEFAULT_AGENT
        # Browsers' own prefix names no robot: those who carry it put their name after "compatible".
        named = re.search(r"compatible;\s*([^\s;/)]+)", agent)
        return (named[1] if named else re.split(r"[\s/]", agent, maxsplit=1)[0]).lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """How far a body may grow; ``Limits`` explains each."""

    max_bytes: int = 10 * 1024 * 1024
    max_ratio: int = 250
    max_members: int = 1_000


class Limits(FetchSection, PaceSection):
    """Sizes and times of one reply, retries and caps: ``[fetch]``, ``[pace]``, and what is fixed.

    ``RobotsCache.crawl_delay`` applies the cap on Crawl-delay, ``retry.requested_rest`` that on Retry-After.

    >>> Limits(retries=0).total_seconds, Limits().crawl_delay_cap, Limits().body_caps.max_bytes
    (60.0, 60.0, 10485760)
    """

    max_ratio: int = 250
    """How many times larger than its encoded form a body may become, once it is past a megabyte."""
    max_members: int = 1_000
    """Gzip members in one body; each may be empty, so that size alone does not bound them."""
    grace_seconds: float = 10.0
    """How long a body may stall before the minimum rate counts against it."""

    @property
    def body_caps(self) -> Caps:
        """Bounds of a page's body."""
        return Caps(max_bytes=self.max_bytes, max_ratio=self.max_ratio, max_members=self.max_members)
