"""Steps 1 and 2 of a page's way: the best URL that may be asked for now, and asking for it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import takewhile

from msgspec.structs import replace

from homing.crawler.checkpoint import COMMIT_EVERY
from homing.crawler.clock import sleep_until
from homing.crawler.events import Counters
from homing.crawler.limits import Limits
from homing.crawler.parts import Outcome, Parts
from homing.frontier import Lease
from homing.model import Entry, Failure, Reply

MANY_REFUSALS = 200
"""So many URLs may be given up in one turn: a trap that was closed may have thousands waiting."""
BYTES_A_LINK = 1_000
"""Of memory that a link takes with the words around it: 5,000 of them more than most large bodies."""
STRAGGLES_AFTER = 2.0
"""Seconds after which a request no longer keeps another one from being sent (see ``Limits.room``)."""


class Requests:
    """The requests in flight, and the outcomes that wait to be taken in.

    Parameters
    ----------
    give_up
        Called with an entry that was leased but may no longer be asked for, and the reason.
    stir
        Called when an outcome has arrived.
    """

    def __init__(
        self,
        parts: Parts,
        limits: Limits,
        counters: Counters,
        *,
        give_up: Callable[[Entry, Failure], None],
        stir: Callable[[], None],
    ) -> None:
        self.parts = parts
        self.limits = limits
        self.paused = False
        self.held_up: Callable[[], bool] = lambda: False
        """Says whether those who listen cannot keep up."""
        self.outcomes: deque[Outcome] = deque()
        """In the order in which they came."""
        self.refused = 0
        """URLs given up at the last look, before they were asked for."""
        self._counters = counters
        self._give_up = give_up
        self._stir = stir
        self._ending = asyncio.Event()
        self._since: dict[asyncio.Task[Outcome], float] = {}
        """The tasks, the eldest first, and when each was begun."""

    def has_room(self) -> bool:
        """May one more request be sent?"""
        if self.paused or self.held_up():
            return False
        # Those that have been asking for long: the host is slow, or their page waits to be read.
        until = self.parts.clock.now() - STRAGGLES_AFTER
        stragglers = sum(1 for _ in takewhile(lambda since: since < until, self._since.values()))
        return self.limits.room(self._counters, self.parts.frontier.leased, stragglers)

    def send(self, group: asyncio.TaskGroup, now: float) -> None:
        """Ask for the best URLs, as many as there is room for."""
        for lease, entry in self.lease(now):
            task = group.create_task(self._ask(lease, entry))
            self._since[task] = now
            task.add_done_callback(partial(self._asked, entry))

    def lease(self, now: float) -> list[tuple[Lease, Entry]]:
        """Step 1, as often as there is room."""
        leases: list[tuple[Lease, Entry]] = []
        self.refused = 0
        # Where pages a second are limited, the next turn is early enough for what is due after it.
        while (
            self.refused < MANY_REFUSALS and self.has_room() and self.parts.bucket.due() < now + COMMIT_EVERY
        ):
            lease = self.parts.frontier.lease(now)
            if lease is None:
                break
            entry = self.parts.frontier.as_it_stands(self.parts.store.entry(lease.seq))
            refusal = self.parts.offers.refusal(entry)
            if refusal is not None:  # the borders were drawn closer since it was found, or it is a trap
                self.parts.frontier.free(entry.seq)
                self._give_up(entry, refusal)
                self.refused += 1
            else:
                moment = max(lease.not_before, self.parts.bucket.book())
                leases.append((replace(lease, not_before=moment), entry))
        return leases

    async def _ask(self, lease: Lease, entry: Entry) -> Outcome:
        """Step 2, and steps 3 and 4 where a worker process does them."""
        await sleep_until(self.parts.clock, lease.not_before, unless=self._ending)
        if self.is_ending:
            return Outcome(entry=entry, result=None)
        result = await self.parts.fetcher.fetch(entry)
        reading = None
        if isinstance(result, Reply) and result.has_page and self.parts.workers.wants(result):
            reading = await self.parts.workers.read(result, entry.kind)
            size = len(result.body) + BYTES_A_LINK * len(reading.page.links)
            self.parts.budget.grant(entry.seq, size)  # those that still grow wait for it to be taken in
        return Outcome(entry=entry, result=result, reading=reading)

    def _asked(self, entry: Entry, task: asyncio.Task[Outcome]) -> None:
        """A request is over, or was dropped, maybe before it began: its URL then waits again."""
        del self._since[task]
        if task.cancelled():
            self.outcomes.append(Outcome(entry=entry, result=None))
        elif task.exception() is None:
            self.outcomes.append(task.result())
        self._stir()

    def end(self) -> None:
        """Send none that has not been sent."""
        self._ending.set()

    @property
    def is_ending(self) -> bool:
        return self._ending.is_set()

    def drop(self) -> None:
        """Do not wait for those in flight."""
        for task in self._since:
            task.cancel()
