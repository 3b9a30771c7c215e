from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from homing.errors import LockedError
from homing.store.folder import Layout, open_catalog
from homing.store.lock import Lock, is_held

HOLD = """
import sys, time
from pathlib import Path
from homing.store.lock import Lock
lock = Lock(Path(sys.argv[1]), command="homing crawl moths")
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[str]:
    path = tmp_path / "lock"
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_the_complaint_says_who_holds_the_folder(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    try:
        with pytest.raises(LockedError) as caught:
            Lock(tmp_path / "lock", command="homing crawl")
    finally:
        end(holder)
    assert str(caught.value) == (
        f"{tmp_path} is being written by process {holder.pid} (homing crawl moths); wait for it or stop it"
    )


def test_a_killed_process_holds_nothing(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    end(holder)
    Lock(tmp_path / "lock", command="homing crawl").release()


def test_a_lock_can_be_taken_again_after_its_release(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "lock", command="first")
    with pytest.raises(LockedError, match=rf"process {os.getpid()} \(first\)"):
        Lock(tmp_path / "lock", command="second")
    lock.release()
    lock.release()
    Lock(tmp_path / "lock", command="second").release()


def test_a_holder_on_another_machine_is_named(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "lock", command="homing crawl")
    (tmp_path / "lock").write_text('{"pid": 7, "host": "elsewhere", "command": "x"}')
    with pytest.raises(LockedError, match=r"process 7 \(x\) on elsewhere;"):
        Lock(tmp_path / "lock", command="y")
    (tmp_path / "lock").write_text("")
    with pytest.raises(LockedError, match="another process; wait for it"):
        Lock(tmp_path / "lock", command="y")
    lock.release()


def test_a_forked_child_that_outlives_a_killed_parent_does_not_keep_the_lock(tmp_path: Path) -> None:
    script = HOLD.replace(
        'print("held", flush=True)', "import os; os.fork() or print(os.getpid(), flush=True)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "lock")], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    try:
        Lock(tmp_path / "lock", command="next").release()
    finally:
        os.kill(child, signal.SIGKILL)
        parent.stdout.close()


def test_a_lock_is_held_as_long_as_its_writer_has_it(tmp_path: Path) -> None:
    lock = Layout(tmp_path / "crawl").lock
    assert not is_held(lock)
    store = open_catalog(tmp_path / "crawl", strategy="best-first", judge="keywords", wall=lambda: 0.0)
    assert is_held(lock)
    store.close()
    assert not is_held(lock)
    assert not is_held(tmp_path / "none")
