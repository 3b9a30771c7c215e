"""Engines part by part, with what a test has of its own: wired here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from homing.crawler.clock import WallClock
from homing.crawler.engine import Engine
from homing.crawler.parts import Parts
from homing.crawler.progress import Counters, Limits
from homing.crawler.reader import Reader
from homing.crawler.resume import resume
from homing.fetch.body import BodyBudget
from homing.fetch.pace import Bucket
from homing.frontier.frontier import Frontier
from homing.judge.keywords import Keywords
from homing.parse import PageParser
from homing.ports import Clock, Fetcher, Judge, Parser, Store, Strategy
from homing.scope import Scope


def engine_of(
    strategy: Strategy,
    store: Store,
    fetcher: Callable[[Clock], Fetcher] | Fetcher,
    seeds: Sequence[str],
    *,
    judge: Judge | None = None,
    clock: Clock | None = None,
    frontier: Frontier | None = None,
    limits: Limits | None = None,
    parser: Parser | None = None,
    workers: int = 0,
) -> Engine:
    """Build an engine that is ready to run; the strategy is told the topic."""
    clock, judge = clock or WallClock(), judge or Keywords("moths")
    strategy.begin(judge.topic())
    parts = Parts(
        fetcher=fetcher(clock) if callable(fetcher) else fetcher,
        reader=Reader(parser or PageParser(), judge, workers=workers),
        strategy=strategy,
        frontier=frontier or Frontier(delay=0.0),
        store=store,
        scope=Scope(),
        clock=clock,
        rate=Bucket(clock, None),
        budget=BodyBudget(),
        thread=ThreadPoolExecutor(max_workers=1),
    )
    engine = Engine(parts, limits=limits or Limits(), counters=Counters())
    resume(engine, seeds)
    return engine


async def put_away(engine: Engine) -> None:
    """Close what an engine has open, its store apart."""
    await engine.parts.fetcher.close()
    engine.parts.reader.close()
    engine.parts.thread.shutdown()
