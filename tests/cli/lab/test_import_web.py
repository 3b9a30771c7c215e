"""``homing lab import`` and ``serve``; the other commands are tested in ``tests/lab/test_verify.py``."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from homing.lab.web.recorded import RecordedWeb

Homing = Callable[..., CompletedProcess[str]]


def line(path: str, *links: str, label: str = "") -> str:
    anchors = "".join(f'<p><a href="{link}">{link}</a> and more about it</p>' for link in links)
    body = f"<title>page {path}</title><h3>secret</h3><p>moths</p>{anchors}"
    fields = {"url": f"http://a.example{path}", "content_type": "text/html", "body": body}
    return json.dumps(fields | ({"labels": [label]} if label else {}))


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl.gz"
    lines = [line("/", "/a", "/b", "/gone"), line("/a", "/b", label="moths"), line("/b", "/", label="bees")]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_a_web_is_imported_and_its_figures_are_shown(homing: Homing, pages: Path) -> None:
    done = homing("lab", "import", pages, "--out", "web", "--cut", "<h3>.*?</h3>")
    assert done.returncode == 0
    figures = {words[0]: words[1] for words in map(str.split, done.stdout.splitlines()) if words}
    expected = {"replies": "3", "pages": "3", "links": "4", "outside": "1", "hosts": "1", "labels": "2"}
    assert figures.items() >= expected.items()
    assert done.stderr.strip() == ""
    with RecordedWeb(Path("web")) as web:
        assert web.labelled("moths") == ["http://a.example/a"]
        assert "secret" not in web.page("http://a.example/").text


def test_figures_come_as_json(homing: Homing, pages: Path, folder: Path) -> None:
    told = json.loads(homing("lab", "import", pages, folder, "--out", "web", "--json").stdout)
    assert (told["web"], told["replies"], told["pages"], told["hosts"]) == ("web", 7, 6, 3)
    assert told["size"] > 0
    assert told["troubles"] == []


def test_what_is_damaged_is_reported_and_the_rest_recorded(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text(f"{line('/')}\n{{\n{line('/a')}\n")
    done = homing("lab", "import", "pages.jsonl", "--out", "web", "--json")
    assert done.returncode == 0
    assert done.stderr.splitlines() == ["homing: pages.jsonl, line 2: no JSON"]
    assert json.loads(done.stdout)["pages"] == 2
    assert json.loads(done.stdout)["troubles"] == ["pages.jsonl, line 2: no JSON"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing", "--out", "web"], "cannot read missing: No such file"),
        (["notes.txt", "--out", "web"], "notes.txt is neither a WARC file"),
        (["pages.jsonl.gz", "--out", "web", "--cut", "["], "--cut is no regular expression"),
        (["pages.jsonl.gz", "--out", "notes.txt"], "notes.txt is there already"),
        (["empty.warc", "--out", "web"], "nothing was recorded"),
        (["pages.jsonl.gz"], "--out"),
        (["--out", "web"], "give what to record: either SRC ... or --little-web N"),
        (["pages.jsonl.gz", "--little-web", "1", "--out", "web"], "either SRC ... or --little-web N"),
        (["--little-web", "-1", "--out", "web"], "'--little-web'"),
    ],
)
def test_wrong_input_is_reported_in_one_line_and_nothing_is_written(
    homing: Homing, pages: Path, tmp_path: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "notes.txt").write_text("bees, moths")
    (tmp_path / "empty.warc").touch()
    before = sorted(path.name for path in tmp_path.iterdir())
    done = homing("lab", "import", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_web_that_is_not_there_cannot_be_served(homing: Homing) -> None:
    done = homing("lab", "serve", "nothing")
    assert done.returncode == 2
    assert done.stderr == "homing: nothing holds no recorded web; make one with `homing lab import`\n"


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """``homing lab serve`` in a process of its own, and the line it prints."""
    command = [sys.executable, "-m", "homing", "lab", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().split()
        finally:
            process.kill()


def test_a_served_web_is_crawled_as_it_says(homing: Homing, pages: Path) -> None:
    assert homing("lab", "import", pages, "--out", "web").returncode == 0
    with served(Path("web")) as (process, said):
        assert said[:4] == ["homing", "crawl", "TOPIC", "http://a.example/"]
        options = ["--concurrency", "1", "--pages", "9", "--out", "crawl", "--json"]
        done = homing("crawl", "moths", *said[3:], *options)
        assert done.returncode == 0
        assert json.loads(done.stdout)["fetched"] == 4, "the page that was not recorded answers too"
        assert json.loads(done.stdout)["failed"] == {}
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == os.EX_OK
    again = json.loads(homing("lab", "import", "crawl", "--out", "again", "--json").stdout)
    assert (again["pages"], again["replies"], again["links"]) == (3, 4, 5)
