"""The one place that asks the machine what time it is."""

from __future__ import annotations

import asyncio
import time

from homing.ports import Clock


class WallClock:
    """Real time. Delays go by the monotonic clock: a clock that is set right must not hurry a crawl."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def sleep_until(clock: Clock, moment: float, *, unless: asyncio.Event) -> None:
    """Sleep until the moment has come or the event is set."""
    pause = moment - clock.now()
    if pause > 0:
        waits = {asyncio.ensure_future(unless.wait()), asyncio.ensure_future(clock.sleep(pause))}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
