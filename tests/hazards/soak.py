"""The long versions of the tests in ``machine/``: ``make soak``, a quarter of an hour.

Fifty kills, disks of many sizes, and a database that stays locked for less than the crawl's patience, then
for more. They share their code with the tests; a broken promise ends the run with its assertion.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.hazards.machine.disk import fill_and_resume, small_disk
from tests.hazards.machine.kills import KillLoop
from tests.hazards.machine.locks import Intruder
from tests.hazards.machine.sound import assert_sound, holdings
from tests.integration.command import Command, fetched, serving, wait_until

from homing.store.catalog.database import PATIENCE
from homing.store.folder import Layout

SIZES = [4, 40, 90, 120, 140, 150, 160, 170, 180, 200, 240, 300, 400, 500, 700, 900, 1200, 1600, 1800, 2000]
"""Sizes of the disks in KiB: the first ten are full before the crawl has begun."""


def kills(folder: Path, count: int) -> None:
    """Kill a crawl ``count`` times, and check it after each."""
    log = folder / "requests.jsonl"
    with serving(log, pages=12_000, hosts=120, latency=0.05, seconds=60.0 * count) as served:
        loop = KillLoop(Command(served), folder / "crawl")
        for number in range(1, count + 1):
            loop.live_and_die()
            held = loop.held
            print(f"kill {number}: {len(held.visited):,} visits and {len(held.known):,} URLs are complete")
        loop.live_on(pages=100)
        urls = [(each["host"], each["path"]) for each in served.requests() if each["path"] != "/robots.txt"]
        print(f"{len(urls):,} requests for {len(set(urls)):,} URLs; all promises kept")


def disks(folder: Path, sizes: list[int]) -> None:
    """Fill disks of these sizes, make room, and resume."""
    for size in sizes:
        with (
            small_disk(folder / f"disk-{size}", size) as disk,
            serving(folder / f"{size}.jsonl") as served,
        ):
            said = fill_and_resume(Command(served), disk, pages=500)
        assert said.startswith("homing: the disk is full: "), said
        assert said.count("\n") == 1
        print(f"{size} KiB: stopped with one line, resumed to 500 pages")


def locks(folder: Path, patience: float) -> None:
    """Lock the database of a running crawl for less than its patience, then for more."""
    for name, seconds, code in (("short", patience * 0.8, 0), ("long", patience * 1.2, 1)):
        crawl = folder / name
        with serving(folder / f"{name}.jsonl", seconds=600.0) as served:
            command = Command(served)
            process = command.start(crawl, "--pages", "1000", "--delay", "1", "--strategy", "breadth-first")
            wait_until(lambda crawl=crawl: fetched(crawl) > 50)  # type: ignore[misc]
            with Intruder(Layout(crawl).database, seconds) as intruder:
                intruder.wait_for_lock()
                locked_at, held = time.monotonic(), holdings(crawl)
                _, said = process.communicate()
            assert process.returncode == code, said
            assert said.count("\n") == code
            assert code == 0 or "stays locked by another program" in said, said
            outcome = f"ended {time.monotonic() - locked_at:.0f} s later with exit code {code} {said.strip()}"
            print(f"locked for {seconds:.0f} s: {outcome}")
            command.run(crawl, "--pages", "1000", "--delay", "0")
            now = holdings(crawl)
            assert held.known <= now.known
            assert held.visited <= now.visited
        assert_sound(crawl)


def main() -> None:
    """Run all parts, or those that are named."""
    parts: dict[str, Callable[[Path], None]] = {
        "kills": lambda folder: kills(folder, options.kills),
        "disks": lambda folder: disks(folder, SIZES),
        "locks": lambda folder: locks(folder, PATIENCE),
    }
    parser = argparse.ArgumentParser(prog="python -m tests.hazards.soak", description=main.__doc__)
    parser.add_argument("part", nargs="*", choices=[[], *parts], help=", ".join(parts))
    parser.add_argument("--kills", type=int, default=50)
    options = parser.parse_args()
    for name in options.part or parts:
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            try:
                parts[name](Path(folder))
                print(f"{name}: {time.monotonic() - began:.0f} s")
            except pytest.skip.Exception as reason:
                print(f"{name}: skipped, {reason}")


if __name__ == "__main__":
    main()
