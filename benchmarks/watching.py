"""What does it cost a crawl to be watched on the dashboard?

Pages are crawled over real HTTP, in turn with nobody watching and with ``homing serve`` beside it and
somebody who listens to its events, as a browser does, from the first page to the last. The CPU time of the
crawl's own process is compared; what the web app takes in its own is told beside.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import httpx

from benchmarks.report import Result
from benchmarks.throughput import HOMING, _server
from homing.store.folder import Layout

PAGES = 3_000
ROUNDS = 4
"""How often each of the two crawls is made; the best counts, because others use the machine too."""


def run() -> list[Result]:
    alone, watched, beside, events = [], [], [], 0
    for _ in range(ROUNDS):
        with _server() as start, tempfile.TemporaryDirectory() as folder:
            alone.append(_cpu_of(_crawl(start, Path(folder) / "crawl")))
        with _server() as start, tempfile.TemporaryDirectory() as folder:
            process = _crawl(start, Path(folder) / "crawl")
            watcher = _Watcher(Path(folder) / "crawl")
            watched.append(_cpu_of(process))
            beside.append(watcher.end())
            events = watcher.events
    more = min(watched) / min(alone) - 1
    return [
        Result("CPU of a crawled page, nobody watching", f"{min(alone):.3f} ms"),
        Result(f"  while it is watched, {events} events seen", f"{min(watched):.3f} ms"),
        Result("  more by", f"{more:+.1%}", "≤ 2 %", more <= 0.02),
        Result("  CPU of homing serve beside it, start included", f"{min(beside):.3f} ms"),
    ]


def _crawl(start: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [str(HOMING), "crawl", "science history music", start, "--pages", str(PAGES), "--quiet"]
    command += ["--delay", "0", "--allow-network", "127.0.0.0/8", "--out", str(folder)]
    return subprocess.Popen(command)


def _cpu_of(process: subprocess.Popen[bytes]) -> float:
    """Milliseconds a page, when it has ended."""
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return (used.ru_utime + used.ru_stime) / PAGES * 1_000


class _Watcher:
    """The web app over a crawl, and somebody who listens to it."""

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
        """Stop; the CPU of the web app, in milliseconds a page."""
        self._process.send_signal(signal.SIGINT)
        spent = _cpu_of(self._process)
        self._thread.join()
        return spent

    def _listen(self) -> None:
        with httpx.stream("GET", f"{self._address.rstrip('/')}/events", timeout=600) as stream:
            self.events = sum(line.startswith("data:") for line in stream.iter_lines())
