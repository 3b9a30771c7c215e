"""No worker process outlives the command that has started it, however that ends."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest
from tests.integration.command import HOMING, wait_until

PAGES = 4_000


def alive(session: int) -> list[int]:
    """The processes of a session that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, number = path.read_text().rpartition(")")[2].split()[:4]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(number) == session and state != "Z":
            found.append(int(path.parent.name))
    return found


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Many pages, each of which takes a few milliseconds to parse."""
    path = tmp_path / "pages.jsonl"
    body = "<title>moths</title>" + '<p><a href="/a">moth</a> and more</p>' * 400
    with path.open("w") as file:
        for number in range(PAGES):
            url = f"http://a.example/{number}"
            file.write(json.dumps({"url": url, "content_type": "text/html", "body": body}) + "\n")
    return path


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_an_import_that_is_ended_leaves_no_process_behind(
    tmp_path: Path, pages: Path, number: signal.Signals
) -> None:
    out = tmp_path / "web"
    command = [str(HOMING), "lab", "import", str(pages), "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        wait_until(lambda: len(alive(process.pid)) >= 4)  # with the tracker of resources
        process.send_signal(number)
        code = process.wait(20)
        wait_until(lambda: not alive(process.pid), 10)
    finally:
        for each in alive(process.pid):
            subprocess.run(["kill", "-9", str(each)], check=True)
        process.wait(20)
    if number is not signal.SIGKILL:
        assert code == 130
        assert not out.exists()
