"""From a configuration to a crawl that can run: the only place that wires the parts together."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from importlib.metadata import version
from inspect import signature
from pathlib import Path

from homing.config import Config, differences
from homing.crawler.clock import WallClock
from homing.crawler.crawl import Crawl
from homing.crawler.engine import Engine
from homing.crawler.events import Counters, Log
from homing.crawler.limits import Limits
from homing.crawler.offers import Offers
from homing.crawler.parts import Parts
from homing.crawler.reading import Desk, Workers
from homing.crawler.resume import wake
from homing.errors import FolderError, OtherCrawlError
from homing.fetch.client import HttpFetcher
from homing.fetch.pace import Bucket, Pace, Window
from homing.fetch.settings import Identity
from homing.fetch.settings import Limits as FetchLimits
from homing.frontier import Frontier
from homing.judge import JUDGES, Brief, Judge
from homing.parse import PageParser
from homing.ports import Clock, Fetcher, Store
from homing.registry import make
from homing.scope import Scope
from homing.store import schema
from homing.store.folder import Layout, open_catalog
from homing.store.inbox import Inbox
from homing.store.reader import Reader
from homing.strategies import STRATEGIES, Strategy
from homing.urls import canonical, origin


def open_crawl(config: Config, folder: Path) -> Crawl:
    """A crawl in a folder: a new one, or the one that is there if it has the same settings.

    Nothing is touched before everything that can be refused has been: an unknown name, other settings
    than the folder's crawl has, a folder that is locked, damaged or cannot be written.
    """
    config.check_complete()
    judge, strategy = _judge(config), _strategy(config)
    layout = Layout(folder)
    resumed = _check_settings(config, layout)
    clock = WallClock()
    with ExitStack() as undo:
        store = open_catalog(
            folder,
            strategy=strategy.name,
            judge=judge.name,
            wall=clock.wall,
            keep=config.store.keep,
            warc_bytes=config.store.warc_megabytes * 1_000_000,
            software=f"homing/{version('homing')}",
        )
        undo.callback(store.close)
        layout.config.write_text(config.dump(), encoding="utf-8")
        reader = undo.enter_context(Reader(folder))
        log = Log(layout.log.open("ab", buffering=0), clock.wall)
        undo.callback(log.close)
        fetcher = _fetcher(config, reader, clock)
        parts = _parts(config, judge, strategy, store, fetcher, clock)
        undo.callback(parts.thread.shutdown)
        undo.callback(parts.workers.close)
        counters = Counters()
        wake(parts, counters, _seeds(config), _blocks(store))
        engine = Engine(parts, limits=_limits(config), counters=counters, listeners=[log])
        inbox = Inbox(folder)
        undo.callback(inbox.close)
        return Crawl(
            engine=engine,
            pace=_pace(config),
            inbox=inbox,
            resumed=resumed,
            summary=_summary(judge),
            close=undo.pop_all().close,
        )


def _judge(config: Config) -> Judge:
    topic = config.topic
    brief = Brief(text=topic.text, keywords=topic.keywords, language=topic.language)
    return make(JUDGES.get(config.judge.name), config.judge.parameters, brief)


def _strategy(config: Config) -> Strategy:
    strategy, parameters = STRATEGIES.get(config.strategy.name), config.strategy.parameters
    if "seed" in signature(strategy).parameters:
        parameters.setdefault("seed", config.strategy.random_seed)
    return make(strategy, parameters)


def _summary(judge: Judge) -> str:
    """How the topic was understood, in one line."""
    return f"{judge.name} looks for {', '.join(judge.topic().keywords)}"


def _check_settings(config: Config, layout: Layout) -> bool:
    """Whether the folder holds this crawl already; an error if it holds another, or something else."""
    if os.access(layout.database, os.R_OK):  # where it is not, open_catalog says so
        schema.recognise(layout.database)  # before a lock is laid beside a stranger's file
    if layout.config.is_file():
        others = differences(Config.load(layout.config), config)
        if others:
            raise OtherCrawlError(
                f"{layout.root} holds a crawl with another {'; '.join(others)}: choose another --out"
            )
        return True
    if layout.root.is_dir() and any(layout.root.iterdir()) and not layout.database.exists():
        raise FolderError(f"{layout.root} is not empty and no crawl: choose another --out")
    return False


def _parts(
    config: Config, judge: Judge, strategy: Strategy, store: Store, fetcher: Fetcher, clock: Clock
) -> Parts:
    strategy.begin(judge.topic())
    frontier = Frontier(
        delay=config.pace.delay,
        pages_per_host=config.scope.pages_per_host,
        patient=config.fetch.concurrency == 1,
    )
    scope = Scope(
        within=config.scope.within,
        include=config.scope.include,
        exclude=config.scope.exclude,
        block=config.scope.block,
        max_depth=config.scope.max_depth,
    )
    desk = Desk(
        parser=PageParser(product=_identity(config).product), judge=judge, language=config.scope.language
    )
    return Parts(
        fetcher=fetcher,
        workers=Workers(desk, config.fetch.workers),
        strategy=strategy,
        frontier=frontier,
        store=store,
        scope=scope,
        offers=Offers(frontier, store, scope, strategy, follow_nofollow=config.scope.follow_nofollow),
        clock=clock,
        bucket=Bucket(clock, config.pace.pages_per_second),
        thread=ThreadPoolExecutor(max_workers=1, thread_name_prefix="homing-turn"),
    )


def _identity(config: Config) -> Identity:
    return Identity(
        user_agent=config.fetch.user_agent,
        contact=config.fetch.contact,
        headers=config.fetch.headers,
        trusted=frozenset(map(origin, _seeds(config))),
    )


def _fetcher(config: Config, reader: Reader, clock: Clock) -> HttpFetcher:
    fetch, pace = config.fetch, config.pace
    return HttpFetcher(
        clock=clock,
        recall_robots=reader.recall_robots,
        identity=_identity(config),
        limits=FetchLimits(
            max_bytes=fetch.max_bytes,
            first_byte_seconds=fetch.first_byte_seconds,
            total_seconds=fetch.total_seconds,
            min_bytes_per_second=fetch.min_bytes_per_second,
            retries=fetch.retries,
            retry_base_seconds=fetch.retry_base_seconds,
            crawl_delay_cap=pace.crawl_delay_cap,
            retry_after_cap=pace.retry_after_cap,
            delay=pace.delay,
            concurrency=fetch.concurrency,
        ),
        allow_networks=fetch.allow_network,
        proxy=fetch.proxy,
        connect_to=fetch.connect_to,
        bytes_per_second=pace.bytes_per_second,
        sitemaps=fetch.sitemaps,
    )


def _pace(config: Config) -> Pace:
    windows = [
        Window(
            start=window.start,
            end=window.end,
            delay=window.delay,
            pages_per_second=window.pages_per_second,
        )
        for window in config.pace.windows
    ]
    return Pace(delay=config.pace.delay, pages_per_second=config.pace.pages_per_second, windows=windows)


def _limits(config: Config) -> Limits:
    minutes = config.stop.minutes
    return Limits(
        concurrency=config.fetch.concurrency,
        pages=config.stop.pages,
        relevant=config.stop.relevant,
        seconds=None if minutes is None else minutes * 60,
    )


def _seeds(config: Config) -> list[str]:
    return [url for url in map(canonical, config.seeds.urls) if url]


def _blocks(store: Store) -> list[str]:
    blocks = store.fact("blocks")
    return [str(pattern) for pattern in blocks] if isinstance(blocks, list) else []
