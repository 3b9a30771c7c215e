"""Outcomes without a page: redirects, errors, robots.txt, sitemaps, silence.

Each of them settles the URL, queues it again, or postpones it; none may be taken for an irrelevant page.
"""

from __future__ import annotations

from collections.abc import Callable

from homing.crawler.events import Answered, Listener, Missed, Noted, Postponed, Redirected
from homing.crawler.offers import Offers
from homing.crawler.parts import Parts
from homing.crawler.progress import Counters
from homing.frontier.domains import EARNED_BY_ERROR, EARNED_BY_MISSING
from homing.model import Entry, Failure, Judgement, Reading, Reply, Standing, Visit, Wait
from homing.ports import NewVisit
from homing.urls import canonical

NOT_THERE = frozenset({404, 410})
MAX_HOPS = 10
"""Redirects in a row before a URL is abandoned."""
SLOWEST = 60.0
"""Seconds between two requests that a host can bring us to by complaining."""


Settle = Callable[[NewVisit], None]


class Outcomes:
    """What the engine does with an outcome that is not a page.

    Parameters
    ----------
    settle
        The engine's step 5, which finishes a URL with a reply.
    """

    def __init__(
        self, parts: Parts, offers: Offers, counters: Counters, tell: Listener, settle: Settle
    ) -> None:
        self._parts = parts
        self._offers = offers
        self._counters = counters
        self._tell = tell
        self._settle = settle

    def _keep(self, entry: Entry, standing: Standing, reply: Reply, step: int | None = None) -> None:
        """Settle a reply in which no page was read; it has the step of the last page unless it counts."""
        step = self._counters.steps if step is None else step
        self._settle(NewVisit(reply=reply, entry=entry, step=step, standing=standing))

    def error(self, entry: Entry, reply: Reply) -> None:
        """Settle a final response without a page in it: unchanged since last time, or an error status."""
        parts = self._parts
        if reply.status == 304:
            self._keep(entry, Standing.DONE, reply)
            unchanged = Failure(url=entry.url, kind="unchanged")
            self._offers.hand_back(parts.strategy.missed(entry, unchanged))
            self._tell(Noted(name="unchanged", detail=entry.url))
            return
        step = self._counters.steps + 1
        if reply.rest is not None:
            self._slow_down(entry)
        self._keep(entry, Standing.FAILED, reply, step)
        parts.frontier.earn(entry.seq, EARNED_BY_MISSING if reply.status in NOT_THERE else EARNED_BY_ERROR)
        failure = Failure(url=entry.url, kind="http", detail=str(reply.status))
        self._offers.hand_back(parts.strategy.missed(entry, failure))
        self._tell(Answered(entry=entry, reply=reply, step=step))

    def redirect(self, entry: Entry, reply: Reply) -> None:
        """Settle a URL that leads to another, which is offered in its place."""
        target = canonical(reply.header("Location"), entry.url)
        if target is None or entry.hops >= MAX_HOPS:
            where = f"leads to {reply.header('Location')[:200]}"
            detail = where if target is None else f"more than {MAX_HOPS} in a row"
            self.abandon(entry, Failure(url=entry.url, kind="redirects", detail=detail))
            return
        self._keep(entry, Standing.REDIRECTED, reply)
        self._offers.in_place_of(entry, target)
        self._tell(Redirected(entry=entry, status=reply.status, target=target))

    def sitemap(self, entry: Entry, reply: Reply, reading: Reading | None) -> None:
        """Settle a list of URLs: the strategy scores them, but learns nothing from the list."""
        self._keep(entry, Standing.DONE, reply)
        if reply.has_page:
            page = reading.page if reading else self._parts.reader.parse(reply, "sitemap")
            page, keys = self._offers.from_sitemap(page, entry)
            judgement = Judgement(score=0.0, relevant=False, judge="sitemap")
            visit = Visit(step=self._counters.steps, entry=entry, page=page, judgement=judgement)
            self._offers.offer(self._parts.strategy.score(visit), visit, keys)
            self._tell(Noted(name="sitemap", detail=f"{entry.url}: {len(page.links)} links"))

    def wait(self, entry: Entry, wait: Wait) -> None:
        """Queue a URL again because robots.txt was fetched first; keep that, and the sitemaps it names."""
        parts = self._parts
        if wait.robots:
            parts.store.keep_robots(wait.robots)
        if wait.delay is not None:
            self._set_delay(entry, wait.delay)
        parts.frontier.put_back(entry.seq)
        self._offers.sitemaps(wait.sitemaps, entry)

    def miss(self, entry: Entry, failure: Failure) -> None:
        """Postpone a URL that may be tried again, else abandon it."""
        if failure.kind == "http" and failure.rest is not None:
            self._slow_down(entry)
        if failure.retry_in is None:
            self.abandon(entry, failure)
            return
        clock = self._parts.clock
        self._parts.frontier.postpone(entry.seq, clock.now() + failure.retry_in)
        self._parts.store.postpone(entry, failure, clock.wall() + failure.retry_in)
        self._tell(Postponed(entry=entry, failure=failure))

    def abandon(self, entry: Entry, failure: Failure) -> None:
        """Settle a URL without a reply; the strategy may hand its credit back."""
        standing = Standing.FAILED if failure.requested else Standing.REFUSED
        self._parts.frontier.settle(entry.seq, standing)
        self._miss_for_good(entry, standing, failure)

    def withdraw(self, entry: Entry, failure: Failure) -> None:
        """Do the same to a URL that is still queued."""
        self._parts.frontier.withdraw(entry.seq)
        self._miss_for_good(entry, Standing.REFUSED, failure)

    def _miss_for_good(self, entry: Entry, standing: Standing, failure: Failure) -> None:
        self._parts.store.settle(entry, standing, failure)
        self._offers.hand_back(self._parts.strategy.missed(entry, failure))
        self._tell(Missed(entry=entry, failure=failure))

    def _slow_down(self, entry: Entry) -> None:
        """Double the delay of a host that complains of too many requests (429, or Retry-After)."""
        delay = self._parts.frontier.delay_of(entry.seq)
        if 0 < delay < SLOWEST:
            self._set_delay(entry, min(2 * delay, SLOWEST))

    def _set_delay(self, entry: Entry, delay: float) -> None:
        host = self._parts.frontier.host_of(entry.seq)
        host.delay = delay
        self._parts.store.set_delay(host.number, delay)
