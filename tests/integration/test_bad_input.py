"""What cannot work is refused: one line, exit code 2, and not a byte touched."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.calling import called
from tests.integration.command import HOMING

if TYPE_CHECKING:
    from tests.integration.command import Command

SEED = "http://127.0.0.1:9/"
"""Refused by the address guard: no packet is sent."""

Files = dict[str, bytes | None]


def files(folder: Path) -> Files:
    """Every file below a folder and what it holds; folders hold nothing.

    Of a lock, only that it is there: it names who came last. What SQLite lays beside a file to read it
    (shared memory, an empty log) is no data; a log with something in it is.
    """
    found = sorted(folder.rglob("*"))
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() and path.name != "lock" else None
        for path in found
        if not (path.name.endswith("-shm") or (path.name.endswith("-wal") and not path.stat().st_size))
    }


def refusal(folder: Path, *arguments: object) -> str:
    """The one line that is said; nothing below the folder may change."""
    before = files(folder)
    line = said(called(*arguments, cwd=folder))
    assert files(folder) == before
    return line


def said(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of a command that was refused."""
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("homing: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr.removeprefix("homing: ").rstrip("\n")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a crawl that has run, big enough to be damaged in the middle."""
    folder = tmp_path_factory.mktemp("template")
    done = called("crawl", "wild bees", SEED, "--out", "old", "--quiet", cwd=folder)
    assert done.returncode == 1, done.stderr
    with closing(sqlite3.connect(folder / "old" / "crawl.db")) as db, db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.executemany(
            "INSERT INTO robots VALUES (?, 200, ?, 0)",
            [(f"http://{number}.example", "Disallow: /x" * 20) for number in range(500)],
        )
    with closing(sqlite3.connect(folder / "old" / "crawl.db")) as db:
        db.execute("PRAGMA journal_mode = WAL")
    return folder


@pytest.fixture
def here(template: Path, tmp_path: Path) -> Path:
    """A folder with that crawl in ``old``."""
    shutil.copytree(template / "old", tmp_path / "old")
    return tmp_path


GO_ON = ("crawl", "--out", "old")


def test_the_crawl_that_is_damaged_below_is_sound(here: Path) -> None:
    done = called(*GO_ON, "--quiet", cwd=here)
    assert done.returncode == 1
    assert "nothing could be fetched" in done.stderr


def test_what_makes_no_sense_is_refused_before_a_folder_is_made(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("[pace]\ndelai = 1\n")
    whole = ("crawl", "wild bees", SEED)
    refusals = {
        ("crawl", "wild bees"): "no seeds",
        (*whole, "--strategy", "link-contxt"): 'did you mean "link-context"?',
        (*whole, "--concurency", "3"): 'did you mean "--concurrency"?',
        (*whole, "--config", "my.toml"): 'did you mean "delay"?',
    }
    for arguments, words in refusals.items():
        assert words in refusal(tmp_path, *arguments)


def test_a_process_of_its_own_says_and_returns_the_same(tmp_path: Path) -> None:
    command = [str(HOMING), "crawl", "wild bees", SEED, "--strategy", "link-contxt"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30, check=False)
    assert said(done) == refusal(tmp_path, *command[1:])
    assert files(tmp_path) == {}


def test_a_number_below_or_beyond_reason_is_refused_also_by_a_crawl_that_is_there(here: Path) -> None:
    numbers = (("--pages", "9" * 400), ("--delay", "-1e-9"))
    for each in numbers:
        assert refusal(here, *GO_ON, *each).startswith("--")


def test_another_topic_strategy_or_scope_says_which_differ(here: Path) -> None:
    others = ("--strategy", "random", "--scope", "host", "--max-depth", "3", "--language", "de")
    line = refusal(here, "crawl", "wasps", SEED, "--out", "old", *others)
    for words in (
        'topic text ("wild bees" there, "wasps" given)',
        'strategy name ("adaptive" there, "random" given)',
        'scope within ("any" there, "host" given)',
        "scope max_depth (none there, 3 given)",
        'scope language (none there, "de" given)',
    ):
        assert words in line


def test_a_folder_that_another_process_writes_says_which(homing: Command, tmp_path: Path) -> None:
    folder = tmp_path / "busy"
    process = homing.start(folder, "--delay", "1", "--concurrency", "2")
    try:
        end = time.monotonic() + 20
        while not (folder / "inbox.db").exists():
            assert time.monotonic() < end, "it did not start"
            time.sleep(0.05)
        done = called("crawl", "--out", folder, cwd=tmp_path)
    finally:
        process.kill()
        process.communicate()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert f"process {process.pid} (homing crawl" in done.stderr


def overwrite(path: Path, at: float) -> None:
    """Random bytes over some of a file, a part of its length from the start."""
    content = bytearray(path.read_bytes())
    begin = int(len(content) * at)
    content[begin : begin + 16_384] = random.Random(3).randbytes(16_384)
    path.write_bytes(content)


def text(path: Path) -> None:
    path.write_text("These are my notes on wild bees.\n" * 100)


def foreign(path: Path) -> None:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "early": (lambda path: overwrite(path, 0.3), "is damaged"),
    "late": (lambda path: overwrite(path, 0.6), "is damaged"),
    "empty": (lambda path: os.truncate(path, 0), "is no SQLite database"),
    "short": (lambda path: os.truncate(path, 5_000), "is damaged"),
    "cut": (lambda path: os.truncate(path, 60_000), "is damaged"),
    "text": (text, "is no SQLite database"),
    "foreign": (foreign, "belongs to another program"),
}
"""What may have happened to a catalog, and what is said of it."""


def test_a_catalog_that_is_damaged_or_not_ours_is_refused_as_it_is(template: Path, tmp_path: Path) -> None:
    for name, (damage, _) in DAMAGES.items():
        shutil.copytree(template / "old", tmp_path / name)
        damage(tmp_path / name / "crawl.db")
    before = files(tmp_path)
    for name, (_, trouble) in DAMAGES.items():
        line = said(called("crawl", "--out", name, cwd=tmp_path))
        assert line.startswith(f"{name}/crawl.db {trouble}")
        assert "choose another folder" in line
    assert files(tmp_path) == before


def test_a_strangers_folder_with_a_file_of_that_name_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    foreign(tmp_path / "theirs" / "crawl.db")
    assert "theirs/crawl.db belongs to another program" in refusal(
        tmp_path, "crawl", "wild bees", SEED, "--out", "theirs"
    )


def test_a_folder_full_of_other_things_is_no_crawl(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").write_text("\\chapter{Bees}")
    assert "thesis is not empty and no crawl" in refusal(
        tmp_path, "crawl", "wild bees", SEED, "--out", "thesis"
    )


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("bees")
    assert "notes.txt/crawl" in refusal(tmp_path, "crawl", "wild bees", SEED, "--out", "notes.txt/crawl")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here")
def test_a_file_system_that_takes_no_files(tmp_path: Path) -> None:
    assert "/proc/crawl cannot be written" in refusal(
        tmp_path, "crawl", "wild bees", SEED, "--out", "/proc/crawl"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_the_right_to_write(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    assert "closed/crawl cannot be written" in refusal(
        tmp_path, "crawl", "wild bees", SEED, "--out", "closed/crawl"
    )


# -- no bad input, but nothing to fetch


def test_a_seed_that_cannot_be_reached_is_a_recorded_failure_with_its_reason(tmp_path: Path) -> None:
    unreachable = ("crawl", "wild bees", SEED, "--allow-network", "127.0.0.1", "--out", "here")
    (tmp_path / "quick.toml").write_text("[fetch]\nretries = 0\n")
    done = called(*unreachable, "--config", "quick.toml", "--quiet", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"homing: nothing could be fetched: {SEED}: connect (")
    assert '"connect":1' in done.stdout.replace(" ", "")
    report = called("report", "here", "--json", cwd=tmp_path)
    assert report.stdout == done.stdout
    explained = called("explain", "here", SEED, "--json", cwd=tmp_path)
    assert explained.returncode == 0
    assert "connect" in explained.stdout
