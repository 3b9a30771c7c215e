"""Documentation that has gone stale is a bug."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from homing.cli import COMMANDS
from homing.config import Config

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def test_the_examples_on_the_configuration_page_are_valid() -> None:
    for text in blocks("docs/configuration.md", "toml"):
        Config.of(tomllib.loads(text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_commands_in_the_readme_exist() -> None:
    words = re.findall(r"^(?:\.venv/bin/)?homing (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert words
    assert set(words) <= set(COMMANDS)


def test_the_example_runs() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "little_web.py"], capture_output=True, text=True, check=True
    )
    assert len(done.stdout.splitlines()) >= 10
    assert "butterfly" in done.stdout.lower()
