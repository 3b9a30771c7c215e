"""The parts of an engine put together: the only place that wires them."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor

from homing.config import Config
from homing.crawler.offers import Offers
from homing.crawler.page_reader import Desk, Workers
from homing.crawler.parts import Parts
from homing.crawler.traps.detector import Traps
from homing.fetch.budget import BodyBudget
from homing.fetch.pace import Bucket
from homing.fetch.wiring import identity_of
from homing.frontier import Frontier
from homing.parse import PageParser
from homing.ports import Clock, Fetcher, Judge, Parser, Store, Strategy
from homing.scope import Scope


def parts_of(
    config: Config,
    *,
    judge: Judge,
    strategy: Strategy,
    store: Store,
    fetcher: Fetcher,
    clock: Clock,
    parser: Parser | None = None,
    scope: Scope | None = None,
    thread: Executor | None = None,
    budget: BodyBudget | None = None,
) -> Parts:
    """All parts of an engine; the strategy has been told the topic.

    The lab has its own of those that are given by default.
    """
    frontier = Frontier(
        delay=config.pace.delay,
        pages_per_host=config.scope.pages_per_host,
        pages_per_domain=config.scope.pages_per_domain,
        patient=config.fetch.concurrency == 1,
    )
    scope = scope or scope_of(config)
    traps = Traps() if config.scope.avoid_traps else None
    nofollow = config.scope.follow_nofollow
    desk = Desk(
        parser=parser or PageParser(product=identity_of(config).product),
        judge=judge,
        language=config.scope.language,
    )
    return Parts(
        fetcher=fetcher,
        workers=Workers(desk, config.fetch.workers),
        strategy=strategy,
        frontier=frontier,
        store=store,
        scope=scope,
        traps=traps,
        offers=Offers(frontier, store, scope, strategy, traps=traps, follow_nofollow=nofollow),
        clock=clock,
        bucket=Bucket(clock, config.pace.pages_per_second),
        thread=thread or ThreadPoolExecutor(max_workers=1, thread_name_prefix="homing-aside"),
        budget=budget or BodyBudget(),
    )


def scope_of(config: Config) -> Scope:
    """The borders that a configuration draws."""
    return Scope(
        within=config.scope.within,
        include=config.scope.include,
        exclude=config.scope.exclude,
        block=config.scope.block,
        max_depth=config.scope.max_depth,
    )
