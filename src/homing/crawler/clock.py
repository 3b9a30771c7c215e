"""The one place that reads the machine's clocks."""

from __future__ import annotations

import asyncio
import time

from homing.ports import Clock


class WallClock:
    """Real time. Delays follow the monotonic clock: correcting the wall clock must not hurry a crawl."""

    now = staticmethod(time.monotonic)
    wall = staticmethod(time.time)

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
