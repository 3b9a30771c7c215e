"""One crawl of a recorded web, by the live engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from homing.config import Config
from homing.crawler.assembly import parts_of, reader_of
from homing.crawler.engine import Engine
from homing.crawler.progress import Counters, Limits
from homing.crawler.resume import resume
from homing.lab.replay import AtOnce, Outside, RecordedScope, ReplayFetcher, ReplayParser, StandingClock
from homing.lab.stopwatch import Stopwatch
from homing.lab.web.recorded import RecordedWeb
from homing.model import Standing
from homing.ports import Judge, Strategy
from homing.store.memory import MemoryStore


class Trace(Struct, frozen=True, kw_only=True):
    """What a crawl fetched, and what it cost."""

    urls: tuple[str, ...]
    """All requested pages, found or not, in order; a page as often as it was fetched."""
    cpu_seconds: float
    """CPU seconds of the strategy alone, without fits."""
    fit_seconds: float
    fits: int
    seconds: float
    """CPU seconds of everything, judge and engine included."""
    bytes_a_url: float
    """Bytes that the strategy keeps (memos and state) per queued URL."""


def crawl(
    web: RecordedWeb,
    strategy: Strategy,
    judge: Judge,
    seeds: Sequence[str],
    *,
    pages: int,
    outside: Outside = "ignore",
) -> Trace:
    """Crawl a recorded web with one page in flight: the same crawl each time."""
    began = time.process_time()
    strategy.begin(judge.topic())
    timed, store = Stopwatch(strategy), MemoryStore(bodies=False)
    asyncio.run(_run(web, timed, judge, store, seeds, pages, outside))
    seconds = time.process_time() - began
    return Trace(
        urls=tuple(kept.entry.url for kept in store.visits if kept.kind in ("page", "unchanged")),
        cpu_seconds=timed.seconds,
        fit_seconds=timed.fit_seconds,
        fits=timed.fits,
        seconds=seconds,
        bytes_a_url=_kept(strategy, store),
    )


def _kept(strategy: Strategy, store: MemoryStore) -> float:
    queued = [seq for seq, standing in enumerate(store.known().standings) if standing == Standing.WAITING]
    memos = sum(len(store.entry(seq).memo) for seq in queued)
    return (memos + len(msgspec.json.encode(strategy.state()))) / max(len(queued), 1)


async def _run(
    web: RecordedWeb,
    strategy: Stopwatch,
    judge: Judge,
    store: MemoryStore,
    seeds: Sequence[str],
    pages: int,
    outside: Outside,
) -> None:
    # A recorded web is finite, and strategies are compared without help: traps are left to them.
    config = Config.of({"fetch": {"concurrency": 1}, "pace": {"delay": 0.0}, "scope": {"avoid_traps": False}})
    parts = parts_of(
        config,
        strategy=strategy,
        reader=reader_of(config, judge, ReplayParser(web)),
        store=store,
        fetcher=ReplayFetcher(web),
        clock=StandingClock(),
        scope=RecordedScope(web) if outside == "ignore" else None,
        thread=AtOnce(),
    )
    engine = Engine(parts, limits=Limits(concurrency=1, pages=pages), counters=Counters())
    resume(engine, seeds)
    await engine.run()
