"""The robots.txt of each origin: cached, loaded from the catalog, or fetched.

Crawl-delay is capped here (``RobotsCache.crawl_delay``), and redirects of robots.txt are followed here.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import OrderedDict
from collections.abc import Callable

from msgspec.structs import replace

from homing.fetch import robots
from homing.fetch.exchange import Exchange
from homing.fetch.host_locks import HostLocks
from homing.fetch.redirects import MAX_ROBOTS_REDIRECTS, robots_target
from homing.fetch.request_failure import RequestFailure
from homing.fetch.retry import requested_rest
from homing.fetch.robots import Rules
from homing.fetch.settings import Limits
from homing.model import Reply, RobotsRecord
from homing.ports import Clock
from homing.urls import host
from homing.urls import origin as origin_of

_MAX_ORIGINS = 5_000
_MAX_TEXT = 8 * 1024 * 1024
"""Characters of robots.txt whose rules are kept in memory, where they take 4 to 20 times the room."""
_LONG_TEXT = 32 * 1024
"""Characters from which a text is parsed in a thread: half a megabyte takes a second, too long for the event
loop."""

LoadRobots = Callable[[str], RobotsRecord | None]
"""Looks up the stored robots.txt of an origin."""


class RobotsCache:
    """Rules of robots.txt by origin."""

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
        self._parsed = _ParsedRules(max_origins=_MAX_ORIGINS, max_text=_MAX_TEXT)

    async def load(self, origin: str) -> Rules | None:
        """Return the rules of an origin; ``None`` if they must be fetched."""
        if rules := self._parsed.get(origin, self._moment):
            return rules
        record = self._load(origin)
        if record is None or not robots.is_fresh(record, self._clock.wall()):
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
        asked_at = self._clock.wall()
        async with self._locks.leased(host(origin)):
            reply = await self._get(f"{origin}/robots.txt")
        for _ in range(MAX_ROBOTS_REDIRECTS):
            target = robots_target(reply)
            if target is None:
                break
            rules = await self.load(origin_of(target))
            async with self._locks.unleased(host(target), self.delay(rules)):
                reply = await self._get(target)
            if isinstance(reply, RequestFailure):
                # This redirect may have been refused, but the host itself got a request and needs its rest.
                return replace(reply, asked=True)
        if isinstance(reply, RequestFailure):
            return reply
        if robots.is_unreachable(reply.status):
            return self._unreachable(reply)
        record = RobotsRecord(
            origin=origin,
            status=reply.status,
            text=robots.read(reply.body) if 200 <= reply.status < 300 else "",
            fetched_at=asked_at,
        )
        return record, await self._keep(record)

    async def _get(self, url: str) -> Reply | RequestFailure:
        caps = dataclasses.replace(self._limits.body_caps, max_bytes=robots.MAX_BYTES + 1)
        reply = await self._exchange.get(url, {}, caps)
        if isinstance(reply, RequestFailure):
            return replace(reply, detail=f"robots.txt: {reply.detail}")
        if reply.truncated == "disconnect":
            # Rules may be missing from it.
            return RequestFailure(kind="protocol", detail="robots.txt: the connection was closed half-way")
        return reply

    async def _keep(self, record: RobotsRecord) -> Rules:
        if len(record.text) < _LONG_TEXT:
            rules = robots.rules_of(record, self._product)
        else:
            rules = await asyncio.to_thread(robots.rules_of, record, self._product)
        now, wall = self._moment
        left = robots.MAX_AGE - max(0.0, wall - record.fetched_at)
        self._parsed.put(record.origin, rules, len(record.text), (now + left, wall + left))
        return rules

    @property
    def _moment(self) -> _Moment:
        return self._clock.now(), self._clock.wall()

    def _unreachable(self, reply: Reply) -> RequestFailure:
        rest = requested_rest(reply, self._limits, self._clock.wall())
        return RequestFailure(kind="robots", detail=f"robots.txt answered {reply.status}", rest=rest)


_Moment = tuple[float, float]
"""By both clocks: the wall clock may be set back a day, the other stands still while the machine sleeps."""


class _ParsedRules:
    """Parsed rules, least recently used dropped first, bounded in number and in the size of their texts."""

    def __init__(self, *, max_origins: int, max_text: int) -> None:
        self._max_origins = max_origins
        self._text_left = max_text
        self._entries: OrderedDict[str, tuple[Rules, int, _Moment]] = OrderedDict()

    def get(self, origin: str, moment: _Moment) -> Rules | None:
        entry = self._entries.get(origin)
        if entry is None:
            return None
        rules, size, expires = entry
        if moment[0] >= expires[0] or moment[1] >= expires[1]:
            del self._entries[origin]
            self._text_left += size
            return None
        self._entries.move_to_end(origin)
        return rules

    def put(self, origin: str, rules: Rules, size: int, expires: _Moment) -> None:
        old = self._entries.pop(origin, None)
        self._text_left += (old[1] if old else 0) - size
        self._entries[origin] = (rules, size, expires)
        while len(self._entries) > 1 and (self._text_left < 0 or len(self._entries) > self._max_origins):
            self._text_left += self._entries.popitem(last=False)[1][1]
