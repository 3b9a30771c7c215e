"""Nothing in the folder that one stands in is run: not by commands, nor by any process that they start.

Python looks for modules in the working directory if it is started with ``-c`` or ``-m``, and that is how
worker processes and crawls of the web app are started (``processes``).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx
import pytest
from tests.integration.command import HOMING, Served
from tests.serve.crawling import config
from tests.serve.serving import TOKEN, serving

from homing.crawler.opening import open_crawl
from homing.demo.web.little_web import LittleWeb

MODULES = (
    "typer socket numpy msgspec multiprocessing pickle signal selectors subprocess asyncio aiohttp "
    "pydantic rich orjson selectolax concurrent logging threading tempfile json random struct"
).split()

PROGRAM = """
import homing

if __name__ == "__main__":
    settings = {"fetch": {"connect_to": "ADDRESS", "workers": 2}, "pace": {"delay": 0}}
    seen = homing.crawl_sync("butterfly gardening", SEEDS, out="OUT", pages=10, settings=settings)
    print(len(list(seen)))
"""


class HostileFolder:
    """A folder with a module of every name that Homing imports; each leaves a mark when it is run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        for name in MODULES:
            mark = str(path / f"{name}.was-run")
            (path / f"{name}.py").write_text(f"open({mark!r}, 'w').close()\nraise SystemExit('hostile')\n")

    def run(self, command: Sequence[object], **environment: str) -> str:
        """Run a command in it; return what it printed."""
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.check()
        assert done.returncode == 0, done.stderr
        return done.stdout

    def check(self) -> None:
        assert sorted(path.name for path in self.path.glob("*.was-run")) == []


@pytest.fixture
def hostile(tmp_path: Path) -> HostileFolder:
    return HostileFolder(tmp_path / "hostile")


COMMANDS = [[HOMING], [sys.executable, "-m", "homing"], [sys.executable, "-P", "-m", "homing"]]


@pytest.mark.parametrize("homing", COMMANDS, ids=["homing", "python -m homing", "python -P -m homing"])
def test_a_crawl_with_worker_processes(hostile: HostileFolder, served: Served, homing: list[object]) -> None:
    options = ["--connect-to", served.address, "--workers=2", "--delay=0", "--pages=10", "--quiet", "--out=c"]
    hostile.run([*homing, "crawl", "butterfly gardening", *served.web.seeds, *options])
    assert (hostile.path / "c" / "crawl.toml").exists(), "a relative path means what it meant"
    hostile.run([*homing, "crawl", "--out=c", "--pages=20", "--quiet"])


@pytest.mark.parametrize("homing", COMMANDS[:2], ids=["homing", "python -m homing"])
def test_the_processes_of_the_lab(hostile: HostileFolder, homing: list[object]) -> None:
    hostile.run([*homing, "lab", "import", "--little-web", "1", "--out", "web"])
    experiment = f"""
        web = "web"
        draws = 2
        budget = 20
        curve_to = 60
        strategies = ["breadth-first", "link-context"]
        [[topics]]
        label = "target"
        seeds = ["{LittleWeb(1).seeds[0]}"]
    """
    (hostile.path / "experiment.toml").write_text(experiment)
    hostile.run([*homing, "lab", "run", "experiment.toml", "--out", "run", "--processes", "2"])


def test_the_workers_of_a_program_that_lies_elsewhere(
    hostile: HostileFolder, served: Served, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    text = PROGRAM.replace("ADDRESS", served.address).replace("SEEDS", repr(list(served.web.seeds)))
    program.write_text(text.replace("OUT", str(tmp_path / "out")))
    assert hostile.run([sys.executable, program]) == "10\n"


@pytest.mark.parametrize("path", [None, "", ":", "."], ids=["no path", "empty", "two empty", "relative"])
def test_a_crawl_that_the_web_app_starts(
    hostile: HostileFolder, served: Served, path: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its working directory is the folder of the crawls, from where relative paths are meant."""
    if path is not None:
        monkeypatch.setenv("PYTHONPATH", path)
    mine = hostile.path / "mine"
    open_crawl(config(served.address, list(served.web.seeds), pages=10), mine).close()
    (mine / "crawl.toml").write_text((mine / "crawl.toml").read_text().replace("workers = 0", "workers = 1"))
    with serving(mine) as address, httpx.Client(base_url=address, trust_env=False) as owner:
        owner.headers["Authorization"] = f"Bearer {TOKEN}"
        filled = {"topic": "bees", "seeds": "\n".join(served.web.seeds), "delay": "0", "pages": "10"}
        started = owner.post("/new", data=filled, follow_redirects=True)
        wait_for(
            lambda: len(served.requests()) > 10, lambda: owner.get(started.url, follow_redirects=True).text
        )
    hostile.check()


def wait_for(is_there: Callable[[], bool], shown: Callable[[], str]) -> None:
    ends = time.monotonic() + 60
    while not is_there():
        assert time.monotonic() < ends, shown()
        time.sleep(0.1)
