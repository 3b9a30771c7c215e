"""What a crawl does to the process it runs in: stalls of the event loop, memory, unhandled errors."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import sys
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

_BEAT = 0.005


@dataclass
class Watch:
    """What was observed while ``watching``."""

    stalls: list[float] = field(default_factory=list)
    """Stalls of the event loop of more than 50 ms, in seconds of this process's CPU time: those that other
    processes cause do not count."""
    latest: float = 0.0
    """The longest stall by the clock, whatever caused it."""
    cpu: float = 0.0
    """Seconds."""
    memory_rise: float = 0.0
    """Megabytes between the start and the peak."""
    unhandled: list[str] = field(default_factory=list)


@contextlib.asynccontextmanager
async def watching() -> AsyncIterator[Watch]:
    """Watch this process and its running event loop."""
    watch = Watch()
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before, cpu = _peak(), time.process_time()
    beating = asyncio.create_task(_beat(watch))
    log = _Errors(watch.unhandled)
    logging.getLogger().addHandler(log)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: watch.unhandled.append(str(context)))
    threading.excepthook = lambda failure: watch.unhandled.append(repr(failure.exc_value))
    sys.unraisablehook = lambda failure: watch.unhandled.append(repr(failure.exc_value))
    try:
        yield watch
    finally:
        beating.cancel()
        watch.memory_rise, watch.cpu = _peak() - before, time.process_time() - cpu
        gc.collect()  # a task whose error was never retrieved reports it when collected
        loop.set_exception_handler(None)
        threading.excepthook, sys.unraisablehook = threading.__excepthook__, sys.__unraisablehook__
        logging.getLogger().removeHandler(log)


async def _beat(watch: Watch) -> None:
    clock, cpu = time.perf_counter(), time.process_time()
    while True:
        await asyncio.sleep(_BEAT)
        now, used = time.perf_counter(), time.process_time()
        late = now - clock - _BEAT
        watch.latest = max(watch.latest, late)
        if min(late, used - cpu) > 0.05:
            watch.stalls.append(min(late, used - cpu))
        clock, cpu = now, used


class _Errors(logging.Handler):
    def __init__(self, seen: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._seen = seen

    def emit(self, record: logging.LogRecord) -> None:
        self._seen.append(self.format(record))


def _peak() -> float:
    """Return the peak memory in megabytes since the last reset."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024 / 1e6
    raise RuntimeError("the peak memory is known on Linux only")
