"""The fetcher of a live crawl.

The way of one URL through ``HttpFetcher.fetch``:

1. Load the rules of its origin's robots.txt. If they are not cached, fetch robots.txt and return ``Wait``:
   the engine rests the host and calls again, so that the delay also holds between robots.txt and the page.
2. If they disallow the URL, return a ``Failure`` of kind ``robots``.
3. Request the page, conditionally if it has been fetched before.
4. Network failures, 5xx and 429 are failures to be retried later, with growing rests, until the retries are
   used up. Any other status is a ``Reply``. Redirects are replies, too: the engine settles them and offers
   their target, which is then checked, paced and counted like any other URL.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable

from aiohttp import hdrs
from aiohttp.abc import AbstractResolver
from msgspec.structs import replace

from homing.fetch.address_guard import AddressGuard
from homing.fetch.body import BodyBudget, gunzip
from homing.fetch.decode import GZIP_MAGIC
from homing.fetch.exchange import Exchange
from homing.fetch.host_locks import HostLocks
from homing.fetch.redirects import MAX_RESPELLINGS, respelled
from homing.fetch.request_failure import RequestFailure
from homing.fetch.retry import back_off, requested_rest
from homing.fetch.robots import LoadRobots, RobotsCache, Rules
from homing.fetch.settings import Identity, Limits
from homing.header_values import returnable
from homing.model import Entry, Failure, Reply, Wait
from homing.ports import Clock
from homing.urls import host, origin

_FINAL_5XX = frozenset({501, 505})
"""Server errors that no retry mends."""
_HOST_FAILURES = frozenset({"dns", "connect", "timeout", "slow", "robots"})
"""Failures of the host rather than of one URL: the whole host rests."""


class HttpFetcher:
    """A ``Fetcher`` over HTTP/1.1, by aiohttp.

    Parameters
    ----------
    clock
        For delays, time stamps and the age of robots.txt.
    load_robots
        Looks up the stored robots.txt of an origin. A fresh one is returned in ``Wait``, to be stored.
    identity
        User-Agent, contact and further headers.
    limits
        Sizes and times of one reply, retries, caps.
    allow_networks
        Address ranges that may be connected to although they are not public.
    proxy
        A proxy for all connections, such as ``http://localhost:3128``.
    connect_to
        ``HOST:PORT`` to which every connection goes instead: no names are resolved, the Host header is
        kept, https URLs are requested in plain HTTP.
    bytes_per_second
        A cap over all hosts.
    sitemaps
        Whether to return the sitemaps that robots.txt names.
    resolver, tls
        Name service and trusted certificates. Default: the machine's own.
    budget
        Memory for all large bodies. The caller releases the ``seq`` of each entry when done with its body.

    Examples
    --------
    A page takes two calls: the first fetches robots.txt.

    >>> import asyncio
    >>> from homing.crawler.clock import WallClock
    >>> from homing.model import Priority
    >>> from homing.urls import key
    >>> async def fetch(url):
    ...     fetcher = HttpFetcher(clock=WallClock(), load_robots=lambda origin: None)
    ...     entry = Entry(key=key(url), url=url, priority=Priority())
    ...     answer = await fetcher.fetch(entry)
    ...     await fetcher.close()
    ...     return answer
    >>> asyncio.run(fetch("http://127.0.0.1/")).detail  # allow_networks=["127.0.0.0/8"] would permit it
    'robots.txt: 127.0.0.1 is a loopback address'
    """

    def __init__(
        self,
        *,
        clock: Clock,
        load_robots: LoadRobots,
        identity: Identity | None = None,
        limits: Limits | None = None,
        allow_networks: Iterable[str] = (),
        proxy: str = "",
        connect_to: str = "",
        bytes_per_second: float | None = None,
        sitemaps: bool = True,
        resolver: AbstractResolver | None = None,
        tls: ssl.SSLContext | None = None,
        budget: BodyBudget | None = None,
    ) -> None:
        self._clock = clock
        self._limits = limits or Limits()
        self._caps = self._limits.body_caps
        self._sitemaps = sitemaps
        self._locks = HostLocks(clock)
        identity = identity or Identity()
        self._product = identity.product
        self._exchange = Exchange(
            identity=identity,
            limits=self._limits,
            clock=clock,
            guard=AddressGuard(allow_networks),
            proxy=proxy,
            connect_to=connect_to,
            bytes_per_second=bytes_per_second,
            resolver=resolver,
            tls=tls,
            budget=budget,
        )
        self._robots = RobotsCache(
            exchange=self._exchange,
            locks=self._locks,
            limits=self._limits,
            clock=clock,
            product=self._product,
            load=load_robots,
        )

    async def fetch(self, entry: Entry) -> Reply | Failure | Wait:
        rules = await self._robots.load(origin(entry.url))
        if rules is None:
            return await self._fetch_robots(entry)
        if not rules.allows(entry.url):
            why = f"robots.txt disallows it for {self._product}"
            return Failure(url=entry.url, kind="robots", detail=why, requested=False)
        reply = await self._fetch_page(entry, rules)
        if isinstance(reply, RequestFailure):
            return self._failure(entry, reply)
        return self._check_status(entry, reply)

    async def close(self) -> None:
        await self._exchange.close()

    async def _fetch_robots(self, entry: Entry) -> Wait | Failure:
        answer = await self._robots.fetch(origin(entry.url))
        if isinstance(answer, RequestFailure):
            return self._failure(entry, answer)
        record, rules = answer
        return Wait(
            url=entry.url,
            robots=record,
            sitemaps=rules.sitemaps(record.origin) if self._sitemaps else (),
            delay=self._robots.crawl_delay(rules),
        )

    async def _fetch_page(self, entry: Entry, rules: Rules) -> Reply | RequestFailure:
        etag, modified = map(returnable, entry.validators)
        headers: dict[str, str] = {}
        if etag:
            headers[hdrs.IF_NONE_MATCH] = etag
        if modified:
            headers[hdrs.IF_MODIFIED_SINCE] = modified
        async with self._locks.hold(host(entry.url)):
            reply = await self._exchange.get(entry.url, headers, self._caps, holder=entry.seq)
        if isinstance(reply, Reply) and reply.is_redirect:
            reply = await self._follow_respellings(entry, reply, headers, self._robots.delay(rules))
        return reply

    async def _follow_respellings(
        self, entry: Entry, reply: Reply | RequestFailure, headers: dict[str, str], delay: float
    ) -> Reply | RequestFailure:
        """Follow redirects to other spellings of the same URL; return the last reply as that of the URL."""
        for _ in range(MAX_RESPELLINGS):
            spelling = respelled(reply, entry.url)
            if spelling is None:
                break
            async with self._locks.hold(host(entry.url), unleased_delay=delay):
                reply = await self._exchange.get(spelling, headers, self._caps, holder=entry.seq)
        return reply if isinstance(reply, RequestFailure) else replace(reply, url=entry.url)

    def _check_status(self, entry: Entry, reply: Reply) -> Reply | Failure:
        """Return the reply if its status is final, else a failure to be retried."""
        status = reply.status
        if reply.truncated == "disconnect" and entry.tries == 0:
            # Some servers announce more than they ever send: the second time we accept the part.
            return self._failure(
                entry,
                RequestFailure(kind="protocol", detail="the connection was closed half-way", attempts=2),
            )
        if status == 429 or (status >= 500 and status not in _FINAL_5XX):
            return self._overloaded(entry, reply)
        if reply.truncated == "length":  # a very large body, or a bomb: the host rests
            reply = replace(reply, rest=back_off(self._limits.retry_base_seconds, 0))
        if entry.kind == "sitemap" and reply.body.startswith(GZIP_MAGIC):
            body, cut = gunzip(reply.body, self._caps)
            reply = replace(reply, body=body, truncated=reply.truncated or cut)
        return reply

    def _overloaded(self, entry: Entry, reply: Reply) -> Reply | Failure:
        pause = back_off(self._limits.retry_base_seconds, entry.tries)
        rest = pause if reply.status == 429 else None
        if reply.status in (429, 503):
            requested = requested_rest(reply, self._limits, self._clock.wall())
            rest = rest if requested is None else requested
        if entry.tries >= self._limits.retries:
            return replace(reply, rest=rest)
        return Failure(
            url=entry.url,
            kind="http",
            detail=str(reply.status),
            retry_in=pause if rest is None else rest,
            rest=rest,
        )

    def _failure(self, entry: Entry, why: RequestFailure) -> Failure:
        pause = back_off(self._limits.retry_base_seconds, entry.tries)
        rest = why.rest
        if rest is None and why.kind in _HOST_FAILURES:
            rest = pause
        again = entry.tries < min(self._limits.retries, why.attempts - 1)
        return Failure(
            url=entry.url,
            kind=why.kind,
            detail=why.detail,
            retry_in=max(pause, rest or 0.0) if again else None,
            rest=rest,
            requested=why.requested,
        )
