"""A crawl that is ready to run: what the command line and the Python interface hold in their hands.

    async with homing.open(config, "moths") as crawl:
        async for visit in crawl.visits():
            if visit.page.url.endswith("/shop"):
                await crawl.block("shop.example")

Its commands work while it runs, each between two pages; a running crawl takes the same ones from its inbox,
where
``homing serve`` and the REST service put them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

from homing.crawler.engine import Engine
from homing.crawler.events import Event, Visited
from homing.crawler.live.commands import Commands
from homing.crawler.live.freshness import Due
from homing.crawler.live.inbox import InboxReader
from homing.crawler.live.pulse import Heart
from homing.crawler.live.refresh import Refreshed, refresh
from homing.crawler.live.relearn import Relearning
from homing.crawler.progress import Counters
from homing.errors import HomingError, UsageError
from homing.fetch.pace import Pace
from homing.model import Visit
from homing.store.inbox import Inbox
from homing.store.pulse_file import Pulse

AHEAD = 16
"""Visits that may queue up for a slow caller before the crawl waits as well."""

Result = TypeVar("Result")
Done = Callable[[Result], None]


class Crawl:
    """A crawl in its folder, opened by ``open_crawl``. Close it when done."""

    def __init__(
        self,
        *,
        engine: Engine,
        pace: Pace,
        inbox: Inbox,
        heart: Heart,
        relearning: Relearning,
        resumed: bool,
        summary: str,
        close: Callable[[], None],
    ) -> None:
        self.resumed = resumed
        """It continues what an earlier run has left."""
        self.summary = summary
        """One line: how the topic was understood."""
        self._engine = engine
        self._heart = heart
        self._commands = Commands(engine, pace, heart, relearning)
        self._inbox = InboxReader(inbox, self._commands, engine, heart)
        self._close = close
        self._unanswered: set[Callable[[Exception], None]] = set()

    @property
    def counters(self) -> Counters:
        """The crawl in figures, as they are now."""
        return self._engine.counters

    # -- running

    async def run(self) -> str:
        """Crawl until a limit, an empty frontier or ``stop``; return the reason."""
        self._engine.every_second = self._tick
        self._tick()
        try:
            return await self._engine.run()
        except ExceptionGroup as group:
            # The engine's task group wraps whatever ends it. What a user can mend is said plainly.
            ours = group.subgroup(HomingError)
            raise (ours.exceptions[0] if ours else group) from None
        finally:
            for fail in tuple(self._unanswered):
                fail(UsageError("the crawl stopped before this was done"))
            await self._engine.parts.fetcher.close()

    async def visits(self) -> AsyncGenerator[Visit]:
        """Run, and yield each page as it has been judged. Leaving the loop stops the crawl cleanly."""
        arrived: asyncio.Queue[Visit | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def listen(event: Event) -> None:
            if isinstance(event, Visited):  # maybe in the engine's thread
                loop.call_soon_threadsafe(arrived.put_nowait, event.visit)

        self._engine.requests.held_up = lambda: arrived.qsize() > AHEAD
        self._engine.listeners.append(listen)
        running = asyncio.create_task(self.run())
        running.add_done_callback(lambda _: arrived.put_nowait(None))
        try:
            while (visit := await arrived.get()) is not None:
                if arrived.qsize() == AHEAD:
                    self._engine.stir()
                yield visit
        finally:
            self.stop("left")
            await running

    def stop(self, reason: str = "asked to stop") -> None:
        """Finish what is in flight, commit, and end ``run``. Called twice: drop what is in flight."""
        self._engine.stop(reason)

    def close(self) -> None:
        """Let go of the folder. What was not committed is dropped."""
        self._close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- commands, each carried out between two pages

    async def pause(self) -> None:
        """Send no more requests until ``resume``."""
        await self._at_once(self._commands.pause)

    async def resume(self) -> None:
        """Send requests again."""
        await self._at_once(self._commands.resume)

    async def add_seeds(self, urls: Iterable[str]) -> int:
        """Offer more seeds; return how many of them are http(s) URLs."""
        return await self._at_once(partial(self._commands.add_seeds, list(urls)))

    async def block(self, pattern: str) -> int:
        """Refuse a host, or what matches a glob, from now on; return how many URLs left the queue."""
        return await self._in_time(partial(self._commands.block, pattern))

    async def unblock(self, pattern: str) -> int:
        """Lift a block; return how many URLs were queued again."""
        return await self._in_time(partial(self._commands.unblock, pattern))

    async def label(self, url: str, *, relevant: bool) -> None:
        """Say whether a fetched page is on the topic."""
        await self._at_once(partial(self._commands.label, url, relevant))

    async def relearn(self) -> str:
        """Train the judge on the labels and score everything again; return what came of it, in a line."""
        return await self._in_time(self._commands.relearn)

    async def set_pace(self, *, delay: float | None = None, pages_per_second: float | None = None) -> None:
        """Set the delay between two requests to one host, or the limit over all (none: ``math.inf``)."""
        await self._at_once(partial(self._commands.set_pace, delay=delay, pages_per_second=pages_per_second))

    async def snapshot(self) -> Pulse:
        """Return the crawl as it is now: the best of the frontier, the hosts, memory."""
        return await self._at_once(self._commands.snapshot)

    def refresh(self, pages: Iterable[Due]) -> Refreshed:
        """Make the next run fetch these pages again, and nothing else; it tells what became of them."""
        return refresh(self._engine, pages)

    async def _at_once(self, command: Callable[[], Result]) -> Result:
        return await self._in_time(lambda done: done(command()))

    async def _in_time(self, command: Callable[[Done[Result]], None]) -> Result:
        """Carry out a command between two turns, and return its result when it has one."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()

        def succeed(result: Result) -> None:
            if not future.done():
                future.set_result(result)

        def fail(error: Exception) -> None:
            if not future.done():
                future.set_exception(error)

        def done(result: Result) -> None:  # maybe in the engine's thread
            loop.call_soon_threadsafe(succeed, result)

        def carry_out() -> None:
            try:
                command(done)
            except UsageError as error:
                fail(error)

        self._unanswered.add(fail)
        try:
            self._engine.between_turns(carry_out)
            return await future
        finally:
            self._unanswered.discard(fail)

    def _tick(self) -> None:
        """Once a second: commands of other processes, the pulse, and the pace at this time of day."""
        self._inbox.apply()
        self._heart.beat()
        self._commands.keep_pace()
