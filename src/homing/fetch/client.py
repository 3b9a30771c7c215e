"""The fetcher of a live crawl: asks a host for a page, politely.

The way of one URL through here:

1. What does robots.txt of its origin say? If we do not know, ask for it and return ``Wait``: the engine
   rests the host and comes back, so that the delay also holds between robots.txt and the page.
2. If it says no, that is a ``Failure`` of kind ``robots``.
3. Ask for the page, conditionally if it has been fetched before.
4. Troubles of the network, 5xx and 429 are failures to be tried again later, with growing rests, until
   the tries are used up. Any other status is a ``Reply``. Redirects are replies, too: the engine settles
   them and offers their target, which is then checked, paced and counted like any other URL.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable

import ada_url
from aiohttp import hdrs
from aiohttp.abc import AbstractResolver
from msgspec.structs import replace

from homing.fetch.budget import BodyBudget
from homing.fetch.decode import GZIP_MAGIC, Caps, gunzip
from homing.fetch.exchange import Exchange
from homing.fetch.guard import Guard
from homing.fetch.permission import Permission, Recall
from homing.fetch.settings import Identity, Limits
from homing.fetch.trouble import Trouble, back_off, retry_after
from homing.fetch.turns import Turns
from homing.model import REDIRECTS, Entry, Failure, Reply, Wait
from homing.ports import Clock
from homing.urls import canonical, host, origin

_MAX_BOUNCES = 3
"""Redirects followed in here: only those to another spelling of the same canonical URL."""

_FINAL_5XX = frozenset({501, 505})
_HOST_SUFFERS = frozenset({"dns", "connect", "timeout", "slow", "robots"})
"""Troubles of the host rather than of one URL: all of it is left alone for a while."""


class HttpFetcher:
    """A ``Fetcher`` over HTTP/1.1, by aiohttp.

    Parameters
    ----------
    clock
        For delays, records and robots.txt's age.
    recall_robots
        What the catalog remembers of an origin's robots.txt. Fresh ones go back to it in ``Wait``.
    allow_networks
        Address ranges that may be asked although they are not public.
    proxy
        A proxy for all connections, such as ``http://localhost:3128``.
    connect_to
        ``HOST:PORT`` to which every connection goes instead: no names are resolved, the Host header is
        kept, https URLs are asked in plain HTTP.
    bytes_per_second
        A cap over all hosts.
    sitemaps
        Whether to hand on the sitemaps that robots.txt names.
    resolver, tls
        Name service and trusted certificates, where they are not to be the machine's own.
    budget
        What large bodies may take together. Who gives it releases the ``seq`` of each entry when done with.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        recall_robots: Recall,
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
        self._sitemaps = sitemaps
        self._turns = Turns(clock)
        identity = identity or Identity()
        self._product = identity.product
        self._exchange = Exchange(
            identity=identity,
            limits=self._limits,
            clock=clock,
            guard=Guard(allow_networks),
            proxy=proxy,
            connect_to=connect_to,
            bytes_per_second=bytes_per_second,
            resolver=resolver,
            tls=tls,
            budget=budget,
        )
        self._permission = Permission(
            exchange=self._exchange,
            turns=self._turns,
            limits=self._limits,
            clock=clock,
            product=self._product,
            recall=recall_robots,
        )

    async def fetch(self, entry: Entry) -> Reply | Failure | Wait:
        rules = await self._permission.known(origin(entry.url))
        if rules is None:
            return await self._ask_robots(entry)
        if not rules.allows(entry.url):
            why = f"robots.txt disallows it for {self._product}"
            return Failure(url=entry.url, kind="robots", detail=why, asked=False)
        reply = await self._ask_page(entry, self._permission.delay(rules))
        if isinstance(reply, Trouble):
            return self._failure(entry, reply)
        return self._weigh(entry, reply)

    async def close(self) -> None:
        await self._exchange.close()

    async def _ask_robots(self, entry: Entry) -> Wait | Failure:
        answer = await self._permission.ask(origin(entry.url))
        if isinstance(answer, Trouble):
            return self._failure(entry, answer)
        record, rules = answer
        return Wait(
            url=entry.url,
            robots=record,
            sitemaps=rules.sitemaps(record.origin) if self._sitemaps else (),
            delay=None if rules.delay is None else min(rules.delay, self._limits.crawl_delay_cap),
        )

    async def _ask_page(self, entry: Entry, delay: float) -> Reply | Trouble:
        etag, modified = entry.validators
        max_bytes = self._limits.max_bytes
        headers: dict[str, str] = {}
        if etag:
            headers[hdrs.IF_NONE_MATCH] = etag
        if modified:
            headers[hdrs.IF_MODIFIED_SINCE] = modified
        async with self._turns.leased(host(entry.url)):
            reply = await self._exchange.ask(entry.url, headers, max_bytes, holder=entry.seq)
        for _ in range(_MAX_BOUNCES):
            spelling = _other_spelling(reply, entry.url)
            if spelling is None:
                break
            async with self._turns.stray(host(entry.url), delay):
                reply = await self._exchange.ask(spelling, headers, max_bytes, holder=entry.seq)
        if isinstance(reply, Reply) and reply.url != entry.url:
            reply = replace(reply, url=entry.url)
        return reply

    def _weigh(self, entry: Entry, reply: Reply) -> Reply | Failure:
        """What the status means: a final reply, or a failure that may pass."""
        status = reply.status
        if reply.truncated == "disconnect" and entry.tries == 0:
            # Some servers announce more than they ever send: the second time we take what there is.
            return self._failure(
                entry, Trouble(kind="protocol", detail="the connection was closed half-way", attempts=2)
            )
        if status == 429 or (status >= 500 and status not in _FINAL_5XX):
            return self._overloaded(entry, reply)
        if reply.truncated == "length":  # as much as we take, or a bomb: not soon again
            reply = replace(reply, rest=back_off(self._limits.retry_base_seconds, 0))
        if entry.kind == "sitemap" and reply.body.startswith(GZIP_MAGIC):
            body, cut = gunzip(reply.body, self._caps)
            reply = replace(reply, body=body, truncated=reply.truncated or cut)
        return reply

    def _overloaded(self, entry: Entry, reply: Reply) -> Reply | Failure:
        wished = None
        if reply.status in (429, 503):
            wished = retry_after(reply.header(hdrs.RETRY_AFTER), self._clock.wall())
        pause = back_off(self._limits.retry_base_seconds, entry.tries)
        rest = pause if reply.status == 429 else None
        if wished is not None:
            rest = min(wished, self._limits.retry_after_cap)
        if entry.tries >= self._limits.retries:
            return replace(reply, rest=rest)
        return Failure(
            url=entry.url,
            kind="http",
            detail=str(reply.status),
            retry_in=pause if rest is None else rest,
            rest=rest,
        )

    def _failure(self, entry: Entry, trouble: Trouble) -> Failure:
        pause = back_off(self._limits.retry_base_seconds, entry.tries)
        rest = trouble.rest
        if rest is None and trouble.kind in _HOST_SUFFERS:
            rest = pause
        again = entry.tries < min(self._limits.retries, trouble.attempts - 1)
        return Failure(
            url=entry.url,
            kind=trouble.kind,
            detail=trouble.detail,
            retry_in=max(pause, rest or 0.0) if again else None,
            rest=rest,
            asked=trouble.asked,
        )

    @property
    def _caps(self) -> Caps:
        limits = self._limits
        return Caps(max_bytes=limits.max_bytes, max_ratio=limits.max_ratio, max_members=limits.max_members)


def _other_spelling(reply: Reply | Trouble, url: str) -> str | None:
    """Where a redirect leads, if that is this URL in another spelling: asking there is no detour.

    Our canonical form leaves out what hardly ever matters; this is the host that says it does.
    """
    if isinstance(reply, Trouble) or reply.status not in REDIRECTS:
        return None
    location = reply.header(hdrs.LOCATION)
    if not location or canonical(location, reply.final_url) != url:
        return None
    spelling = ada_url.join_url(reply.final_url, location).partition("#")[0]
    # A name and password in it would be sent, and the same URL again would bring the same answer.
    return None if "@" in origin(spelling) or spelling == reply.final_url else spelling
