"""Crawl from Python: a loop over the visits of a crawl.

for visit in homing.crawl_sync("butterfly gardening", ["https://example.org/"], out="c", pages=500):
    print(visit.judgement.score, visit.page.title)
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Mapping
from contextlib import aclosing, suppress
from functools import wraps
from pathlib import Path
from typing import ParamSpec

from homing.config import Config
from homing.crawler.examples import fetch_examples
from homing.crawler.opening import open_crawl
from homing.model import Visit

P = ParamSpec("P")


async def crawl(
    topic: str = "",
    seeds: Iterable[str] = (),
    *,
    out: str | Path,
    examples: Iterable[str | Path] = (),
    negatives: Iterable[str | Path] = (),
    codes: Iterable[str] = (),
    model: str | Path | None = None,
    pages: int | None = None,
    relevant: int | None = None,
    minutes: float | None = None,
    strategy: str | None = None,
    judge: str | None = None,
    settings: Mapping[str, Mapping[str, object]] | None = None,
) -> AsyncGenerator[Visit]:
    """Crawl, and yield each page with its judgement, in the order of the crawl.

    The folder ``out`` is that of ``homing crawl``: the crawl can be resumed, searched and explained. Leaving
    the loop stops the crawl cleanly.

    Parameters
    ----------
    topic, seeds
        The topic in words, and the URLs to start from.
    out
        The crawl's folder; if it holds this crawl already, the crawl resumes.
    examples, negatives
        Pages on the topic, and pages that are not: files, folders or URLs.
    codes
        The topic's numbers in a decimal taxonomy.
    model
        A model file of ``homing train``.
    pages, relevant, minutes
        When to stop; totals over all runs of the crawl.
    strategy, judge
        Short names (``homing strategies``, ``homing judges``). Default: adaptive, and the judge that fits the
        topic.
    settings
        Other settings, by section and key of the TOML file: ``{"pace": {"delay": 2}}``.

    Examples
    --------
    ``examples/`` in the repository has a script that runs without a network.
    """
    config = Config.of(settings or {}).merged(
        {
            "topic": {
                "text": topic or None,
                "examples": [str(source) for source in examples] or None,
                "negatives": [str(source) for source in negatives] or None,
                "codes": list(codes) or None,
                "model": str(model) if model else None,
            },
            "seeds": {"urls": list(seeds) or None},
            "stop": {"pages": pages, "relevant": relevant, "minutes": minutes},
            "strategy": {"name": strategy},
            "judge": {"name": judge},
        }
    )
    config, folder = config.located(Path()), Path(out)
    opened = open_crawl(config, folder, await fetch_examples(config, folder))
    try:
        async with aclosing(opened.visits()) as visits:
            async for visit in visits:
                yield visit
    finally:
        opened.close()


def _blocking(
    loop_over: Callable[P, AsyncGenerator[Visit]],
) -> Callable[P, Generator[Visit, None, None]]:
    """Return the same loop for code that is not asynchronous.

    The crawl runs in a thread of its own, so that it continues while the caller processes a page.
    """

    @wraps(loop_over)
    def blocking(*args: P.args, **kwargs: P.kwargs) -> Generator[Visit, None, None]:
        visits = loop_over(*args, **kwargs)
        loop = asyncio.new_event_loop()
        left = asyncio.Event()
        asking: asyncio.Task[object] | None = None

        async def next_visit() -> Visit | None:
            nonlocal asking
            asking = asyncio.current_task()
            return await anext(visits, None)

        async def until_left() -> None:
            # A script may end within the loop, and the interpreter waits for our thread. That is too late for
            # a clean stop (no thread accepts work any more): the crawl ends as by a crash.
            while not left.is_set() and threading.main_thread().is_alive():
                with suppress(TimeoutError):
                    await asyncio.wait_for(left.wait(), 0.5)
            if asking:
                await asyncio.wait([asking])
            await visits.aclose()

        ended = asyncio.run_coroutine_threadsafe(until_left(), loop)
        ended.add_done_callback(lambda _: loop.stop())
        thread = threading.Thread(target=loop.run_forever, name="homing-crawl")
        thread.start()
        coming = None
        try:
            while True:
                coming = asyncio.run_coroutine_threadsafe(next_visit(), loop)
                visit = coming.result()
                if visit is None:
                    return
                yield visit
        finally:
            if coming:
                coming.cancel()  # after Ctrl-C while we waited
            loop.call_soon_threadsafe(left.set)
            thread.join()
            loop.close()
            if threading.main_thread().is_alive():
                ended.result()

    return blocking


crawl_sync = _blocking(crawl)
