"""``homing fit`` with the real command: what is broken off leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from homing.model import Reply
from homing.records import Record, write_records
from homing.urls import host

if TYPE_CHECKING:
    from tests.integration.command import Served

HOMING = Path(sys.executable).with_name("homing")


def test_ctrl_c_while_examples_are_fetched_leaves_nothing_behind(served: Served, tmp_path: Path) -> None:
    page = served.web.pages[served.web.seeds[0]]
    reply = Reply(url=served.web.seeds[0], final_url=served.web.seeds[0], status=200, body=page.body)
    write_records(tmp_path / "web.jsonl", [Record(reply=reply)])
    before = sorted(tmp_path.iterdir())
    example = next(url for url in sorted(served.web.targets) if served.web.pages[url].status == 200)
    command = [str(HOMING), "fit", "web.jsonl", "--strategy", "q-learning", "--out", "a.model"]
    command += ["--example", example, "--connect-to", served.address, "--delay", "60"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        end = time.monotonic() + 20
        while not served.requests() and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.2)  # robots.txt has come, and the page has to wait a minute
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 130
    assert said == "fetching 1 example page first\nhoming: interrupted\n"
    assert [(each["host"], each["path"]) for each in served.requests()] == [(host(example), "/robots.txt")]
    assert sorted(tmp_path.iterdir()) == before
