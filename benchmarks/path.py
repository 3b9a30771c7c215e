"""The way of one page, counted: how many files and functions of ours the 40th page of a crawl runs through.

    python -m benchmarks.path [--list]

A reader who follows a page through the crawler opens as many files. ``--list`` names them, and the calls that
lead from one file to another.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType

import homing
from benchmarks.report import Result
from homing.demo.web.little_web import LittleWeb

PAGE = 40
"""The first pages open connections and read robots.txt; by then a crawl is in its stride."""
FILES, FUNCTIONS, CROSSINGS = 40, 180, 140
SECONDS = 60
SOURCE = str(Path(homing.__file__).parent)


class Path40:
    """A profiler of all threads, from one page's judgement to the next one's."""

    def __init__(self) -> None:
        self.pages = 0
        self.functions: set[CodeType] = set()
        self.crossings: Counter[tuple[CodeType, CodeType]] = Counter()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(SOURCE):
            return
        if code.co_name == "judge" and "judge" in Path(code.co_filename).parent.name:
            self.pages += 1
        if self.pages != PAGE - 1:
            return
        self.functions.add(code)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(SOURCE):
            caller = caller.f_back  # through asyncio, or a library that calls us back
        if caller is not None and caller.f_code.co_filename != code.co_filename:
            self.crossings[caller.f_code, code] += 1

    @property
    def files(self) -> set[str]:
        return {code.co_filename for code in self.functions}


def follow() -> Path40:
    """Crawl the little web over HTTP, one page at a time, best first."""
    path = Path40()
    command = [sys.executable, "-m", "homing.demo.web_server", "--seconds", str(SECONDS)]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            threading.setprofile(path)
            sys.setprofile(path)
            _crawl(address, Path(folder) / "crawl")
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            server.kill()
            server.wait()
    return path


def _crawl(address: str, folder: Path) -> None:
    web = LittleWeb(1)

    async def crawl() -> None:
        settings: dict[str, dict[str, object]] = {
            "fetch": {"connect_to": address, "concurrency": 1},
            "pace": {"delay": 0.0, "crawl_delay_cap": 0.05},
        }
        pages = PAGE + 5
        async with homing.open(
            web.topic, web.seeds, out=folder, pages=pages, strategy="best-first", settings=settings
        ) as opened:
            await opened.run()  # as the command line does

    asyncio.run(crawl())


def run() -> list[Result]:
    path = follow()
    figures = [
        ("files", len(path.files), FILES),
        ("functions", len(path.functions), FUNCTIONS),
        ("calls from one file into another", len(path.crossings), CROSSINGS),
    ]
    return [
        Result(f"{what} on the way of page {PAGE}", str(count), f"<= {most}", count <= most)
        for what, count, most in figures
    ]


def _show(path: Path40) -> None:
    names = Counter(code.co_filename.removeprefix(f"{SOURCE}/") for code in path.functions)
    for name, count in sorted(names.items()):
        functions = sorted(c.co_qualname for c in path.functions if c.co_filename == f"{SOURCE}/{name}")
        print(f"{name} ({count}): {', '.join(functions)}")
    for (caller, called), count in sorted(path.crossings.items(), key=str):
        here = caller.co_filename.removeprefix(f"{SOURCE}/")
        there = called.co_filename.removeprefix(f"{SOURCE}/")
        print(f"  {count:>4} {here}:{caller.co_qualname} -> {there}:{called.co_qualname}")


if __name__ == "__main__":
    followed = follow()
    if "--list" in sys.argv:
        _show(followed)
    print(f"page {PAGE}: {len(followed.files)} files, {len(followed.functions)} functions,", end=" ")
    print(f"{len(followed.crossings)} calls from one file into another")
