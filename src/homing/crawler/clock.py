"""The one place that asks the machine what time it is."""

from __future__ import annotations

import asyncio
import time


class WallClock:
    """Real time. Delays go by the monotonic clock: a clock that is set right must not hurry a crawl."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
