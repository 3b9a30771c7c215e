"""What an engine is made of, and what passes between its loop and its turns."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

from homing.crawler.offers import Offers
from homing.crawler.reading import Reading, Workers
from homing.fetch.pace import Bucket
from homing.frontier import Frontier
from homing.model import Entry, Failure, Reply, Standing, Wait
from homing.ports import Clock, Fetcher, Store, Strategy
from homing.scope import Scope


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

    def as_it_stands(self, entry: Entry) -> Entry:
        """The entry now, not as it was leased: credit may have reached it while it was in flight."""
        return self.frontier.as_it_stands(self.store.entry(entry.seq))

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
