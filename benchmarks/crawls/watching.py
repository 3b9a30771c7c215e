"""What does it cost a crawl to be watched on the dashboard?

Pages are crawled over real HTTP. Beside the crawl run ``homing serve`` and a client that listens to its
events from the first page to the last, as a browser does. They watch this crawl, or another one that has
ended: the machine has the same work both times, and only what the crawl itself does for its watchers differs.
The CPU time of the crawl's process is compared; that of the web app is shown beside it.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import httpx

from benchmarks.crawls.command import HOMING, plain_pages
from benchmarks.report import Result
from homing.store.folder import Layout

PAGES = 3_000
OTHER_PAGES = 500
ROUNDS = 4
"""Repetitions of each of the two crawls; the best counts, because others use the machine too."""


def run() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "crawl"
        with plain_pages() as start:
            _cpu_of(_crawl(start, other, OTHER_PAGES))
        rounds = [(_watched(other), _watched(None)) for _ in range(ROUNDS)]
    alone, watched = (
        min(each) for each in zip(*((one.crawl, two.crawl) for one, two in rounds), strict=True)
    )
    return [
        Result("CPU of a crawled page, while another crawl is watched", f"{alone:.3f} ms"),
        Result(f"  while it is watched itself, {rounds[-1][1].events} events seen", f"{watched:.3f} ms"),
        Result("  more by", f"{watched / alone - 1:+.1%}", "≤ 2 %", watched <= 1.02 * alone),
        Result(
            "  CPU of homing serve beside it, start included", f"{min(two.app for _, two in rounds):.3f} ms"
        ),
    ]


class Spent(NamedTuple):
    """Milliseconds of CPU a page, and the number of events that the client received."""

    crawl: float
    app: float
    events: int


def _watched(other: Path | None) -> Spent:
    """Crawl while a client watches the ``other`` crawl, or this one if there is none."""
    with plain_pages() as start, tempfile.TemporaryDirectory() as folder:
        process = _crawl(start, Path(folder) / "crawl", PAGES)
        watcher = _Watcher(other or Path(folder) / "crawl")
        crawl = _cpu_of(process)
        return Spent(crawl, watcher.end(), watcher.events)


def _crawl(start: str, folder: Path, pages: int) -> subprocess.Popen[bytes]:
    command = [str(HOMING), "crawl", "science history music", start, "--pages", str(pages), "--quiet"]
    command += ["--delay", "0", "--allow-network", "127.0.0.0/8", "--out", str(folder)]
    return subprocess.Popen(command)


def _cpu_of(process: subprocess.Popen[bytes]) -> float:
    """Wait for the process to end; return its CPU milliseconds a page."""
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return (used.ru_utime + used.ru_stime) / PAGES * 1_000


class _Watcher:
    """The web app over a crawl, and a client that listens to it."""

    def __init__(self, folder: Path) -> None:
        while not Layout(folder).config.exists():
            time.sleep(0.02)
        self.events = 0
        command = [str(HOMING), "serve", str(folder), "--port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        self._address = self._process.stdout.readline().decode().partition("?")[0]
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def end(self) -> float:
        """Stop the web app; return its CPU milliseconds a page."""
        self._process.send_signal(signal.SIGINT)
        spent = _cpu_of(self._process)
        self._thread.join()
        return spent

    def _listen(self) -> None:
        with httpx.stream("GET", f"{self._address.rstrip('/')}/events", timeout=600) as stream:
            self.events = sum(line.startswith("data:") for line in stream.iter_lines())
