"""Who has told us what in robots.txt, and how a host is asked for it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from msgspec.structs import replace

from homing.fetch import robots
from homing.fetch.exchange import Exchange
from homing.fetch.robots import Rules
from homing.fetch.settings import Limits
from homing.fetch.trouble import Trouble, retry_after
from homing.fetch.turns import Turns
from homing.model import REDIRECTS, Reply, RobotsRecord
from homing.ports import Clock
from homing.urls import canonical, host
from homing.urls import origin as origin_of

MAX_HOPS = 5

_MAX_ORIGINS = 5_000
_MAX_TEXT = 8 * 1024 * 1024
"""Letters of robots.txt whose rules are kept in memory, where they take 4 to 20 times the room."""
_LONG_TEXT = 32 * 1024
"""Parsed in a thread: half a megabyte of rules takes a second, and the loop must not stand still."""

Recall = Callable[[str], RobotsRecord | None]
"""Looks up what the catalog remembers of an origin's robots.txt."""


class Permission:
    """The robots.txt of every origin: remembered, looked up in the catalog, or asked for."""

    def __init__(
        self, *, exchange: Exchange, turns: Turns, limits: Limits, clock: Clock, product: str, recall: Recall
    ) -> None:
        self._exchange = exchange
        self._turns = turns
        self._limits = limits
        self._clock = clock
        self._product = product
        self._recall = recall
        self._shelf = _Shelf(max_origins=_MAX_ORIGINS, max_text=_MAX_TEXT)

    async def known(self, origin: str) -> Rules | None:
        """The rules of an origin, if they need not be asked for."""
        if rules := self._shelf.get(origin, self._moment):
            return rules
        record = self._recall(origin)
        if record is None or not robots.is_fresh(record, self._clock.wall()):
            return None
        return await self._keep(record)

    def delay(self, rules: Rules | None) -> float:
        """Seconds between two requests to a host with these rules: the longer of our delay and its own."""
        own = rules.delay if rules else None
        return max(self._limits.delay, min(own or 0.0, self._limits.crawl_delay_cap))

    async def ask(self, origin: str) -> tuple[RobotsRecord, Rules] | Trouble:
        """Ask an origin for its robots.txt. Trouble means that nothing may be asked of it for now."""
        asked_at = self._clock.wall()
        async with self._turns.leased(host(origin)):
            reply = await self._get(f"{origin}/robots.txt")
        for _ in range(MAX_HOPS):
            target = _target(reply)
            if target is None:
                break
            rules = await self.known(origin_of(target))
            async with self._turns.stray(host(target), self.delay(rules)):
                reply = await self._get(target)
            if isinstance(reply, Trouble):
                # This hop may have been refused, but the host itself has been asked and needs its rest.
                return replace(reply, asked=True)
        if isinstance(reply, Trouble):
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

    async def _get(self, url: str) -> Reply | Trouble:
        reply = await self._exchange.ask(url, {}, robots.MAX_BYTES + 1)
        if isinstance(reply, Trouble):
            return replace(reply, detail=f"robots.txt: {reply.detail}")
        if reply.truncated == "disconnect":
            # Rules may be missing from it.
            return Trouble(kind="protocol", detail="robots.txt: the connection was closed half-way")
        return reply

    async def _keep(self, record: RobotsRecord) -> Rules:
        if len(record.text) < _LONG_TEXT:
            rules = robots.rules_of(record, self._product)
        else:
            rules = await asyncio.to_thread(robots.rules_of, record, self._product)
        now, wall = self._moment
        left = robots.MAX_AGE - max(0.0, wall - record.fetched_at)
        self._shelf.put(record.origin, rules, len(record.text), (now + left, wall + left))
        return rules

    @property
    def _moment(self) -> _Moment:
        return self._clock.now(), self._clock.wall()

    def _unreachable(self, reply: Reply) -> Trouble:
        wished = retry_after(reply.header("Retry-After"), self._clock.wall())
        rest = None if wished is None else min(wished, self._limits.retry_after_cap)
        return Trouble(kind="robots", detail=f"robots.txt answered {reply.status}", rest=rest)


def _target(reply: Reply | Trouble) -> str | None:
    """Where a redirect leads, if it leads anywhere we can ask."""
    if isinstance(reply, Trouble) or reply.status not in REDIRECTS:
        return None
    location = reply.header("Location")
    return canonical(location, reply.url) if location else None


_Moment = tuple[float, float]
"""By both clocks: the wall clock may be set back a day, the other stands still while the machine sleeps."""


class _Shelf:
    """Parsed rules of the origins asked last, bounded in number and in the size of their texts."""

    def __init__(self, *, max_origins: int, max_text: int) -> None:
        self._max_origins = max_origins
        self._text_left = max_text
        self._books: OrderedDict[str, tuple[Rules, int, _Moment]] = OrderedDict()

    def get(self, origin: str, moment: _Moment) -> Rules | None:
        book = self._books.get(origin)
        if book is None:
            return None
        rules, size, expires = book
        if moment[0] >= expires[0] or moment[1] >= expires[1]:
            del self._books[origin]
            self._text_left += size
            return None
        self._books.move_to_end(origin)
        return rules

    def put(self, origin: str, rules: Rules, size: int, expires: _Moment) -> None:
        old = self._books.pop(origin, None)
        self._text_left += (old[1] if old else 0) - size
        self._books[origin] = (rules, size, expires)
        while len(self._books) > 1 and (self._text_left < 0 or len(self._books) > self._max_origins):
            self._text_left += self._books.popitem(last=False)[1][1]
