"""The crawl: nine steps that one page goes through. Who has read this file knows the crawler.

    1 lease    the best URL among hosts that may be asked now          frontier     (requests.py)
    2 fetch    politely                                                fetcher      (requests.py, async)
    3 parse    text, title, links with what stands around them         desk
    4 judge    how much is it about the topic?                         desk
    5 meet     the visit: entry as it stands now, page, judgement
    6 learn    the only place where the strategy changes               strategy
    7 score    a priority for each link; pure                          strategy
    8 keep     WARC first, then one transaction, in batches            store
    9 tell     counters, log, listeners; now and then a re-rank

Requests are tasks on the event loop. Everything that touches frontier, strategy and store runs in
``_turn``, one after the other: a crawl is a sequence that can be repeated. A page takes a few milliseconds,
so that turns are taken on the event loop too; two threads that share one interpreter cost an eighth more.
What may take longer, a re-rank or a commit, is done aside in a thread while the network goes on and the
sequence waits. A live crawl, the lab and the tests are this engine with other parts (``ports.py``). What
happens when no page comes is told in ``detours.py``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from homing.crawler.checkpoint import COMMIT_EVERY, Books
from homing.crawler.events import Counters, Event, Listener, Noted, Visited
from homing.crawler.limits import Limits
from homing.crawler.outcomes import Detours, is_page, leads_on
from homing.crawler.page_reader import Reading
from homing.crawler.parts import Outcome, Parts
from homing.crawler.requests import MANY_REFUSALS, Requests
from homing.model import Entry, Failure, Reply, Standing, Visit, Wait

TURN_SECONDS = 0.02
"""How long the answers that have arrived may keep the event loop before the network gets its turn."""
REST_FOR_COST = 50
"""A host whose answer kept all others waiting rests that many times as long, so as not to have its way."""
LONGEST_REST = 10.0


class Engine:
    """Runs a crawl from the state its parts are in until a limit is reached or ``stop`` is called."""

    def __init__(
        self, parts: Parts, *, limits: Limits, counters: Counters, listeners: Sequence[Listener] = ()
    ) -> None:
        self.parts = parts
        self.counters = counters
        self.every_second: Callable[[], None] | None = None
        """Called about once a second between two visits, for wishes from outside."""
        self.chores: deque[Iterator[None]] = deque()
        """Long work in portions, one a turn: each is done aside. A stop drops what is not done yet."""
        self.listeners: list[Listener] = [counters, *listeners]
        self.detours = Detours(parts, counters, self.tell)
        self.requests = Requests(parts, limits, counters, give_up=self._give_up, stir=self.stir)
        self._stirred = asyncio.Event()
        self.books = Books(counters, parts.clock.now())
        self._ticked_at = parts.clock.now()
        self._rerank_due = False
        self._half_done = False

    # -- on the event loop

    async def run(self) -> str:
        """Crawl. Returns the reason why it stopped, which is also recorded."""
        loop = asyncio.get_running_loop()
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
            await loop.run_in_executor(self.parts.thread, self._finish)
        return self.counters.stop_reason

    def stop(self, reason: str) -> None:
        """Finish what is in flight, then stop. Called again: do not wait for what is in flight."""
        if self.requests.is_ending:
            self.requests.drop()
        self.counters.stop_reason = self.counters.stop_reason or reason
        self.requests.end()
        self.stir()

    def stir(self) -> None:
        """Take a turn now: what held it up is over."""
        self._stirred.set()

    async def _aside(self, work: Callable[[], None]) -> None:
        """Do what may take long in the thread, while requests go on."""
        await asyncio.get_running_loop().run_in_executor(self.parts.thread, self._wholly, work)

    def _wholly(self, work: Callable[[], None]) -> None:
        """Do it, and know afterwards if an error has broken it off: then nothing may be committed."""
        self._half_done = True
        work()
        self._half_done = False

    # -- one turn

    async def _turn(self, group: asyncio.TaskGroup) -> float:
        """Take in what has arrived, then ask for more. Returns the seconds until the next turn."""
        await self._take_in_arrived()
        if self._rerank_due:
            self._rerank_due = False
            await self._aside(self.rerank)
        now = self.parts.clock.now()
        self.books.count(self.parts, now)
        if self.every_second and now - self._ticked_at >= 1.0:
            self._ticked_at = now
            self._wholly(self.every_second)
        if self._has_chores():
            await self._aside(self._do_a_portion)
        self.requests.send(group, now)
        if not self.counters.stop_reason and not self.chores:
            self.counters.stop_reason = self.requests.limits.reached(self.counters, self.parts.frontier)
        if self.books.is_due(now):
            await self._aside(partial(self.books.commit, self.parts, now))
        more = self.requests.outcomes or self._has_chores() or self.requests.refused == MANY_REFUSALS
        return 0.0 if more else self._until_next_turn(now)

    def _has_chores(self) -> bool:
        return bool(self.chores) and not self.counters.stop_reason

    def _do_a_portion(self) -> None:
        if next(self.chores[0], self) is self:
            self.chores.popleft()

    async def _take_in_arrived(self) -> None:
        """Answers in the order in which they came; after a page that makes a re-rank due, no more."""
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
        """One answer that takes long: requests go on meanwhile, but no other answer is taken in."""
        began = self.parts.clock.now()
        await self._aside(partial(self._take_in, outcome))
        now = self.parts.clock.now()
        host = self.parts.frontier.host_of(outcome.entry.seq)
        rest = min(REST_FOR_COST * (now - began), LONGEST_REST)
        is_sitemap = outcome.entry.kind == "sitemap"  # a host has few of them, and we asked for it
        # Not where the same crawl is to be had again, on a machine of another speed.
        if self.requests.limits.concurrency > 1 and not is_sitemap and now + rest > host.ready_at:
            self.parts.frontier.hosts.rest(host, now, rest)

    def _until_next_turn(self, now: float) -> float:
        """Seconds until time alone makes a turn worth while; an answer that arrives makes it sooner."""
        next_time = self.parts.frontier.next_time() if self.requests.has_room() else None
        return COMMIT_EVERY if next_time is None else min(COMMIT_EVERY, max(0.0, next_time - now))

    def _give_up(self, entry: Entry, refusal: Failure) -> None:
        """What was leased may no longer be asked for."""
        self._wholly(partial(self.detours.give_up, entry, refusal))

    def _take_in(self, outcome: Outcome) -> None:
        """One answer, whatever it is."""
        entry, result, frontier = outcome.entry, outcome.result, self.parts.frontier
        if isinstance(result, Wait):  # before the release: the Crawl-delay it brings holds at once
            self.detours.wait(entry, result)
        if result is None or (isinstance(result, Failure) and not result.asked):
            frontier.free(entry.seq)
        else:
            counted = isinstance(result, Reply) and is_page(entry, result)
            frontier.release(entry.seq, self.parts.clock.now(), rest=result.rest, counted=counted)
        match result:
            case None:
                frontier.put_back(entry.seq)
            case Failure():
                self.detours.miss(entry, result)
            case Reply() if leads_on(result):
                self.detours.redirect(entry, result)
            case Reply() if entry.kind == "sitemap":
                self.detours.sitemap(entry, result, outcome.reading)
            case Reply():
                self._take_page(entry, result, outcome.reading)

    def _take_page(self, entry: Entry, reply: Reply, reading: Reading | None) -> None:
        """Steps 3 to 9."""
        parts = self.parts
        entry = parts.as_met(entry)
        is_error = not reply.has_page and reply.status != 304
        parts.frontier.settle(entry.seq, Standing.FAILED if is_error else Standing.DONE)
        if not reply.has_page:
            self.detours.answer(entry, reply)
            return
        reading = parts.workers.finished(reading, reply, entry.kind)
        if parts.traps:
            parts.traps.meet(entry.url, reading.page.fingerprint)
        page, keys = parts.offers.followable(reading.page, entry)
        judgement, step = reading.judgement, self.counters.pages + 1
        visit = Visit(step=step, entry=entry, page=page, judgement=judgement)
        parts.strategy.learn(visit)
        # Kept before the offers: keeping spends what the URL held, and a page may propose itself.
        parts.store.keep(reply, entry, step=step, page=page, judgement=judgement, standing=Standing.DONE)
        parts.offers.make(parts.strategy.score(visit), visit, keys)
        self.tell(Visited(visit=visit, reply=reply))
        every = parts.strategy.rerank_every
        self._rerank_due = bool(every) and step % every == 0

    def rerank(self) -> None:
        """Let the strategy order the whole frontier anew, if it can."""
        ranking = self.parts.strategy.rerank(self.parts.offers.view)
        if ranking is not None:
            self.parts.frontier.overwrite(ranking)

    def use(self, parts: Parts) -> None:
        """Go on with another strategy (``relearning.py``), or without fear of traps (``refresh.py``)."""
        self.parts = self.requests.parts = parts
        parts.offers.strategy, parts.offers.traps = parts.strategy, parts.traps
        self.detours = Detours(parts, self.counters, self.tell)

    def tell(self, event: Event) -> None:
        for listener in self.listeners:
            listener(event)

    def _finish(self) -> None:
        """The last commit, unless an error has broken something off half-way."""
        if not self._half_done:
            self.counters.stop_reason = self.counters.stop_reason or "broken off"
            self.tell(Noted(name="stopped", detail=self.counters.stop_reason))
            self.books.close(self.parts, self.parts.clock.now())
