"""The parts of an engine put together: the only place that wires them."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor

from homing.config import Config
from homing.crawler.parts import Parts
from homing.crawler.reader import Reader
from homing.crawler.traps.detector import Traps
from homing.fetch.body import BodyBudget
from homing.fetch.pace import Bucket
from homing.fetch.wiring import identity_of
from homing.frontier.frontier import Frontier
from homing.parse import PageParser
from homing.ports import Clock, Fetcher, Judge, Parser, Store, Strategy
from homing.ports import Reader as AnyReader
from homing.scope import Scope
from homing.urls import site


def parts_of(
    config: Config,
    *,
    strategy: Strategy,
    reader: AnyReader,
    store: Store,
    fetcher: Fetcher,
    clock: Clock,
    scope: Scope | None = None,
    thread: Executor | None = None,
    budget: BodyBudget | None = None,
) -> Parts:
    """Build all parts of an engine; the strategy has been told the topic.

    The lab has its own of those that are given by default.
    """
    return Parts(
        fetcher=fetcher,
        reader=reader,
        strategy=strategy,
        frontier=Frontier(
            delay=config.pace.delay,
            pages_per_host=config.scope.pages_per_host,
            pages_per_domain=config.scope.pages_per_domain,
            patient=config.fetch.concurrency == 1,
            trusted=frozenset(map(site, config.scope.trust)) if config.scope.avoid_traps else None,
        ),
        store=store,
        scope=scope or scope_of(config),
        clock=clock,
        rate=Bucket(clock, config.pace.pages_per_second),
        budget=budget or BodyBudget(),
        thread=thread or ThreadPoolExecutor(max_workers=1, thread_name_prefix="homing-aside"),
        traps=Traps() if config.scope.avoid_traps else None,
        follow_nofollow=config.scope.follow_nofollow,
    )


def reader_of(config: Config, judge: Judge, parser: Parser | None = None) -> Reader:
    """Build what reads pages."""
    return Reader(
        parser or PageParser(product=identity_of(config).product),
        judge,
        language=config.scope.language,
        workers=config.fetch.workers,
    )


def scope_of(config: Config) -> Scope:
    """Return the borders that a configuration draws."""
    return Scope(
        within=config.scope.within,
        include=config.scope.include,
        exclude=config.scope.exclude,
        block=config.scope.block,
        max_depth=config.scope.max_depth,
    )
