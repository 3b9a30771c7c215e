"""``homing`` as a command, the pages that it crawls, and the CPU time of what has ended."""

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.servers.process import served

HOMING = Path(sys.executable).with_name("homing")
PAGES = 5_000
"""Pages in a crawl; the server has twice as many, and ends by itself after ten minutes."""


class Cost:
    def __init__(self, cpu: float, wall: float) -> None:
        self.cpu, self.wall = cpu, wall


def measured(crawl: Callable[[], int]) -> tuple[Cost, int]:
    """Return the seconds that a crawl took, in child processes that have ended, and its number of pages."""
    before, began = _cpu_of_children(), time.perf_counter()
    pages = crawl()
    return Cost(_cpu_of_children() - before, time.perf_counter() - began), pages


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def plain_pages() -> Iterator[str]:
    """Serve plain pages; yield the URL to start from."""
    with served("benchmarks.servers.pages", 2 * PAGES, 600) as port:
        yield f"http://127.0.1.1:{port}/0.html"
