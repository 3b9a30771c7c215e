"""A small disk, and a crawl that fills it."""

from __future__ import annotations

import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.hazards.machine.sound import Holdings, assert_sound, holdings
from tests.integration.command import Command

OPTIONS = ("--concurrency", "8", "--delay", "0", "--strategy", "breadth-first")


@contextmanager
def small_disk(path: Path, kibibytes: int) -> Iterator[Path]:
    """Mount a disk of that size; skip the test where none may be mounted."""
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "none", str(path)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if mounted.returncode:
        pytest.skip(f"no disk may be mounted here: {mounted.stderr.strip()}")
    try:
        yield path
    finally:
        # Lazily: the system may take a moment to release files that have been closed.
        subprocess.run(["umount", "--lazy", str(path)], check=True)
        path.rmdir()


def grow(disk: Path, kibibytes: int) -> None:
    """Resize a disk."""
    subprocess.run(["mount", "-o", f"remount,size={kibibytes}k", str(disk)], check=True)


def fill_and_resume(command: Command, disk: Path, pages: int) -> str:
    """Crawl until the disk is full, make room, resume to the end; return the message of the full disk."""
    folder = disk / "crawl"
    process = command.start(folder, *OPTIONS, "--pages", str(pages))
    acknowledged = Holdings(frozenset(), frozenset())
    try:
        while process.poll() is None:
            with suppress(sqlite3.OperationalError):  # a reader needs room, too, for the index of the log
                acknowledged = holdings(folder)
            time.sleep(0.01)
    finally:
        process.kill()
        out, said = process.communicate()
    assert (process.returncode, out) == (1, "")

    grow(disk, 100_000)
    full = holdings(folder)
    assert acknowledged.known <= full.known
    assert acknowledged.visited <= full.visited
    figures = command.run(folder, *OPTIONS, "--pages", str(pages))
    assert (figures["fetched"], figures["stop_reason"]) == (pages, "pages")
    now = holdings(folder)
    assert full.known <= now.known
    assert full.visited <= now.visited
    assert_sound(folder)
    return said
