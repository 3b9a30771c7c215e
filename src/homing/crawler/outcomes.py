"""Answers that bring no page: redirects, errors, robots.txt, sitemaps, silence.

Each of them settles the URL, puts it back, or puts it off; none may be taken for an irrelevant page.
"""

from __future__ import annotations

from homing.crawler.events import Answered, Counters, Listener, Missed, Noted, Postponed, Redirected
from homing.crawler.page_reader import Reading
from homing.crawler.parts import Parts
from homing.model import Entry, Failure, Reply, Standing, Visit, Wait
from homing.urls import canonical

REDIRECTS = frozenset({301, 302, 303, 307, 308})
NOT_THERE = frozenset({404, 410})
MAX_HOPS = 10
"""Redirects in a row before a URL is given up."""
SLOWEST = 60.0
"""Seconds between two requests that a host can bring us to by complaining."""


def leads_on(reply: Reply) -> bool:
    """Is it a redirect that says where to?"""
    return reply.status in REDIRECTS and bool(reply.header("Location"))


def is_page(entry: Entry, reply: Reply) -> bool:
    """Does it count as a page of its host? Redirects, sitemaps and "not modified" do not."""
    return entry.kind == "page" and reply.status != 304 and not leads_on(reply)


class Detours:
    """What the engine does with an answer that is not a page."""

    def __init__(self, parts: Parts, counters: Counters, tell: Listener) -> None:
        self._parts = parts
        self._counters = counters
        self._tell = tell

    def answer(self, entry: Entry, reply: Reply) -> None:
        """A final response without a page in it: unchanged since last time, or an error status."""
        if reply.status == 304:
            self._parts.keep_unread(reply, entry, self._counters.pages, Standing.DONE)
            unchanged = Failure(url=entry.url, kind="unchanged")
            self._parts.offers.hand_back(self._parts.strategy.missed(entry, unchanged))
            self._tell(Noted(name="unchanged", detail=entry.url))
            return
        step = self._counters.pages + 1
        if reply.rest is not None:
            self._slow_down(entry)
        self._parts.keep_unread(reply, entry, step, Standing.FAILED)
        if self._parts.traps and reply.status in NOT_THERE:
            self._parts.traps.meet(entry.url, None)
        failure = Failure(url=entry.url, kind="http", detail=str(reply.status))
        self._parts.offers.hand_back(self._parts.strategy.missed(entry, failure))
        self._tell(Answered(entry=entry, reply=reply, step=step))

    def redirect(self, entry: Entry, reply: Reply) -> None:
        """The URL is settled, and what it leads to is offered in its place."""
        target = canonical(reply.header("Location"), entry.url)
        if target is None or entry.hops >= MAX_HOPS:
            where = f"leads to {reply.header('Location')[:200]}"
            detail = where if target is None else f"more than {MAX_HOPS} in a row"
            self.give_up(entry, Failure(url=entry.url, kind="redirects", detail=detail))
            return
        entry = self._parts.as_it_stands(entry)
        self._parts.frontier.settle(entry.seq, Standing.REDIRECTED)
        self._parts.keep_unread(reply, entry, self._counters.pages, Standing.REDIRECTED)
        self._parts.offers.in_place_of(entry, target)
        self._tell(Redirected(entry=entry, status=reply.status, target=target))

    def sitemap(self, entry: Entry, reply: Reply, reading: Reading | None) -> None:
        """A list of URLs: the strategy says what they are worth, but it is not told of a visit."""
        self._parts.frontier.settle(entry.seq, Standing.DONE)
        self._parts.keep_unread(reply, entry, self._counters.pages, Standing.DONE)
        if reply.has_page:
            reading = reading or self._parts.workers.desk.read(reply, "sitemap")
            page, keys = self._parts.offers.from_sitemap(reading.page, entry)
            visit = Visit(step=self._counters.pages, entry=entry, page=page, judgement=reading.judgement)
            self._parts.offers.make(self._parts.strategy.score(visit), visit, keys)
            self._tell(Noted(name="sitemap", detail=f"{entry.url}: {len(page.links)} links"))

    def wait(self, entry: Entry, wait: Wait) -> None:
        """robots.txt was read first: note it, and what it names; the page is asked for again."""
        host = self._parts.frontier.host_of(entry.seq)
        if wait.robots:
            self._parts.store.keep_robots(wait.robots)
        if wait.delay is not None:
            host.delay = wait.delay
            self._parts.store.set_delay(host.number, wait.delay)
        self._parts.frontier.put_back(entry.seq)
        self._parts.offers.sitemaps(wait.sitemaps, entry)

    def miss(self, entry: Entry, failure: Failure) -> None:
        """Try again later if that makes sense, else give up."""
        if failure.kind == "http" and failure.rest is not None:
            self._slow_down(entry)
        if failure.retry_in is None:
            self.give_up(entry, failure)
            return
        clock = self._parts.clock
        self._parts.frontier.postpone(entry.seq, clock.now() + failure.retry_in)
        self._parts.store.postpone(entry, failure, clock.wall() + failure.retry_in)
        self._tell(Postponed(entry=entry, failure=failure))

    def _slow_down(self, entry: Entry) -> None:
        """The host said that we ask too much (429, or Retry-After): from now on it is half as much."""
        host = self._parts.frontier.host_of(entry.seq)
        delay = self._parts.frontier.hosts.delay_of(host)
        if 0 < delay < SLOWEST:
            host.delay = min(2 * delay, SLOWEST)
            self._parts.store.set_delay(host.number, host.delay)

    def give_up(self, entry: Entry, failure: Failure) -> None:
        """The URL is settled without a page; the strategy may hand its credit back."""
        entry = self._parts.as_it_stands(entry)
        standing = Standing.FAILED if failure.asked else Standing.REFUSED
        self._parts.frontier.settle(entry.seq, standing)
        self._settle(entry, standing, failure)

    def withdraw(self, entry: Entry, failure: Failure) -> None:
        """The same for a URL that still waits: it leaves the queue."""
        self._parts.frontier.withdraw(entry.seq)
        self._settle(entry, Standing.REFUSED, failure)

    def _settle(self, entry: Entry, standing: Standing, failure: Failure) -> None:
        self._parts.store.settle(entry, standing, failure)
        self._parts.offers.hand_back(self._parts.strategy.missed(entry, failure))
        self._tell(Missed(entry=entry, failure=failure))
