"""What an engine is made of, and what passes between its loop and its turns."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field

from msgspec.structs import replace

from homing.crawler.offers import Offers
from homing.crawler.page_reader import BIG_PAGE, Reading, Workers
from homing.crawler.traps.detector import Traps
from homing.crawler.view import LAST_DUE
from homing.fetch.budget import BodyBudget
from homing.fetch.pace import Bucket
from homing.frontier import Frontier
from homing.model import Entry, Failure, Priority, Reply, Standing, Wait
from homing.ports import Clock, Fetcher, Store, Strategy
from homing.scope import Scope

MANY_LINKS = 1_000
"""A page with more of them is taken in aside: the fifty thousand of a sitemap take a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a crawl; ``assembly.py`` puts them together."""

    fetcher: Fetcher
    workers: Workers
    strategy: Strategy
    frontier: Frontier
    store: Store
    scope: Scope
    offers: Offers
    clock: Clock
    bucket: Bucket
    """Pages a second, over all hosts."""
    thread: Executor
    """Where re-ranks and commits are done, so that the network need not wait for them."""
    traps: Traps | None = None
    """``None``: every trap is walked into."""
    budget: BodyBudget = field(default_factory=BodyBudget)
    """What large bodies take together, until they are archived."""

    def as_it_stands(self, entry: Entry) -> Entry:
        """The entry now, not as it was leased: credit may have reached it while it was in flight."""
        return self.frontier.as_it_stands(self.store.entry(entry.seq))

    def as_met(self, entry: Entry) -> Entry:
        """The same for a page that has come. One that was due again has no priority of the strategy's."""
        entry = self.as_it_stands(entry)
        return entry if entry.priority.tier > LAST_DUE else replace(entry, priority=Priority())

    def keep_unread(self, reply: Reply, entry: Entry, step: int, standing: Standing) -> None:
        """Archive a reply that is no page."""
        self.store.keep(reply, entry, step=step, page=None, judgement=None, standing=standing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a lease; no ``result`` if the crawl was stopped before the request was sent."""

    entry: Entry
    result: Reply | Failure | Wait | None
    reading: Reading | None = None
    """Steps 3 and 4, where a worker process has done them already."""

    @property
    def is_heavy(self) -> bool:
        """Does it take long to take in?"""
        if isinstance(self.result, Reply) and len(self.result.body) > BIG_PAGE:
            return True
        return self.reading is not None and len(self.reading.page.links) > MANY_LINKS
