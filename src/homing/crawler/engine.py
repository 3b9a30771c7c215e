"""The crawl: nine steps that one page goes through. Read this file to know the crawler.

    1 lease    the best URL among hosts that may be requested now      frontier   (requests.py)
    2 fetch    politely                                                fetcher    (requests.py, async)
    3 parse    title, text, links with the words around them           reader
    4 judge    how much is the page about the topic?                   reader
    5 keep     WARC first, then the catalog, in batches                store
    6 learn    the only place where the strategy changes               strategy   (homing/steps.py)
    7 score    a priority for each link; pure                          strategy   (homing/steps.py)
    8 merge    the proposals into what the frontier holds              frontier   (offers.py)
    9 tell     counters, log, listeners; now and then a re-rank

Requests are tasks on the event loop. Everything that touches frontier, strategy and store runs in ``_turn``,
one thing after another: a crawl is a sequence that can be repeated. A page takes a few milliseconds, so turns
run on the event loop too; two threads that share one interpreter cost an eighth more. What may take longer,
such as a re-rank or a commit, runs in a thread: requests continue, and the sequence pauses. A live crawl, the
lab and the tests are this engine with other parts (``homing/ports``). Outcomes without a page are handled in
``outcomes.py``.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from homing.crawler.checkpoint import COMMIT_EVERY, Checkpoint
from homing.crawler.events import Event, Listener, Noted, Visited
from homing.crawler.offers import Offers
from homing.crawler.outcomes import Outcomes
from homing.crawler.parts import Parts
from homing.crawler.progress import HOSTS_FULL, Counters, Limits
from homing.crawler.requests import MANY_REFUSALS, Outcome, Requests
from homing.crawler.traps.reopening import requeue
from homing.crawler.view import LAST_DUE
from homing.model import Entry, Failure, Priority, Reading, Reply, Standing, Visit, Wait
from homing.ports import NewVisit
from homing.steps import learn_and_score

TURN_SECONDS = 0.02
"""How long outcomes may keep the event loop before the network gets its turn."""
REST_FOR_COST = 50
"""A host whose page held up all others rests this many times as long, so that it does not set the pace."""
LONGEST_REST = 10.0


class Engine:
    """Runs a crawl from the state its parts are in until a limit is reached or ``stop`` is called."""

    def __init__(
        self, parts: Parts, *, limits: Limits, counters: Counters, listeners: Sequence[Listener] = ()
    ) -> None:
        self.parts = parts
        self.counters = counters
        self.every_second: Callable[[], None] | None = None
        """Called about once a second between two turns."""
        self.chores: deque[Iterator[None]] = deque()
        """Long work in portions, one a turn, each in the thread. A stop drops what is not done yet."""
        self.listeners: list[Listener] = [counters, *listeners]
        self.offers = Offers(parts)
        self.outcomes = Outcomes(parts, self.offers, counters, self.tell, self._settle)
        self._stirred = asyncio.Event()
        self.stir = self._stirred.set
        """Take a turn now: what held it up is over."""
        self.requests = Requests(parts, self.offers, limits, counters, abandon=self._abandon, stir=self.stir)
        self._checkpoint = Checkpoint(parts, counters)
        self._commands: deque[Callable[[], None]] = deque()
        self._began_at = self._ticked_at = -math.inf
        self._rerank_due = False
        self._half_done = False
        self._is_running = False

    # -- a page

    def _take_in(self, outcome: Outcome) -> None:
        """Take in the outcome of a request: every one settles its URL, queues it again, or postpones it."""
        result, frontier, outcomes = outcome.result, self.parts.frontier, self.outcomes
        redirected = isinstance(result, Reply) and result.is_redirect
        # The entry as it is now, not as it was leased: credit may have reached it while it was in flight.
        entry = frontier.urls.current(self.parts.store.entry(outcome.entry.seq))
        if entry.priority.tier <= LAST_DUE and not redirected:  # no strategy gave it this priority
            entry = replace(entry, priority=Priority())
        if isinstance(result, Wait):  # before the release: the Crawl-delay it brings holds at once
            outcomes.wait(entry, result)
        if result is None or (isinstance(result, Failure) and not result.requested):
            frontier.free(entry.seq)
        else:
            now, failed = self.parts.clock.now(), isinstance(result, Failure)
            is_page = isinstance(result, Reply) and result.status != 304 and entry.kind == "page"
            counted = is_page and not redirected
            frontier.release(entry.seq, now, rest=result.rest, counted=counted, failed=failed)
        match result:
            case None:
                frontier.put_back(entry.seq)
            case Failure():
                outcomes.miss(entry, result)
            case Reply() if redirected:
                outcomes.redirect(entry, result)
            case Reply() if entry.kind == "sitemap":
                outcomes.sitemap(entry, result, outcome.reading)
            case Reply(has_page=False):
                outcomes.error(entry, result)
            case Reply():
                self._take_page(entry, result, outcome.reading)

    def _take_page(self, entry: Entry, reply: Reply, reading: Reading | None) -> None:
        """Take steps 3 to 9; a worker process may have done the first two."""
        reader, traps, strategy = self.parts.reader, self.parts.traps, self.parts.strategy
        page = reading.page if reading else reader.parse(reply, "page")
        judgement = reader.judge(page, reading)
        is_new = traps is None or traps.meet(entry.url, page.fingerprint)
        while traps and traps.reopened:
            self.chores.append(requeue(self.parts, self.offers, traps.reopened.pop()))
        page, keys = self.offers.followable(page, entry)
        visit = Visit(step=self.counters.steps + 1, entry=entry, page=page, judgement=judgement)
        # Before the offers: settling spends what the URL held, and a page may propose itself.
        self._settle(
            NewVisit(
                reply=reply,
                entry=entry,
                step=visit.step,
                standing=Standing.DONE,
                page=page,
                judgement=judgement,
            )
        )
        learn_and_score(strategy, visit, partial(self.offers.offer, keys=keys, is_new=is_new))
        self.tell(Visited(visit=visit, reply=reply))
        every = strategy.rerank_every
        self._rerank_due = bool(every) and visit.step % every == 0

    def _settle(self, visit: NewVisit) -> None:
        """Take step 5: finish a URL with a reply. Its priority is spent, and the store keeps the reply."""
        self.parts.frontier.settle(visit.entry.seq, visit.standing)
        self.parts.store.keep(visit)

    def rerank(self) -> None:
        """Let the strategy order the whole frontier again, if it can."""
        ranking = self.parts.strategy.rerank(self.offers.view)
        if ranking is not None:
            self.parts.frontier.overwrite(ranking)

    def tell(self, event: Event) -> None:
        for listener in self.listeners:
            listener(event)

    def _abandon(self, entry: Entry, refusal: Failure) -> None:
        """Settle what was leased and may no longer be requested."""
        self._wholly(partial(self.outcomes.abandon, entry, refusal))

    # -- one turn

    async def _turn(self, group: asyncio.TaskGroup) -> float:
        """Take in what has arrived, then send requests. Return the seconds until the next turn."""
        await self._take_in_arrived()
        if self._rerank_due:
            self._rerank_due = False
            await self._aside(self.rerank)
        now = self.parts.clock.now()
        self.counters.run_seconds = now - self._began_at
        if self.every_second and now - self._ticked_at >= 1.0:
            self._ticked_at = now
            self._wholly(self.every_second)
        while self._commands:
            self._wholly(self._commands.popleft())
        if self.chores and not self.counters.stop_reason:
            await self._aside(self._do_a_portion)
        self.requests.send(group, now)
        if not self.counters.stop_reason and not self.chores:
            reason = self.requests.limits.reached(self.counters, self.parts.frontier, now)
            if reason == HOSTS_FULL and self.parts.frontier.probe():  # some may be held back by mistake
                return 0.0
            self.counters.stop_reason = reason
        if now >= self._checkpoint.due_at:
            await self._aside(partial(self._checkpoint.commit, now))
        has_chores = self.chores and not self.counters.stop_reason
        if self.requests.outcomes or has_chores or self.requests.refused == MANY_REFUSALS:
            return 0.0
        # Until time alone makes a turn worth while; an outcome makes it sooner.
        next_time = self.parts.frontier.next_time() if self.requests.has_room() else None
        return COMMIT_EVERY if next_time is None else min(COMMIT_EVERY, max(0.0, next_time - now))

    async def _take_in_arrived(self) -> None:
        """Take in outcomes in the order they came in; after a page that makes a re-rank due, no more."""
        until = self.parts.clock.now() + TURN_SECONDS
        while self.requests.outcomes and not self._rerank_due:
            outcome = self.requests.outcomes.popleft()
            if outcome.is_heavy:
                await self._take_in_aside(outcome)
            else:
                self._wholly(partial(self._take_in, outcome))
            self.parts.budget.release(outcome.entry.seq)
            if self.parts.clock.now() >= until:
                return

    async def _take_in_aside(self, outcome: Outcome) -> None:
        """Take in one outcome that takes long: requests continue, but no other outcome is taken in."""
        began = self.parts.clock.now()
        await self._aside(partial(self._take_in, outcome))
        now = self.parts.clock.now()
        is_sitemap = outcome.entry.kind == "sitemap"  # a host has few of them, and we requested it
        # Not with one request in flight: that crawl must be the same on a machine of another speed.
        if self.requests.limits.concurrency > 1 and not is_sitemap:
            self.parts.frontier.rest(outcome.entry.seq, now, min(REST_FOR_COST * (now - began), LONGEST_REST))

    def _do_a_portion(self) -> None:
        if next(self.chores[0], self) is self:
            self.chores.popleft()

    async def _aside(self, work: Callable[[], None]) -> None:
        """Do in the thread what may take long; requests continue."""
        await asyncio.get_running_loop().run_in_executor(self.parts.thread, self._wholly, work)

    def _wholly(self, work: Callable[[], None]) -> None:
        """Do it, and note if an error broke it off: then nothing may be committed."""
        self._half_done = True
        work()
        self._half_done = False

    # -- on the event loop

    async def run(self) -> str:
        """Crawl. Return the reason why it stopped, which is also recorded."""
        loop = asyncio.get_running_loop()
        self._began_at, self._is_running = self.parts.clock.now(), True
        try:
            async with asyncio.TaskGroup() as group:
                while True:
                    self._stirred.clear()
                    wake_in = await self._turn(group)
                    if self.counters.stop_reason:
                        self.requests.end()
                        if not self.parts.frontier.leased:
                            break
                    timer = loop.call_later(wake_in, self._stirred.set)
                    await self._stirred.wait()
                    timer.cancel()
        finally:
            self._is_running = False
            await loop.run_in_executor(self.parts.thread, self._finish)
        return self.counters.stop_reason

    def between_turns(self, command: Callable[[], None]) -> None:
        """Carry out a command between two turns; at once while the engine does not run."""
        if self._is_running:
            self._commands.append(command)
            self.stir()
        else:
            command()

    def stop(self, reason: str) -> None:
        """Finish what is in flight, then stop. A second call drops what is in flight."""
        if self.requests.is_ending:
            self.requests.drop()
        self.counters.stop_reason = self.counters.stop_reason or reason
        self.requests.end()
        self.stir()

    def _finish(self) -> None:
        """Commit for the last time, unless an error has broken something off half-way."""
        if not self._half_done:
            now = self.parts.clock.now()
            self.counters.stop_reason = self.counters.stop_reason or "broken off"
            self.tell(Noted(name="stopped", detail=self.counters.stop_reason))
            self.counters.run_seconds = now - self._began_at
            self._checkpoint.close(now)
