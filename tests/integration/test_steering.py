"""A running command steered from outside: commands through the inbox, and signals."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from homing.store.inbox import Inbox

if TYPE_CHECKING:
    from tests.integration.command import Command, Served


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def answers(folder: Path) -> list[str | None]:
    with closing(sqlite3.connect(folder / "inbox.db")) as db:
        return [note for (note,) in db.execute("SELECT note FROM commands ORDER BY id")]


def test_a_command_is_paused_sent_on_its_way_and_stopped_from_outside(
    homing: Command, served: Served, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    process = homing.start(folder, "--delay", "0.05", "--concurrency", "4")
    try:
        until(lambda: len(served.requests()) > 10)
        inbox = Inbox(folder)
        inbox.send("pause", {})
        until(lambda: answers(folder) == ["done"])
        time.sleep(0.2)  # what was in flight
        asked = len(served.requests())
        time.sleep(0.8)
        assert len(served.requests()) == asked
        blocked = served.web.hosts[1]
        inbox.send("block", {"pattern": blocked})
        inbox.send("resume", {})
        until(lambda: len(served.requests()) > asked + 10)
        inbox.send("stop", {})
        inbox.close()
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert json.loads(out)["stop_reason"] == "stop command"
    paused, blocked_answer, resumed, stopped = answers(folder)
    assert (paused, resumed, stopped) == ("done", "done", "done")
    assert blocked_answer is not None
    assert blocked_answer.startswith("done")
    assert not [request for request in served.requests()[asked:] if request["host"] == blocked]

    # Resumed, the crawl remembers the block and has forgotten the stop.
    before = len(served.requests())
    figures = homing.run_here(folder, "--pages", str(int(json.loads(out)["fetched"]) + 20), "--delay", "0.05")
    assert figures["stop_reason"] == "pages"
    assert not [request for request in served.requests()[before:] if request["host"] == blocked]


def test_sigterm_stops_a_command_as_cleanly_as_ctrl_c(
    homing: Command, served: Served, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    process = homing.start(folder, "--delay", "0.05")
    try:
        until(lambda: len(served.requests()) > 10)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 0, err
    figures = json.loads(out)
    assert figures["stop_reason"] == "interrupted"
    answered = [
        request
        for request in served.requests()
        if request["path"] != "/robots.txt"
        and "sitemap" not in str(request["path"])
        and int(str(request["status"])) in (200, 404, 410)
    ]
    assert figures["fetched"] == len(answered)  # none was dropped
