"""``homing refresh`` on the little web: real pages over real HTTP, and what it says when it cannot."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.integration.command import HOMING, hears, wait_until

Homing = Callable[..., CompletedProcess[str]]


@pytest.fixture
def crawled(homing: Homing, tmp_path: Path) -> Path:
    """A crawl of a few pages of the little web, a month ago, whose server is no more."""
    folder = tmp_path / "here"
    done = homing("demo", "--pages", "12", "--out", str(folder))
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute("UPDATE visits SET asked_at = asked_at - 30 * 86400")
    return folder


def test_a_folder_without_a_crawl_and_bad_numbers_are_one_line(homing: Homing, tmp_path: Path) -> None:
    for arguments in (
        (str(tmp_path),),
        (str(tmp_path / "missing"),),
    ):
        done = homing("refresh", *arguments)
        assert done.returncode == 2
        assert "holds no crawl" in done.stderr
        assert done.stderr.count("\n") == 1


def test_nothing_is_due_so_soon(homing: Homing, crawled: Path) -> None:
    done = homing("refresh", str(crawled), "--older-than", "60", "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout).values()) == {0}
    for wrong in (("--limit", "many"), ("--older-than", "-1"), ("--limit", "nan")):
        refused = homing("refresh", str(crawled), *wrong)
        assert refused.returncode == 2
        assert refused.stderr == f"homing: {wrong[0]} {wrong[1]}: give a number\n"


def test_ctrl_c_names_the_command_that_resumes(crawled: Path) -> None:
    command = [str(HOMING), "refresh", str(crawled)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        wait_until(lambda: hears(process.pid, signal.SIGTERM))  # the hosts do not answer, and are tried again
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 0
    assert f"finishing the pages in flight; to resume: homing refresh {crawled}\n" in said
