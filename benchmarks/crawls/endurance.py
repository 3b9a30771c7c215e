"""Does a long crawl stay as fast and as small as it was?

    python -m benchmarks.crawls.endurance --pages 100000

A large version of the little web is served by a process of its own and crawled by ``homing crawl``: all pages
are parsed, judged and archived. Four times a second its catalog is read, and the CPU time and memory of its
process (only memory it has written; the system keeps mapped files). The first fifth is warm-up. After that,
memory may grow by what a crawl keeps of each known URL, and by little else, most of it the index. SQLite's
page cache is full after some 10,000 pages; in a short crawl it and other buffers are still filling up, so
that only a long crawl is held to the bar.
"""

import argparse
import os
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.crawls.command import HOMING
from benchmarks.report import Result, show
from benchmarks.servers.process import served
from homing.demo.web.little_web import LittleWeb
from homing.demo.web.vocabulary import TOPICS
from homing.store.catalog.database import CACHE_KIB, open_for_reading
from homing.store.folder import Layout

PAGES = 20_000
LONG = 100_000
PAGES_A_HOST = 100
WARM_UP = 0.2
SLOPE = 2.0
ELSE = 1.0
"""Maximum growth in megabytes by 10,000 pages: in all, and of what is not explained."""
LOOK_EVERY = 0.25
BYTES_A_URL = 110
"""A queued URL, as the benchmark of the frontier measures it; a finished one takes a third."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Look:
    """A crawl at one moment."""

    pages: int
    known: int
    """Known URLs."""
    cpu: float
    memory: float
    """Megabytes."""
    cached: float
    """Megabytes of the catalog in SQLite's page cache, at most."""


def run(pages: int = PAGES) -> list[Result]:
    with _little_web(pages) as address, tempfile.TemporaryDirectory() as folder:
        looks = list(_crawl(address, pages, Path(folder) / "crawl"))
    warm = [look for look in looks if look.pages >= WARM_UP * pages]
    slope, known, cached = (_slope(warm, which) * 10_000 for which in ("memory", "known", "cached"))
    of_urls = known * BYTES_A_URL / 1e6
    left = slope - cached - of_urls
    second, last = _speed(looks, pages, 0.1, 0.2), _speed(looks, pages, 0.9, 1.0)
    return [
        Result("pages crawled", f"{looks[-1].pages:,}"),
        Result("memory after warm-up", f"{warm[0].memory:.0f} MB"),
        Result("memory at the end", f"{warm[-1].memory:.0f} MB"),
        Result("memory, slope after warm-up, 10,000 pages", f"{slope:+.2f} MB", *_bar(SLOPE, slope, pages)),
        Result(f"  of that {known:+,.0f} URLs, {BYTES_A_URL} bytes each", f"{of_urls:+.2f} MB"),
        Result("  of that SQLite's page cache", f"{cached:+.2f} MB"),
        Result("  of that anything else", f"{left:+.2f} MB", *_bar(ELSE, left, pages)),
        Result("pages a CPU second, second tenth", f"{second:.0f}"),
        Result("pages a CPU second, last tenth", f"{last:.0f}"),
        Result("  of the second tenth", f"{last / second:.0%}", "≥ 80 %", last / second >= 0.8),
    ]


def _bar(most: float, megabytes: float, pages: int) -> tuple[str, bool | None]:
    return (f"≤ {most:g} MB", megabytes <= most) if pages >= LONG else ("", None)


def _slope(looks: Sequence[Look], which: str) -> float:
    """Return the growth by page, by least squares."""
    pages = [look.pages for look in looks]
    return float(np.polyfit(pages, [getattr(look, which) for look in looks], 1)[0])


def _speed(looks: Sequence[Look], pages: int, start: float, end: float) -> float:
    """Return the pages a CPU second between two fractions of the crawl."""
    within = [look for look in looks if start * pages <= look.pages <= end * pages]
    return (within[-1].pages - within[0].pages) / (within[-1].cpu - within[0].cpu)


def _crawl(address: str, pages: int, folder: Path) -> Iterator[Look]:
    seed = LittleWeb(1).seeds[0]  # the portal's name does not depend on how large the web is
    command = [str(HOMING), "crawl", TOPICS[0], seed, "--pages", str(pages), "--out", str(folder)]
    command += ["--delay", "0", "--connect-to", address, "--quiet"]
    database = Layout(folder).database
    with subprocess.Popen(command) as process:
        while not database.exists() and process.poll() is None:
            time.sleep(0.1)
        with open_for_reading(database) as catalog:
            while True:
                (pages,) = catalog.execute("SELECT coalesce(max(step), 0) FROM visits").fetchone()
                (known,) = catalog.execute("SELECT coalesce(max(seq) + 1, 0) FROM urls").fetchone()
                look = Look(pages, known, *_process(process.pid), _cached(catalog))
                if not look.memory:  # the process has ended
                    break
                yield look
                time.sleep(LOOK_EVERY)
    if process.returncode:
        raise RuntimeError(f"homing crawl ended with exit code {process.returncode}")


def _process(pid: int) -> tuple[float, float]:
    """Return the CPU seconds of a process, and the megabytes of memory that it has written."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system = (int(after_name[place]) for place in (11, 12))
    resident, mapped = (int(pages) for pages in Path(f"/proc/{pid}/statm").read_text().split()[1:3])
    return (user + system) / _TICKS, (resident - mapped) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _cached(catalog: sqlite3.Connection) -> float:
    (pages,), (size,) = (catalog.execute(f"PRAGMA {of}").fetchone() for of in ("page_count", "page_size"))
    return float(min(pages * size, CACHE_KIB * 1024)) / 1e6


def _little_web(pages: int) -> AbstractContextManager[str]:
    """Serve the little web with some pages to spare; yield its address."""
    size = pages * 5 // 4
    options = ["--seconds", 36_000, "--pages", size, "--hosts", size // PAGES_A_HOST]
    return served("homing.demo.web_server", *options)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crawls.endurance")
    parser.add_argument("--pages", type=int, default=PAGES)
    show(run(parser.parse_args().pages))
