"""Example pages, fetched by the engine itself: as politely as any page, and soon over.

Nothing is kept and no link is followed. The engine runs on a memory store with the URLs as seeds, and the
events of these URLs are the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from homing.config import Config
from homing.crawler.assembly import parts_of
from homing.crawler.clock import WallClock
from homing.crawler.engine import Engine
from homing.crawler.events import Answered, Event, Missed, Postponed, Redirected, Visited
from homing.crawler.progress import Counters, Limits
from homing.fetch.wiring import fetcher_of
from homing.model import Failure, Judgement, Kind, Page, Reading, Reply
from homing.ports import Frontier, Judge
from homing.scope import Scope
from homing.store.folder import Layout
from homing.store.memory import MemoryStore
from homing.strategies.breadth_first import BreadthFirst
from homing.topic.gathered import example_urls
from homing.topic.sources import Fetched
from homing.urls import canonical

PATIENCE = 10.0
"""Seconds that a user at the terminal waits for a host to recover; a crawl has hours."""
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
        If nothing failed, return only when every host has rested: the crawl that follows does not know when
        it was last requested.
    """
    places = {url: canonical(url) for url in urls}
    answers = Answers()
    await _crawl([place for place in places.values() if place], _hasty(config), answers, rest=rest)
    return {url: answers.of(url, place) for url, place in places.items()}


def _hasty(config: Config) -> Config:
    return config.merged(
        {
            "fetch": {
                "retries": min(config.fetch.retries, 1),
                "retry_base_seconds": min(config.fetch.retry_base_seconds, RETRY_SECONDS),
            },
            "scope": {"avoid_traps": False},
        }
    )


async def _crawl(seeds: list[str], config: Config, answers: Answers, *, rest: bool) -> None:
    clock = WallClock()
    parts = parts_of(
        config,
        strategy=BreadthFirst(),
        reader=Unread(),
        store=MemoryStore(bodies=False),
        fetcher=fetcher_of(config, lambda origin: None, clock),
        clock=clock,
        scope=Scope(),
    )
    parts.follow_links = False
    parts.frontier.hosts.lift_quotas()
    limits = Hasty(concurrency=config.fetch.concurrency)
    engine = Engine(parts, limits=limits, counters=Counters(), listeners=[answers])
    engine.offers.seeds(seeds)
    try:
        await engine.run()
        if rest and not answers.has_failures:
            rested_at = max((host.ready_at for host in parts.frontier.hosts), default=0.0)
            await clock.sleep(max(0.0, rested_at - clock.now()))
    finally:
        await parts.fetcher.close()
        parts.thread.shutdown()


class Answers:
    """Listens to the engine: where each URL led, and what was there."""

    def __init__(self) -> None:
        self._found: dict[str, Reply | Failure] = {}
        self._targets: dict[str, str] = {}

    def __call__(self, event: Event) -> None:
        match event:
            case Visited(visit=visit, reply=reply):
                self._found[visit.entry.url] = reply
            case Redirected(entry=entry, target=target):
                self._targets[entry.url] = target
            case Answered(entry=entry, reply=reply):
                detail = f"the host answered {reply.status}"
                self._found[entry.url] = Failure(url=entry.url, kind="http", detail=detail)
            case Missed(entry=entry, failure=failure) | Postponed(entry=entry, failure=failure):
                self._found[entry.url] = failure

    @property
    def has_failures(self) -> bool:
        return any(isinstance(answer, Failure) for answer in self._found.values())

    def of(self, url: str, place: str | None) -> Reply | Failure:
        """Return what there was at a URL, wherever that led."""
        if place is None:
            return Failure(url=url, kind="url", detail="no http(s) URL", requested=False)
        passed = set()
        while place in self._targets:
            if place in passed:
                return Failure(url=url, kind="redirects", detail="they go round and round")
            passed.add(place)
            place = self._targets[place]
        busy = Failure(url=url, kind="busy", detail="its host wants to be left alone", requested=False)
        return self._found.get(place, busy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hasty(Limits):
    """Over as soon as only hosts are left that request more than a user's patience."""

    def reached(self, counters: Counters, frontier: Frontier, now: float) -> str:
        # A long Crawl-delay is no refusal: it is waited for.
        delays = (frontier.hosts.delay_of(host.number) for host in frontier.hosts if host.queued)
        until = now + max([PATIENCE, *delays])
        if frontier.leased or (frontier.queued and not frontier.is_stuck(before=until)):
            return ""
        return "fetched"


class Unread:
    """``ports.Reader`` that leaves replies unread: the topic reads them."""

    def parse(self, reply: Reply, kind: Kind) -> Page:
        return Page(url=reply.final_url)

    def judge(self, page: Page, reading: Reading | None = None) -> Judgement:
        return Judgement(score=0.0, relevant=False, judge="unread")

    def use(self, judge: Judge) -> None:
        """Nothing is judged."""

    def wants(self, reply: Reply) -> bool:
        return False

    async def read(self, reply: Reply, kind: Kind) -> Reading:
        return Reading(page=self.parse(reply, kind), judgement=None)

    def close(self) -> None:
        """Nothing is open."""
