"""Crawl from Python: a loop over the visits of a crawl, or a crawl that takes commands while it runs.

The little web that comes with Homing needs no network; it is served on this machine:

>>> import asyncio, tempfile
>>> import homing
>>> from homing.demo.web.little_web import LittleWeb
>>> from homing.demo.web_server import serve
>>> web = LittleWeb(pages=200, hosts=10)
>>> async def main(folder: str) -> None:
...     async with serve(web) as server:
...         settings = {"fetch": {"connect_to": server.address}, "pace": {"delay": 0}}
...         async with homing.open(web.topic, web.seeds, out=folder, pages=40, settings=settings) as crawl:
...             await crawl.block("*/login*")
...             async for visit in crawl.visits():
...                 if visit.step == 1:
...                     print(visit.entry.url, visit.judgement.relevant)
...             print(crawl.counters.pages, "pages, stopped by", crawl.counters.stop_reason)
>>> with tempfile.TemporaryDirectory() as folder:
...     asyncio.run(main(folder))
http://gatehouse-directory.example/ False
40 pages, stopped by pages
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, suppress
from inspect import signature
from pathlib import Path
from typing import ParamSpec

from homing.config import Config
from homing.crawler.crawl import Crawl
from homing.crawler.examples import fetch_examples
from homing.crawler.opening import open_crawl
from homing.judge import JUDGES, Judge
from homing.model import Visit
from homing.strategies import STRATEGIES, Strategy

P = ParamSpec("P")
Opening = Callable[P, AbstractAsyncContextManager[Crawl]]


@asynccontextmanager
async def open(  # noqa: A001  (homing.open, as wave.open)
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
    strategy: str | type[Strategy] | None = None,
    judge: str | type[Judge] | None = None,
    settings: Mapping[str, Mapping[str, object]] | None = None,
) -> AsyncIterator[Crawl]:
    """Open a crawl: to loop over its visits, and to send it commands meanwhile.

    The folder ``out`` is that of ``homing crawl``: the crawl can be resumed, searched and explained. Leaving
    the block stops the crawl cleanly.

    Parameters
    ----------
    topic, seeds
        The topic in words, and the URLs to start from.
    out
        The crawl's folder; if it holds this crawl already, the crawl resumes.
    examples, negatives
        Pages on the topic, and pages off it: files, folders or URLs.
    codes
        The topic's numbers in a decimal taxonomy.
    model
        A model file of ``homing train``.
    pages, relevant, minutes
        Limits; totals over all runs of the crawl.
    strategy, judge
        Short names (``homing strategies``, ``homing judges``), or classes of your own, which are then needed
        to resume the crawl as well. Default: adaptive, and the judge that fits the topic.
    settings
        Other settings, by section and key of the TOML file: ``{"pace": {"delay": 2}}``. Parameters of a
        strategy or a judge are keys of its section.

    Examples
    --------
    ::

        async with homing.open("moths", ["https://example.org/"], out="moths", pages=500) as crawl:
            async for visit in crawl.visits():
                if visit.entry.depth > 5 and not visit.judgement.relevant:
                    await crawl.block(urlsplit(visit.entry.url).hostname)
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
            "strategy": {"name": STRATEGIES.add(strategy) if isinstance(strategy, type) else strategy},
            "judge": {"name": JUDGES.add(judge) if isinstance(judge, type) else judge},
        }
    )
    config, folder = config.located(Path()), Path(out)
    async with open_crawl(config, folder, await fetch_examples(config, folder)) as opened:
        yield opened


def _looping(opening: Opening[P]) -> Callable[P, AsyncGenerator[Visit]]:
    """Return a loop over the visits of a crawl, with the parameters of ``opening``."""

    async def crawl(*args: P.args, **kwargs: P.kwargs) -> AsyncGenerator[Visit]:
        """Crawl, and yield each page with its judgement, in the order of the crawl.

        Leaving the loop stops the crawl cleanly; the same call resumes it. The parameters are those of
        ``homing.open``.

        Examples
        --------
        ::

            async for visit in homing.crawl("moths", ["https://example.org/"], out="moths", pages=500):
                print(visit.judgement.score, visit.page.title)
        """
        async with opening(*args, **kwargs) as opened, aclosing(opened.visits()) as visits:
            async for visit in visits:
                yield visit

    vars(crawl)["__signature__"] = signature(opening).replace(return_annotation=AsyncGenerator[Visit])
    return crawl


def _blocking(looping: Callable[P, AsyncGenerator[Visit]]) -> Callable[P, Generator[Visit, None, None]]:
    """Return the same loop for code that is not asynchronous.

    The crawl runs in a thread of its own, so that it continues while the caller processes a page.
    """

    def crawl_sync(*args: P.args, **kwargs: P.kwargs) -> Generator[Visit, None, None]:
        """Crawl as ``homing.crawl`` does, for code that is not asynchronous.

        Examples
        --------
        ::

            for visit in homing.crawl_sync("moths", ["https://example.org/"], out="moths", pages=500):
                print(visit.judgement.score, visit.page.title)
        """
        visits = looping(*args, **kwargs)
        loop = asyncio.new_event_loop()
        left = asyncio.Event()
        fetching: asyncio.Task[object] | None = None

        async def next_visit() -> Visit | None:
            nonlocal fetching
            fetching = asyncio.current_task()
            return await anext(visits, None)

        async def until_left() -> None:
            # A script may end within the loop, and the interpreter waits for our thread. That is too late for
            # a clean stop (no thread accepts work any more): the crawl ends as by a crash.
            while not left.is_set() and threading.main_thread().is_alive():
                with suppress(TimeoutError):
                    await asyncio.wait_for(left.wait(), 0.5)
            if fetching:
                await asyncio.wait([fetching])
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
                coming.cancel()  # after Ctrl-C during the wait
            loop.call_soon_threadsafe(left.set)
            thread.join()
            loop.close()
            if threading.main_thread().is_alive():
                ended.result()

    vars(crawl_sync)["__signature__"] = signature(looping).replace(
        return_annotation=Generator[Visit, None, None]
    )
    return crawl_sync


crawl = _looping(open)
crawl_sync = _blocking(crawl)
