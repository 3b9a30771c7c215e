"""A handful of pages from the web, fetched as politely as a crawl does it.

There is no frontier and no catalog here, so what these do for a crawl is done in small: robots.txt first,
one request a host at a time with its delay in between, redirects followed one by one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from homing.config import Config
from homing.crawler.clock import WallClock
from homing.crawler.outcomes import MAX_HOPS, leads_on
from homing.fetch.wiring import fetcher_of
from homing.model import Entry, Failure, Priority, Reply, Wait
from homing.ports import Clock, Fetcher
from homing.store.folder import Layout
from homing.topic.gathered import example_urls
from homing.topic.sources import Fetched
from homing.urls import canonical, host, key

PATIENCE = 10.0
"""Seconds that a person who waits for an answer will wait for a host to recover; a crawl has hours."""
RETRY_SECONDS = 2.0


async def fetch_examples(config: Config, folder: Path | None = None) -> Fetched:
    """Fetch the pages of the topic, unless ``folder`` holds the crawl and so has them."""
    if folder is not None and Layout(folder).config.is_file():
        return {}
    wanted = example_urls(config.topic)
    return await fetch_pages(wanted, config, rest=folder is not None) if wanted else {}


async def fetch_pages(urls: Iterable[str], config: Config, *, rest: bool = False) -> Fetched:
    """Fetch these pages under the rules of a configuration: a reply with a page in it, or a failure.

    Parameters
    ----------
    rest
        If all went well, come back only when every host has rested: whoever asks next knows nothing of us.
    """
    hasty = {
        "retries": min(config.fetch.retries, 1),
        "retry_base_seconds": min(config.fetch.retry_base_seconds, RETRY_SECONDS),
    }
    clock = WallClock()
    fetcher = fetcher_of(config.merged({"fetch": hasty}), lambda origin: None, clock)
    errands = Errands(fetcher, clock, delay=config.pace.delay, concurrency=config.fetch.concurrency)
    wanted = list(dict.fromkeys(urls))
    try:
        answers = await asyncio.gather(*map(errands.fetch, wanted))
        if rest and not any(isinstance(answer, Failure) for answer in answers):
            await errands.rest()
    finally:
        await fetcher.close()
    return dict(zip(wanted, answers, strict=True))


class Errands:
    """Fetches single pages, each with all the requests it takes.

    Parameters
    ----------
    delay
        Seconds between two requests to one host; its own Crawl-delay counts if it is longer.
    concurrency
        Requests in flight at the same time.
    """

    def __init__(self, fetcher: Fetcher, clock: Clock, *, delay: float, concurrency: int) -> None:
        self._fetcher = fetcher
        self._clock = clock
        self._delay = delay
        self._slots = asyncio.Semaphore(concurrency)
        self._hosts: dict[str, _Host] = {}

    async def fetch(self, url: str) -> Reply | Failure:
        """The page at a URL, wherever that leads; everything else is a failure."""
        start = canonical(url)
        if start is None:
            return Failure(url=url, kind="url", detail="no http(s) URL", asked=False)
        entry = _entry(start)
        while True:
            match await self._ask(entry):
                case Wait():
                    continue
                case Failure(retry_in=float(pause)) if entry.tries == 0 and pause <= PATIENCE:
                    await self._clock.sleep(pause)
                    entry = replace(entry, tries=1)
                case Reply() as reply if leads_on(reply):
                    target = canonical(reply.header("Location"), entry.url)
                    if target is None or entry.hops >= MAX_HOPS:
                        where = "they go round and round" if target else "they lead to no page"
                        return Failure(url=url, kind="redirects", detail=where)
                    entry = _entry(target, entry.hops + 1)
                case Reply() as reply if not reply.has_page:
                    return Failure(url=url, kind="http", detail=f"the host answered {reply.status}")
                case Reply() | Failure() as answer:
                    return answer

    async def rest(self) -> None:
        """Wait until every host that was asked has rested."""
        for place in self._hosts.values():
            await self._until(place.free_at)

    async def _ask(self, entry: Entry) -> Reply | Failure | Wait:
        place = self._hosts.setdefault(host(entry.url), _Host(self._delay))
        async with place.lock:
            if place.free_at - self._clock.now() > max(PATIENCE, place.delay):
                return Failure(
                    url=entry.url, kind="busy", detail="its host wants to be left alone", asked=False
                )
            await self._until(place.free_at)
            async with self._slots:
                answer = await self._fetcher.fetch(entry)
            if isinstance(answer, Wait):
                place.delay = max(place.delay, answer.delay or 0.0)
            if not isinstance(answer, Failure) or answer.asked:
                place.free_at = self._clock.now() + max(place.delay, answer.rest or 0.0)
        return answer

    async def _until(self, moment: float) -> None:
        pause = moment - self._clock.now()
        if pause > 0:
            await self._clock.sleep(pause)


class _Host:
    """Where one host stands: busy while the lock is held, resting until ``free_at``."""

    __slots__ = ("delay", "free_at", "lock")

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.free_at = float("-inf")
        self.lock = asyncio.Lock()


def _entry(url: str, hops: int = 0) -> Entry:
    return Entry(key=key(url), url=url, priority=Priority(), hops=hops)
