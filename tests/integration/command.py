"""The little web served from a process of its own, and the command line as people use it.

A process of its own takes most of a second before it does anything. It is for tests that signal, kill or time
it; what comes out of a command can as well be seen in the test's own (``tests/calling.py``).
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.calling import called

from homing.demo.web.little_web import LittleWeb
from homing.store.views.reader import Reader

HOMING = Path(sys.executable).with_name("homing")
TOPIC = "butterfly gardening"


@dataclass(frozen=True)
class Served:
    """A served web: where it is, and what it has been asked."""

    web: LittleWeb
    address: str
    log: Path

    def requests(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@contextmanager
def serving(
    log: Path, *, pages: int = 1500, hosts: int = 40, latency: float = 0.0, seconds: float = 150.0
) -> Iterator[Served]:
    """Serve a little web while the block runs, for so many seconds at most."""
    log.touch()
    command = [sys.executable, "-m", "homing.demo.web_server", "--log", str(log), "--seconds", str(seconds)]
    command += ["--pages", str(pages), "--hosts", str(hosts), "--latency", str(latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            yield Served(web=LittleWeb(1, pages=pages, hosts=hosts), address=address, log=log)
        finally:
            process.terminate()


@dataclass(frozen=True)
class Command:
    """``homing crawl`` on a served web."""

    served: Served

    def words(self, folder: Path, *options: str) -> list[str]:
        """The command without its name; the topic and the seeds only where there is no crawl yet."""
        begin = [] if (folder / "crawl.toml").exists() else [TOPIC, *self.served.web.seeds]
        fixed = ["--out", str(folder), "--quiet", "--json", "--connect-to", self.served.address]
        return ["crawl", *begin, *fixed, *options]

    def start(self, folder: Path, *options: str, own_group: bool = False) -> subprocess.Popen[str]:
        """Start; in a process group of its own where a test means to signal all of it, as a terminal does."""
        command = [str(HOMING), *self.words(folder, *options)]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=own_group
        )

    def run(self, folder: Path, *options: str) -> dict[str, object]:
        """Run to the end in a process of its own and return the figures."""
        return figures_of(self.start(folder, *options))

    def run_here(self, folder: Path, *options: str) -> dict[str, object]:
        """The same in this process."""
        done = called(*self.words(folder, *options))
        assert done.returncode == 0, done.stderr
        figures = json.loads(done.stdout)
        assert isinstance(figures, dict)
        return figures

    def interrupt_after(self, pages: int, folder: Path, *options: str) -> dict[str, object]:
        """Ctrl-C once that many pages have been fetched."""
        process = self.start(folder, *options)
        wait_until(lambda: fetched(folder) >= pages)
        process.send_signal(signal.SIGINT)
        return figures_of(process)


def figures_of(process: subprocess.Popen[str]) -> dict[str, object]:
    """What a crawl says at its end, which must be a good one."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    figures = json.loads(out)
    assert isinstance(figures, dict)
    return figures


def fetched(folder: Path) -> int:
    """Pages in the catalog, while a crawl writes it."""
    if not (folder / "crawl.db").exists():
        return 0
    with Reader(folder) as reader:
        count = reader.figures()["fetched"]
    assert isinstance(count, int)
    return count


def wait_until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def hears(process: int, number: signal.Signals) -> bool:
    """Has the process a handler of its own for that signal?"""
    (caught,) = [
        line.split()[1]
        for line in Path(f"/proc/{process}/status").read_text().splitlines()
        if line.startswith("SigCgt:")
    ]
    return bool(int(caught, 16) >> (number - 1) & 1)
