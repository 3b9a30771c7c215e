"""How long does a crawl with a million known URLs take until its first fetch?

A catalog is filled through the store as a crawl would fill it. Then ``homing crawl --out`` resumes it against
a server that reports its first connection.
"""

import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.report import Result
from homing.config import Config
from homing.model import Entry, Host, Priority
from homing.store.folder import Layout, open_catalog
from homing.urls import key

SIZES = (100_000, 1_000_000)
HOSTS = 1_000
BATCH = 10_000


def run() -> list[Result]:
    results, seconds = [], {}
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            _fill(Path(folder), size)
            seconds[size] = _first_fetch(Path(folder))
        bar, reached = ("≤ 15 s", seconds[size] <= 15) if size == SIZES[-1] else ("", None)
        what = f"from the command to the first fetch, {size:,} known URLs"
        results.append(Result(what, f"{seconds[size]:.1f} s", bar, reached))
    ratio = seconds[SIZES[1]] / seconds[SIZES[0]]
    return [*results, Result("  of that at 100,000", f"{ratio:.1f} times")]


def _fill(folder: Path, size: int) -> None:
    seeds = {"urls": ["http://host-0.example/0.html"]}
    config = Config.of({"topic": {"text": "bees"}, "judge": {"name": "keywords"}, "seeds": seeds})
    store = open_catalog(folder, strategy="link-context", judge="keywords", wall=time.time)
    Layout(folder).config.write_text(config.dump())
    store.add_hosts([Host(number=number, name=f"host-{number}.example") for number in range(HOSTS)])
    for start in range(0, size, BATCH):
        numbers = range(start, start + BATCH)
        store.add([_entry(number) for number in numbers], [number % HOSTS for number in numbers])
    store.commit()
    store.close()


def _entry(number: int) -> Entry:
    url = f"http://host-{number % HOSTS}.example/{number}.html"
    parent = number // 60 if number else None
    return Entry(
        key=key(url),
        url=url,
        priority=Priority(score=(number * 7919 % 1_000) / 1_000),
        why=(("page", 0.2), ("context", 0.4)),
        depth=1 if number else 0,
        parent=parent,
        anchor=f"page number {number}",
        seq=number,
    )


def _first_fetch(folder: Path) -> float:
    requested = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_wait_for_request, args=(server, requested), daemon=True).start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        homing = str(Path(sys.executable).with_name("homing"))
        began = time.perf_counter()
        command = [homing, "crawl", "--out", str(folder), "--connect-to", address, "--pages", "1", "--quiet"]
        with subprocess.Popen(command) as process:
            if not requested.wait(120):
                raise RuntimeError("nothing was fetched within two minutes")
            took = time.perf_counter() - began
            process.kill()
        return took


def _wait_for_request(server: socket.socket, requested: threading.Event) -> None:
    server.accept()
    requested.set()
