"""A crawl folder that may only be read: on a medium mounted so, or of another user.

Expected: ``report``, ``search``, ``export`` and ``explain`` show what is there, after a clean stop and after
a kill, and leave the folder as it is. ``search`` finds what the index held then. Whatever must write is
refused in one line.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.calling import called
from tests.hazards.machine.disk import small_disk
from tests.integration.command import Command, fetched, serving, wait_until

OPTIONS = ("--concurrency", "8", "--delay", "0", "--strategy", "breadth-first")
NOBODY = 65_534
COMMANDS = ("report", "export", "search")


@pytest.fixture(scope="module", params=["stopped", "killed"])
def crawled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param) / "crawl"
    with serving(folder.parent / "requests.jsonl", latency=0.02) as served:
        command = Command(served)
        command.run(folder, *OPTIONS, "--pages", "60")
        if request.param == "killed":
            process = command.start(folder, *OPTIONS, "--pages", "1000")
            wait_until(lambda: fetched(folder) >= 120)
            process.kill()
            process.communicate()
            assert folder.joinpath("crawl.db-wal").exists()
    return folder


@contextmanager
def mounted(crawled: Path, disk: Path) -> Iterator[Path]:
    """A copy on a disk that is mounted read-only."""
    with small_disk(disk, 50_000) as path:
        shutil.copytree(crawled, path / "crawl")
        subprocess.run(["mount", "-o", "remount,ro", str(path)], check=True)
        yield path / "crawl"


@contextmanager
def another_user() -> Iterator[None]:
    """Without the rights of the administrator, whom no permission stops."""
    if os.getuid():
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def files(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_a_crawl_on_a_read_only_disk_can_be_read(crawled: Path, tmp_path: Path) -> None:
    figures = json.loads(called("report", str(crawled), "--json").stdout)
    with mounted(crawled, tmp_path / "disk") as folder:
        before = files(folder)
        assert json.loads(called("report", str(folder), "--json").stdout) == figures
        exported = called("export", str(folder), "--format", "jsonl").stdout.splitlines()
        assert len(exported) == figures["fetched"] >= 60
        page = next(each for each in map(json.loads, exported) if each["status"] == 200 and each["title"])
        explained = called("explain", str(folder), page["url"], "--json")
        assert json.loads(explained.stdout)["url"] == page["url"]
        found = called("search", str(folder), "garden OR local OR history", "--json")
        assert json.loads(found.stdout)["total"] > 0
        refused = called("crawl", "--out", str(folder), "--quiet")
        assert refused.returncode != 0
        assert refused.stderr.count("\n") == 1
        assert files(folder) == before


def test_a_crawl_of_another_user_can_be_read(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    shutil.copytree(crawled, folder)
    for command in COMMANDS:  # also loads what it needs, which the other user may not be able to
        called(command, str(folder), *["garden"] * (command == "search"))
    if (crawled / "crawl.db-wal").exists():  # a reader that may write has put it away
        shutil.rmtree(folder)
        shutil.copytree(crawled, folder)
    subprocess.run(["chmod", "-R", "a-w,a+rX", str(folder)], check=True)
    for parent in (each for each in folder.parents if each.stat().st_mode & 0o011 != 0o011):
        parent.chmod(parent.stat().st_mode | 0o055)
    with another_user():
        assert not os.access(folder, os.W_OK)
        for command in COMMANDS:
            done = called(command, str(folder), *["garden"] * (command == "search"))
            assert (done.returncode, done.stderr) == (0, "")
    subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
