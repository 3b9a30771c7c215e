"""A crawl that is ready to run, and the commands to it while it runs.

    async with homing.open("moths", ["https://example.org/"], out="moths") as crawl:
        async for visit in crawl.visits():
            if "shop" in visit.page.title.lower():
                await crawl.block(urlsplit(visit.page.url).hostname)

A command is carried out between two pages. A running crawl takes the same commands from its inbox, where
``homing serve`` and the REST API put them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

from homing.crawler.engine import Engine
from homing.crawler.events import Event, Visited
from homing.crawler.live.commands import STOPPED, Commands
from homing.crawler.live.freshness import Due
from homing.crawler.live.inbox import InboxReader
from homing.crawler.live.pulse import Heart
from homing.crawler.live.refresh import Refreshed, refresh
from homing.crawler.live.verbs import Block, Label, SetPace, Unblock
from homing.crawler.parts import Parts
from homing.crawler.progress import Counters
from homing.errors import HomingError, UsageError
from homing.model import Visit
from homing.store.pulse_file import Pulse

AHEAD = 16
"""Visits that may queue up for a slow caller before the crawl waits as well."""
LEFT = "left"
"""The reason to stop of a crawl whose loop over the visits was left."""

Result = TypeVar("Result")
Done = Callable[[Result], None]


class Crawl:
    """A crawl in its folder; ``homing.open`` opens one, and closes it at the end of its block.

    ``visits`` runs it and yields each page, ``run`` runs it without. Its commands are methods that may be
    called while it runs.
    """

    def __init__(
        self,
        *,
        engine: Engine,
        parts: Parts,
        commands: Commands,
        inbox: InboxReader,
        heart: Heart,
        resumed: bool,
        summary: str,
        notices: Sequence[str] = (),
        close: Callable[[], None],
    ) -> None:
        self.resumed = resumed
        """Whether it resumes an earlier run."""
        self.summary = summary
        """One line: how the topic was understood."""
        self.notices = tuple(notices)
        """What differs from the last run, or from the configuration, a line each."""
        self._engine = engine
        self._parts = parts
        self._commands = commands
        self._inbox = inbox
        self._heart = heart
        self._close = close
        self._running: asyncio.Task[object] | None = None
        self._unanswered: set[Callable[[Exception], None]] = set()

    @property
    def counters(self) -> Counters:
        """The figures of the crawl as they are now."""
        return self._engine.counters

    @property
    def paused(self) -> bool:
        """Whether it sends no requests until ``resume``."""
        return self._engine.requests.paused

    # -- running

    async def run(self) -> str:
        """Crawl until a limit, an empty frontier or ``stop``; return the reason."""
        self._engine.every_second = self._tick
        self._running = asyncio.current_task()
        try:
            self._tick()
            return await self._engine.run()
        except ExceptionGroup as group:
            # The engine's task group wraps whatever ends it. A user sees only the error that they can mend.
            ours = group.subgroup(HomingError)
            raise (ours.exceptions[0] if ours else group) from None
        finally:
            try:
                await self._parts.fetcher.close()
            finally:
                self._running = None
                for fail in tuple(self._unanswered):
                    fail(UsageError("the crawl stopped before this was done"))

    async def visits(self) -> AsyncGenerator[Visit]:
        """Run, and yield each page once it is judged. Leaving the loop stops the crawl cleanly."""
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
            self._leave()
            await running

    def stop(self, reason: str = STOPPED) -> None:
        """Finish what is in flight, commit, and end ``run``. Called twice: drop what is in flight."""
        self._engine.stop(reason)

    def close(self) -> None:
        """Release the folder. What was not committed is dropped."""
        self._close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the crawl cleanly if it still runs, and close it."""
        try:
            if self._running:
                self._leave()
                await self._running
        finally:
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
        """Refuse a host, or URLs that match a glob, from now on; return how many left the queue."""
        pattern = Block.read({"pattern": pattern}).pattern
        return await self._in_time(partial(self._commands.block, pattern))

    async def unblock(self, pattern: str) -> int:
        """Lift a block; return how many URLs were queued again."""
        pattern = Unblock.read({"pattern": pattern}).pattern
        return await self._in_time(partial(self._commands.unblock, pattern))

    async def label(self, url: str, *, relevant: bool) -> None:
        """Label a fetched page: is it on the topic?"""
        given = Label.read({"url": url, "relevant": relevant})
        await self._at_once(partial(self._commands.label, given.url, given.relevant))

    async def relearn(self) -> str:
        """Train the judge on the labels, and score all pages and frontier URLs again; return the result."""
        return await self._in_time(self._commands.relearn)

    async def set_pace(
        self, *, delay: float | None = None, pages_per_second: float | None = None, reset: bool = False
    ) -> None:
        """Set the delay between two requests to one host, the maximum rate over all hosts, or both.

        ``math.inf`` pages per second are no limit. They hold at any time of day and in later runs, until
        ``reset`` returns to the configuration.
        """
        given = {"delay": delay, "pages_per_second": pages_per_second, "reset": reset}
        pace = SetPace.read({name: value for name, value in given.items() if value is not None})
        set_pace = partial(self._commands.set_pace, delay=pace.delay, pages_per_second=pace.rate)
        await self._at_once(partial(set_pace, reset=pace.reset))

    async def snapshot(self) -> Pulse:
        """Return the crawl as it is now: the head of the frontier, the hosts, memory."""
        return await self._at_once(self._commands.snapshot)

    def refresh(self, pages: Iterable[Due]) -> Refreshed:
        """Make the next run fetch these pages again, and nothing else; return what counts their outcomes."""
        return refresh(self._engine, self._parts, pages)

    def _leave(self) -> None:
        """Stop, but only once: a second time would drop what is in flight."""
        if not self.counters.stop_reason:
            self.stop(LEFT)

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
            if not self._running:
                await loop.run_in_executor(self._parts.thread, self._do_chores)
            return await future
        finally:
            self._unanswered.discard(fail)

    def _do_chores(self) -> None:
        """Do all at once what the engine would do between its turns, but it does not run."""
        while self._engine.chores:
            for _ in self._engine.chores.popleft():
                pass
        self._parts.store.commit()

    def _tick(self) -> None:
        """Once a second: commands of other processes, the pulse, and the rate limits at this time of day."""
        self._inbox.apply()
        self._heart.beat()
        self._commands.keep_pace()
