"""Steps 1 and 2 of a page: lease the best URL that may be requested now, and fetch it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from homing.crawler.checkpoint import COMMIT_EVERY
from homing.crawler.clock import sleep_until
from homing.crawler.offers import Offers
from homing.crawler.parts import Parts
from homing.crawler.progress import Counters, Limits
from homing.crawler.reader import BIG_PAGE
from homing.model import Entry, Failure, Lease, Reading, Reply, Wait

MANY_REFUSALS = 200
"""URLs abandoned in one turn at most: a trap that was closed may have thousands queued."""
MANY_LINKS = 1_000
"""A page with more of them is taken in aside: the fifty thousand of a sitemap take a second."""
BYTES_A_LINK = 1_000
"""Memory that a link takes with the words around it: 5,000 of them more than most large bodies."""
STRAGGLES_AFTER = 2.0
"""Seconds after which a request no longer keeps another one from being sent (see ``Limits.room``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a lease; no ``result`` if the crawl was stopped before the request was sent."""

    entry: Entry
    result: Reply | Failure | Wait | None
    reading: Reading | None = None
    """Steps 3 and 4, where a worker process has done them already."""
    is_heavy: bool = False
    """Does it take long to take in?"""


class Requests:
    """The requests in flight, and the outcomes that are queued to be taken in.

    Parameters
    ----------
    abandon
        Called with an entry that was leased but may no longer be requested, and the reason.
    stir
        Called when an outcome has arrived.
    """

    def __init__(
        self,
        parts: Parts,
        offers: Offers,
        limits: Limits,
        counters: Counters,
        *,
        abandon: Callable[[Entry, Failure], None],
        stir: Callable[[], None],
    ) -> None:
        self.limits = limits
        self.paused = False
        self.held_up: Callable[[], bool] | None = None
        """Says whether those who listen cannot keep up."""
        self.outcomes: deque[Outcome] = deque()
        """In the order in which they arrived."""
        self.refused = 0
        """URLs abandoned in this turn, before they were requested."""
        self.is_ending = False
        self._parts = parts
        self._offers = offers
        self._counters = counters
        self._abandon = abandon
        self._stir = stir
        self._ending = asyncio.Event()
        self._since: dict[asyncio.Task[Outcome], float] = {}
        """The tasks, the eldest first, and when each was begun."""

    def has_room(self) -> bool:
        """May one more request be sent?"""
        if self.paused or (self.held_up and self.held_up()):
            return False
        # Those that have been in flight for long: the host is slow, or the page is queued to be read.
        until = self._parts.clock.now() - STRAGGLES_AFTER
        stragglers = 0
        for since in self._since.values():
            if since >= until:
                break
            stragglers += 1
        return self.limits.room(self._counters, self._parts.frontier.leased, stragglers)

    def send(self, group: asyncio.TaskGroup, now: float) -> None:
        """Request the best URLs, as many as there is room for."""
        for lease, entry in self.lease(now):
            task = group.create_task(self._fetch(lease, entry))
            self._since[task] = now
            task.add_done_callback(partial(self._fetched, entry))

    def lease(self, now: float) -> list[tuple[Lease, Entry]]:
        """Step 1, as often as there is room."""
        parts, leases = self._parts, list[tuple[Lease, Entry]]()
        self.refused = 0
        while self.refused < MANY_REFUSALS and self.has_room():
            is_limited = parts.rate.rate is not None
            if is_limited and parts.rate.due() >= now + COMMIT_EVERY:
                break  # the next turn is early enough for what is due after it
            lease = parts.frontier.lease(now)
            if lease is None:
                break
            entry = parts.frontier.urls.current(parts.store.entry(lease.seq))
            refusal = self._offers.refusal(entry)
            if refusal is not None:  # the scope was narrowed since it was found, or it is a trap
                parts.frontier.free(entry.seq)
                self._abandon(entry, refusal)
                self.refused += 1
                continue
            if is_limited:
                lease = replace(lease, not_before=max(lease.not_before, parts.rate.book()))
            leases.append((lease, entry))
        return leases

    async def _fetch(self, lease: Lease, entry: Entry) -> Outcome:
        """Step 2, and steps 3 and 4 where a worker process does them."""
        parts = self._parts
        if lease.not_before > parts.clock.now():
            await sleep_until(parts.clock, lease.not_before, unless=self._ending)
        if self.is_ending:
            return Outcome(entry=entry, result=None)
        result = await parts.fetcher.fetch(entry)
        reading = None
        if isinstance(result, Reply) and result.has_page and parts.reader.wants(result):
            reading = await parts.reader.read(result, entry.kind)
            size = len(result.body) + BYTES_A_LINK * len(reading.page.links)
            parts.budget.grant(entry.seq, size)  # bodies that still grow wait until it is taken in
        is_heavy = (isinstance(result, Reply) and len(result.body) > BIG_PAGE) or (
            reading is not None and len(reading.page.links) > MANY_LINKS
        )
        return Outcome(entry=entry, result=result, reading=reading, is_heavy=is_heavy)

    def _fetched(self, entry: Entry, task: asyncio.Task[Outcome]) -> None:
        """Queue the outcome of a request; one that was dropped, maybe before it began, is queued again."""
        del self._since[task]
        if task.cancelled():
            self.outcomes.append(Outcome(entry=entry, result=None))
        elif task.exception() is None:
            self.outcomes.append(task.result())
        self._stir()

    def end(self) -> None:
        """Send no request that has not been sent."""
        self.is_ending = True
        self._ending.set()

    def drop(self) -> None:
        """Do not wait for those in flight."""
        for task in self._since:
            task.cancel()
