"""Whatever a page holds, a terminal gets no command from it: tried with a real terminal and a whole crawl."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
import termios
import unicodedata
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from aiohttp import web
from rich.table import Table
from rich.text import Text

from homing.cli import output
from homing.config import Config
from homing.crawler.index.catch_up import catch_up
from homing.crawler.opening import open_crawl
from homing.store.views.reader import Reader

CLI = Path(output.__file__).parent

TITLE = (
    "=Moths \x1b]0;owned\x07\x1b[2J \x9b3m\x1bP+q\x1b\\ \u202egnp\u2066 \u200b\x7f&#10;homing: forged\r\nx"
)
TEXT = "Moths \x1b[3D \x9d0;owned\x9c are moths \u202edesrever of the night. " * 20
ANCHOR = "+moths \x1b[5m \u202eno"

OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AK]|\r")
"""What Rich sends itself: colours, the cursor, and the panel being drawn again."""


def harmful(shown: str) -> set[str]:
    """The characters in what a terminal got that could control it, other than line breaks."""
    rest = OWN.sub("", shown).replace("\n", "")
    return {letter for letter in rest if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")}


async def _answer(request: web.BaseRequest) -> web.Response:
    if request.path == "/robots.txt":
        return web.Response(status=404)
    if request.path == "/gone":
        return web.Response(status=410, reason="Gone")
    links = f'<a href="/b">{ANCHOR}</a> <a href="/%1b[2J">{ANCHOR}</a> <a href="/gone">{ANCHOR}</a>'
    page = f"<html><head><title>{TITLE} {request.path}</title></head><body><p>{TEXT}</p>{links}</body></html>"
    return web.Response(text=page, content_type="text/html", charset="utf-8")


class Hostile:
    """The server of one host, as long as the block runs."""

    async def __aenter__(self) -> str:
        self._runner = web.ServerRunner(web.Server(_answer), shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return "{}:{}".format(*self._runner.addresses[0])

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()


async def _crawl(folder: Path) -> None:
    async with Hostile() as address:
        config = Config.of(
            {
                "topic": {"text": "moths"},
                "seeds": {"urls": ["http://hostile.example/"]},
                "fetch": {"connect_to": address, "concurrency": 1},
                "pace": {"delay": 0.0},
            }
        )
        crawl = open_crawl(config, folder)
        try:
            await crawl.run()
        finally:
            crawl.close()


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("output") / "hostile"
    asyncio.run(_crawl(folder))
    catch_up(folder, command="test")
    return folder


def on_terminal(*words: object) -> str:
    """Run a command on a terminal of its own; return what that got."""
    ours, theirs = pty.openpty()
    attributes = termios.tcgetattr(theirs)
    attributes[1] &= ~termios.ONLCR
    termios.tcsetattr(theirs, termios.TCSANOW, attributes)
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    command = [sys.executable, "-m", "homing", *map(str, words)]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:  # the last process has closed the terminal
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    process.wait(60)
    return shown.decode()


@pytest.mark.parametrize(
    "words",
    [
        ("report",),
        ("explain", "http://hostile.example/b"),
        ("explain", "http://hostile.example/b", "--json"),
        ("explain", "http://hostile.example/\x1b]0;owned\x07\u202e"),
        ("search", "moths"),
        ("search", "moths", "--json"),
        ("search", "--text", "http://hostile.example/b"),
        ("search", "--text", "http://hostile.example/\x1b[2J\u202e"),
        *(("export", "--text", "--format", form) for form in ("jsonl", "csv")),
        ("export", "--format", "graphml"),
    ],
    ids=" ".join,
)
def test_a_terminal_gets_no_command_from_a_page(crawled: Path, words: tuple[str, ...]) -> None:
    shown = on_terminal(words[0], crawled, *words[1:])
    assert harmful(shown) == set()
    assert shown.strip()
    assert not re.search("^homing: forged", shown, re.MULTILINE)
    if "hostile.example/b" in words[-1] or words[0] == "export":
        assert "hostile.example/b" in shown or "Moths" in shown


def test_a_judge_says_nothing_of_that_kind_either(tmp_path: Path) -> None:
    page = tmp_path / "a\x1b[2J\u202eb.html"
    page.write_text(f"<title>{TITLE}</title><p>{TEXT}</p>")
    for more in ((), ("--json",)):
        shown = on_terminal("judge", "--topic", "moths \x1b[2J", "--example", page, page, *more)
        assert "moths" in shown
        assert harmful(shown) == set()


def test_nor_does_the_panel_of_a_crawl(tmp_path: Path) -> None:
    async def watch() -> str:
        async with Hostile() as address:
            options = ("--connect-to", address, "--delay", "0", "--out", tmp_path / "c\x1b[2J\u202erawl")
            words = ("crawl", "moths \x1b[2J\u202e", "http://hostile.example/", *options)
            return await asyncio.to_thread(on_terminal, *words)

    shown = asyncio.run(watch())
    assert "relevant" in shown
    assert harmful(shown) == set()


def test_json_on_a_terminal_is_the_same_json(crawled: Path) -> None:
    with Reader(crawled) as reader:
        titles = {row.url: row.title for row in reader.pages()}
    assert any("\x1b" in title and "\x9b" in title and "\u202e" in title for title in titles.values())
    shown = on_terminal("export", crawled)
    assert {page["url"]: page["title"] for page in map(json.loads, shown.splitlines())} == titles


def test_a_file_gets_it_as_it_is(crawled: Path, homing: Callable[..., CompletedProcess[str]]) -> None:
    with Reader(crawled) as reader:
        titles = [row.title for row in reader.pages(ranked=True)]
    lines = homing("export", crawled).stdout.splitlines()
    assert [json.loads(line)["title"] for line in lines] == titles
    assert "\u202e" in lines[0]
    rows = list(csv.DictReader(io.StringIO(homing("export", crawled, "--format", "csv").stdout, newline="")))
    assert [row["title"] for row in rows] == [f"'{title}" if title else "" for title in titles]


def test_a_console_strips_commands_from_texts_and_keeps_its_own(capfd: pytest.CaptureFixture[str]) -> None:
    console = output.results()
    table = Table.grid()
    table.add_row(Text("a\x1b[2Jb", style="bold"), "c\x9bd\u202e")
    for thing in ("[bold]a\x1b[2Jb :bee:", Text("a\x1b[2Jb\udc80"), table):
        console.print(thing)
    assert capfd.readouterr().out == "[bold]a[2Jb :bee:\na[2Jb\na[2Jbcd\n"


def test_everything_is_printed_by_way_of_output() -> None:
    """But the help, and the line of an error, which ``homing.cli`` prints itself, in printable letters."""
    around = re.compile(r"\bConsole\(|typer\.s?echo|sys\.(__)?std(out|err)|click\.s?echo")
    found = {
        str(path.relative_to(CLI)) for path in CLI.rglob("*.py") if around.search(path.read_text("utf-8"))
    }
    assert found == {"output.py", "__init__.py"}
