"""The little web served from a process of its own, and the command line as people use it."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from homing.demo.web import LittleWeb
from homing.store.reader import Reader

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


@dataclass(frozen=True)
class Command:
    """``homing crawl`` on a served web."""

    served: Served

    def start(self, folder: Path, *options: str) -> subprocess.Popen[str]:
        begin = [] if (folder / "crawl.toml").exists() else [TOPIC, *self.served.web.seeds]
        command = [str(HOMING), "crawl", *begin, "--out", str(folder), "--quiet", "--json"]
        command += ["--connect-to", self.served.address, *options]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, folder: Path, *options: str) -> dict[str, object]:
        """Run to the end and return the figures."""
        process = self.start(folder, *options)
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        figures = json.loads(out)
        assert isinstance(figures, dict)
        return figures

    def interrupt_after(self, pages: int, folder: Path, *options: str) -> dict[str, object]:
        """Ctrl-C once that many pages have been fetched."""
        process = self.start(folder, *options)
        wait_until(lambda: fetched(folder) >= pages)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
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


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    log = tmp_path / "requests.jsonl"
    log.touch()
    command = [sys.executable, "-m", "homing.demo.server", "--log", str(log), "--seconds", "150"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        yield Served(web=LittleWeb(1), address=address, log=log)
        process.terminate()


@pytest.fixture
def homing(served: Served) -> Command:
    return Command(served)
