"""What the robots.txt of each origin allows (RFC 9309): cached, loaded from the catalog, or fetched.

``RobotsCache.load`` returns the ``Rules`` of an origin, unless they must be fetched first, by
``RobotsCache.fetch``. Crawl-delay is capped here (``RobotsCache.crawl_delay``), and redirects of robots.txt
are followed here.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace
from protego import Protego

from homing.fetch.exchange import Exchange
from homing.fetch.host_locks import HostLocks
from homing.fetch.redirects import MAX_ROBOTS_REDIRECTS, robots_target
from homing.fetch.request_failure import RequestFailure
from homing.fetch.retry import requested_rest
from homing.fetch.robots_text import MAX_BYTES, read, readdress
from homing.fetch.settings import Limits
from homing.model import Reply, RobotsRecord
from homing.ports import Clock
from homing.urls import canonical, host
from homing.urls import origin as origin_of

MAX_AGE = 24 * 3600.0
"""Seconds after which a robots.txt is fetched again."""
MAX_SITEMAPS = 100

_CLOCK_DRIFT = 300.0
_MAX_ORIGINS = 5_000
_MAX_TEXT = 8 * 1024 * 1024
"""Characters of robots.txt whose rules are kept in memory, where they take 4 to 20 times the room."""
_LONG_TEXT = 32 * 1024
"""Characters from which a text is parsed in a thread: half a megabyte takes a second, too long for the event
loop."""

LoadRobots = Callable[[str], RobotsRecord | None]
"""Looks up the stored robots.txt of an origin."""


class Rules:
    """What one robots.txt allows one robot.

    >>> rules = Rules('''
    ...     User-agent: *
    ...     Disallow: /
    ...     User-agent: homing
    ...     Disallow: /private/
    ...     Crawl-delay: 5
    ...     Sitemap: https://example.org/map.xml
    ... ''', "homing")
    >>> rules.allows("https://example.org/"), rules.allows("https://example.org/private/x")
    (True, False)
    >>> rules.delay, rules.sitemaps("https://example.org")
    (5.0, ('https://example.org/map.xml',))
    """

    def __init__(self, text: str, product: str) -> None:
        self._product = product.lower()
        self._parsed = Protego.parse(readdress(text, self._product))

    def allows(self, url: str) -> bool:
        return bool(self._parsed.can_fetch(url, self._product))

    @property
    def delay(self) -> float | None:
        """The Crawl-delay in seconds, if there is one."""
        return self._parsed.crawl_delay(self._product)

    def sitemaps(self, origin: str) -> tuple[str, ...]:
        """Return the sitemaps it names, as canonical URLs, each once."""
        found = (canonical(named, origin + "/robots.txt") for named in self._parsed.sitemaps)
        return tuple(dict.fromkeys(url for url in found if url))[:MAX_SITEMAPS]


class RobotsCache:
    """Rules of robots.txt by origin.

    Least recently used ones are dropped first; the cache is bounded in their number and in the size of their
    texts.
    """

    def __init__(
        self,
        *,
        exchange: Exchange,
        locks: HostLocks,
        limits: Limits,
        clock: Clock,
        product: str,
        load: LoadRobots,
    ) -> None:
        self._exchange = exchange
        self._locks = locks
        self._limits = limits
        self._clock = clock
        self._product = product
        self._load = load
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._text_left = _MAX_TEXT

    async def load(self, origin: str) -> Rules | None:
        """Return the rules of an origin; ``None`` if they must be fetched."""
        now, wall = self._clock.now(), self._clock.wall()
        if kept := self._kept.get(origin):
            if now < kept.until and wall < kept.until_wall:
                self._kept.move_to_end(origin)
                return kept.rules
            self._drop(origin)
        record = self._load(origin)
        if record is None or not is_fresh(record, wall):
            return None
        return await self._keep(record)

    def crawl_delay(self, rules: Rules) -> float | None:
        """Return the Crawl-delay of these rules, capped, if they have one."""
        return None if rules.delay is None else min(rules.delay, self._limits.crawl_delay_cap)

    def delay(self, rules: Rules | None) -> float:
        """Return the seconds between two requests to a host: the longer of our delay and its Crawl-delay."""
        crawl_delay = self.crawl_delay(rules) if rules else None
        return max(self._limits.delay, crawl_delay or 0.0)

    async def fetch(self, origin: str) -> tuple[RobotsRecord, Rules] | RequestFailure:
        """Fetch the robots.txt of an origin. After a failure nothing may be requested from it for now."""
        requested_at = self._clock.wall()
        async with self._locks.hold(host(origin)):
            reply = await self._get(f"{origin}/robots.txt")
        for _ in range(MAX_ROBOTS_REDIRECTS):
            target = robots_target(reply)
            if target is None:
                break
            rules = await self.load(origin_of(target))
            async with self._locks.hold(host(target), unleased_delay=self.delay(rules)):
                reply = await self._get(target)
            if isinstance(reply, RequestFailure):
                # This redirect may have been refused, but the host itself got a request and needs its rest.
                return replace(reply, requested=True)
        if isinstance(reply, RequestFailure):
            return reply
        if is_unreachable(reply.status):
            rest = requested_rest(reply, self._limits, self._clock.wall())
            return RequestFailure(kind="robots", detail=f"robots.txt answered {reply.status}", rest=rest)
        record = RobotsRecord(
            origin=origin,
            status=reply.status,
            text=read(reply.body) if 200 <= reply.status < 300 else "",
            fetched_at=requested_at,
        )
        return record, await self._keep(record)

    async def _get(self, url: str) -> Reply | RequestFailure:
        caps = dataclasses.replace(self._limits.body_caps, max_bytes=MAX_BYTES + 1)
        reply = await self._exchange.get(url, {}, caps)
        if isinstance(reply, RequestFailure):
            return replace(reply, detail=f"robots.txt: {reply.detail}")
        if reply.truncated == "disconnect":
            # Rules may be missing from it.
            return RequestFailure(kind="protocol", detail="robots.txt: the connection was closed half-way")
        return reply

    async def _keep(self, record: RobotsRecord) -> Rules:
        if len(record.text) < _LONG_TEXT:
            rules = rules_of(record, self._product)
        else:
            rules = await asyncio.to_thread(rules_of, record, self._product)
        now, wall = self._clock.now(), self._clock.wall()
        left = MAX_AGE - max(0.0, wall - record.fetched_at)
        if record.origin in self._kept:
            self._drop(record.origin)
        self._kept[record.origin] = _Kept(rules, len(record.text), now + left, wall + left)
        self._text_left -= len(record.text)
        while len(self._kept) > 1 and (self._text_left < 0 or len(self._kept) > _MAX_ORIGINS):
            self._drop(next(iter(self._kept)))
        return rules

    def _drop(self, origin: str) -> None:
        self._text_left += self._kept.pop(origin).size


def rules_of(record: RobotsRecord, product: str) -> Rules:
    """Parse the rules of a record. No robots.txt (4xx, endless redirects) allows everything."""
    return Rules(record.text if 200 <= record.status < 300 else "", product)


def is_unreachable(status: int) -> bool:
    """Return whether that status means: no rules for now, so request nothing and try again later.

    5xx by RFC 9309. A 429 is a 4xx, but "too many requests" is no permission to send more.
    """
    return status == 0 or status == 429 or status >= 500


def is_fresh(record: RobotsRecord, wall: float) -> bool:
    """Return whether a stored record may still be used. One from the future is of a clock that jumped."""
    return -_CLOCK_DRIFT < wall - record.fetched_at < MAX_AGE and not is_unreachable(record.status)


@dataclass(frozen=True, slots=True)
class _Kept:
    """Parsed rules and when they expire.

    By both clocks: the wall clock may be set back a day, the other stands still while the machine sleeps.
    """

    rules: Rules
    size: int
    """Characters of the text they were parsed from."""
    until: float
    until_wall: float
