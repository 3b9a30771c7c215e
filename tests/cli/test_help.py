"""Help, version, and ``strategies_and_judges``, the lists of components."""

import json
import subprocess
import sys
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from homing.cli import COMMANDS

Homing = Callable[..., CompletedProcess[str]]


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_lists_every_command_with_its_summary(homing: Homing, arguments: tuple[str, ...]) -> None:
    done = homing(*arguments)
    assert done.returncode == 0
    for name, command in COMMANDS.items():
        assert f" {name} " in done.stdout
        assert command.summary in done.stdout


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help(homing: Homing, name: str) -> None:
    done = homing(name, "--help")
    assert done.returncode == 0
    assert f"homing {name}" in done.stdout


CRAWL_OPTIONS = """
    --example --not-example --code --model
    --judge --strategy --set --pages --minutes --relevant --scope --include --exclude --max-depth
    --pages-per-host --language --seed-file --out --config --concurrency --delay --user-agent --contact
    --header --proxy --bytes-per-second --connect-to --allow-network --workers --random-seed --quiet --json
""".split()


def test_crawl_has_every_option_of_the_contract(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    shown = homing("crawl", "--help").stdout
    assert [option for option in CRAWL_OPTIONS if f"{option} " not in shown] == []


def test_the_version_is_shown(homing: Homing) -> None:
    done = homing("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("homing 0.")


HEAVY = (
    "aiohttp fastapi fastwarc isal jinja2 msgspec numpy orjson pydantic resiliparse scipy selectolax sklearn "
    "tantivy uvicorn wordfreq homing.config homing.crawler homing.judge homing.store homing.strategies"
).split()


@pytest.mark.parametrize(
    "code",
    [
        "import homing",
        "from homing.cli import main; main(['--help'])",
        "from homing.cli import main; main(['crawl', '--help'])",
    ],
)
def test_help_loads_no_heavy_module(code: str) -> None:
    code = f"import sys\ntry: {code}\nexcept SystemExit: pass\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(HEAVY) & set(done.stdout.splitlines()[-1].split()) == set()


def test_to_search_no_http_client_is_loaded() -> None:
    code = "import sys, homing.cli.search; sys.exit('aiohttp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("command", "known"),
    [("strategies", {"breadth-first", "random", "best-first", "link-context"}), ("judges", {"keywords"})],
)
def test_strategies_and_judges_are_described(homing: Homing, command: str, known: set[str]) -> None:
    parts = json.loads(homing(command, "--json").stdout)
    assert known <= {part["name"] for part in parts}
    for part in parts:
        assert part.keys() == {"name", "summary", "parameters", "paper", "needs_training"}
        for parameter in part["parameters"]:
            assert parameter.keys() == {"name", "default", "help"}
    shown = homing(command).stdout
    for part in parts:
        assert part["name"] in shown
        assert part["summary"] in shown
