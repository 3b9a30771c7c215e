"""A crawl that is ready to run: what the command line and the Python interface hold in their hands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable

from homing.crawler.engine import Engine
from homing.crawler.events import Counters, Event, Visited
from homing.crawler.live.commands import Wishes
from homing.crawler.live.freshness import Due
from homing.crawler.live.pulse import Heart
from homing.crawler.live.refresh import Refreshed, refresh
from homing.crawler.live.relearn import Relearning
from homing.errors import HomingError
from homing.fetch.pace import Pace
from homing.model import Visit
from homing.store.inbox import Inbox

AHEAD = 16
"""How many visits may wait for a slow caller before the crawl waits as well."""


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
        """It goes on with what an earlier run has left."""
        self.summary = summary
        """One line: how the topic was understood."""
        self._engine = engine
        self._pace = pace
        self._heart = heart
        self._wishes = Wishes(inbox, engine, pace, heart, relearning)
        self._close = close

    @property
    def counters(self) -> Counters:
        return self._engine.counters

    async def run(self) -> str:
        """Crawl until a limit, an empty frontier or ``stop``; returns the reason."""
        self._engine.every_second = self._tick
        self._tick()
        try:
            return await self._engine.run()
        except ExceptionGroup as group:
            # The engine's task group wraps whatever ends it. What a person can mend is said plainly.
            ours = group.subgroup(HomingError)
            raise (ours.exceptions[0] if ours else group) from None
        finally:
            await self._engine.parts.fetcher.close()

    async def visits(self) -> AsyncGenerator[Visit]:
        """Run, and hand out each page as it has been judged. Leaving the loop stops the crawl cleanly."""
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

    def refresh(self, pages: Iterable[Due]) -> Refreshed:
        """Before ``run``: ask again for these pages, and for nothing else. Tells what became of them."""
        return refresh(self._engine, pages)

    def stop(self, reason: str) -> None:
        """Finish what is in flight, commit, and end ``run``. Called twice: drop what is in flight."""
        self._engine.stop(reason)

    def close(self) -> None:
        """Let go of the folder. What was not committed is dropped."""
        self._close()

    def _tick(self) -> None:
        """Once a second: wishes, what there is to be seen, and what holds at this time of day."""
        self._wishes.apply()
        self._heart.beat()
        tempo = self._pace.at(self._engine.parts.clock.wall())
        self._engine.parts.frontier.hosts.delay = tempo.delay
        self._engine.parts.bucket.rate = tempo.pages_per_second
