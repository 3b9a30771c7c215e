"""How much do 64 hostile hosts beside them slow down a crawl of 64 good ones?

One process crawls the good hosts alone, which is also the warm-up, and then the same hosts beside the hostile
ones (``servers/hostile.py``) for the same time. All settings are defaults: 64 requests at a time, a second
between two to the same host, 10 MiB a body, 20 s for the headers, 60 s for all, 30 s of rest after a failure.
So politeness limits the speed of the good hosts, as on the real web; the CPU time that hostile hosts cost is
shown beside it. All their pages are seeds, so that no other page comes before them.
"""

import asyncio
import json
import multiprocessing
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.crawls.process_watch import Watch, watching
from benchmarks.report import Result
from benchmarks.servers.hostile import HOSTS, kind_of
from benchmarks.servers.process import served
from homing.cli.crawl.tuning import save_memory, tune
from homing.config import Config
from homing.crawler.opening import open_crawl
from homing.store.folder import Layout
from homing.urls import host

SECONDS = 45.0
GOOD_PAGES = 5_000
BAD_PAGES_A_HOST = 20
WARM_UP = 5.0
"""Seconds before pages of good hosts count: robots.txt comes first, and links have to be found."""


@dataclass(frozen=True)
class Seen:
    """Outcome of a crawl."""

    good: float
    """Pages of good hosts a second."""
    bad: Counter[str]
    """Outcomes at the hostile hosts, by kind of host: pages, redirects and kinds of failures."""
    watch: Watch


def run() -> list[Result]:
    with ExitStack() as stack:
        good_port = stack.enter_context(served("benchmarks.servers.pages", GOOD_PAGES, 900, HOSTS))
        bad_port = stack.enter_context(served("benchmarks.servers.hostile", 900))
        good = [f"http://127.0.1.{number + 1}:{good_port}/{number}.html" for number in range(HOSTS)]
        bad = [
            f"http://127.0.2.{number + 1}:{bad_port}/{place}"
            for place in range(BAD_PAGES_A_HOST)
            for number in range(HOSTS)
        ]
        spawn = multiprocessing.get_context("spawn")
        process = stack.enter_context(ProcessPoolExecutor(1, mp_context=spawn))
        alone, beside = (process.submit(_crawl, seeds).result() for seeds in (good, bad + good))
    return _results(alone, beside)


def _results(alone: Seen, beside: Seen) -> list[Result]:
    watch, share = beside.watch, beside.good / alone.good
    longest = max(watch.stalls, default=0.0)
    unhandled = len(alone.watch.unhandled) + len(watch.unhandled)
    rise = watch.memory_rise
    return [
        Result("pages a second of 64 good hosts, alone", f"{alone.good:.1f}"),
        Result("pages a second of 64 good hosts, beside 64 hostile ones", f"{beside.good:.1f}"),
        Result("  of that alone", f"{share:.0%}", "≥ 70 %", share >= 0.7),
        Result("CPU of the crawl, alone", f"{alone.watch.cpu / SECONDS:.0%}"),
        Result("CPU of the crawl, beside hostile hosts", f"{watch.cpu / SECONDS:.0%}"),
        Result("memory rise beside hostile hosts", f"{rise:.0f} MB", "< 100 MB", rise < 100),
        Result("longest stall of the event loop", f"{longest * 1e3:.0f} ms", "< 100 ms", longest < 0.1),
        Result("  by the clock, other processes included", f"{watch.latest * 1e3:.0f} ms"),
        Result("  stalls over 50 ms", str(len(watch.stalls))),
        Result("unhandled errors", str(unhandled), "0", unhandled == 0),
        *(Result(f"outcome of {what}", str(count)) for what, count in sorted(beside.bad.items())),
    ]


def _crawl(seeds: list[str]) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        watch = asyncio.run(_watched_crawl(_config(seeds), Path(folder) / "crawl"))
        good, bad = 0, Counter[str]()
        began = 0.0
        for line in Layout(Path(folder) / "crawl").log.read_text().splitlines():
            event = json.loads(line)
            began = began or event["at"]
            name = host(event.get("url", ""))
            if name.startswith("127.0.1.") and began + WARM_UP <= event["at"] < began + SECONDS:
                good += event["event"] == "visited"
            elif name.startswith("127.0.2."):
                bad[f"{kind_of(name)}: {event.get('kind', event['event'])}"] += 1
    for trouble in watch.unhandled:
        print(trouble, file=sys.stderr)
    return Seen(good / (SECONDS - WARM_UP), bad, watch)


async def _watched_crawl(config: Config, folder: Path) -> Watch:
    save_memory()
    crawl = open_crawl(config, folder)
    tune()
    try:
        async with watching() as watch:
            # The second call drops what is in flight: some of these requests would take a minute.
            loop = asyncio.get_running_loop()
            loop.call_later(SECONDS, crawl.stop, "enough")
            loop.call_later(SECONDS + 0.1, crawl.stop, "enough")
            await crawl.run()
    finally:
        crawl.close()
    return watch


def _config(seeds: list[str]) -> Config:
    return Config.of(
        {
            "topic": {"text": "science history music"},
            "seeds": {"urls": seeds},
            "fetch": {"allow_network": ["127.0.0.0/8"]},
        }
    )
