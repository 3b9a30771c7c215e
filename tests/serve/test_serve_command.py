"""``homing serve`` as a shell runs it: ``cli/serve.py`` and ``serve/app.py``."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from homing.cli import main


def told(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    """Exit code and the one line of a call that goes wrong."""
    with pytest.raises(SystemExit) as left:
        main(["serve", *map(str, words)])
    out, err = capfd.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    return int(left.value.code or 0), line


def test_a_folder_that_is_no_crawl_is_refused(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        code, line = told(capfd, folder)
        assert code == 2
        assert line.startswith(f"homing: {folder} holds no crawl")
    assert list(tmp_path.iterdir()) == []


def test_a_port_in_use_is_refused(capfd: pytest.CaptureFixture[str], crawled: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, line = told(capfd, crawled, "--port", port)
    assert code == 2
    assert line == (
        f"homing: cannot serve on 127.0.0.1:{port}: Address already in use; "
        "choose another with --port or --host"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "70000"], "65535"),
        (["--host", "192.0.2.1"], "cannot serve on 192.0.2.1:8765"),
        (["--host", "no.such.name.invalid"], "cannot serve on no.such.name.invalid:8765"),
        (["--token", "short"], "--token is too short"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    capfd: pytest.CaptureFixture[str], crawled: Path, options: list[str], said: str
) -> None:
    code, line = told(capfd, crawled, *options)
    assert code == 2
    assert said in line


def test_it_prints_its_address_serves_and_ends_by_ctrl_c_though_a_page_is_watched(crawled: Path) -> None:
    command = [sys.executable, "-m", "homing", "serve", str(crawled), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        base, _, token = address.partition("?token=")
        assert len(token) >= 32
        with httpx.Client(base_url=base, follow_redirects=True) as client:
            assert client.get("", params={"token": token}).status_code == 200
            assert len(client.cookies) == 1
            # The form explains itself in the words of the command line.
            assert "Stop after N pages." in client.get("/new").text
            with client.stream("GET", "/events") as stream:
                assert next(stream.iter_lines()).startswith("data: ")
                began = time.monotonic()
                process.send_signal(signal.SIGINT)
                process.wait(10)
        assert time.monotonic() - began < 5
        assert process.returncode == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.communicate()
