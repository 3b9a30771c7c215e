"""Documentation that has gone stale is a bug."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from homing.cli import COMMANDS
from homing.config import Config
from homing.crawler import engine

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "experiments" / "adaptive.md"
"""The text of a page in docs/: its links are written from there."""
FOLDERS = (".", "docs", "docs/decisions", "benchmarks", "experiments")
PAGES = sorted({page for folder in FOLDERS for page in (ROOT / folder).glob("*.md")} - {TEMPLATE})


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def test_the_examples_on_the_configuration_page_are_valid() -> None:
    for text in blocks("docs/configuration.md", "toml"):
        Config.of(tomllib.loads(text))


def anchors(page: Path) -> set[str]:
    """What links to the headings of a page are called."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", page.read_text()):
        other = page.parent / target if target else page
        assert other.exists(), target
        assert not anchor or anchor in anchors(other), f"{target}#{anchor}"


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


def test_every_page_is_listed() -> None:
    pages = {page.name for page in ROOT.glob("docs/*.md")} - {"README.md"}
    assert pages <= set(re.findall(r"\]\((\w+\.md)\)", (ROOT / "docs" / "README.md").read_text()))


def test_the_architecture_has_the_steps_of_the_engine() -> None:
    steps = re.findall(r"^ {4}(\d \w+) ", str(engine.__doc__), re.MULTILINE)
    assert len(steps) == 9
    page, picture = ((ROOT / "docs" / f"architecture.{kind}").read_text() for kind in ("md", "svg"))
    assert re.findall(r"^\| (\d \w+) \|", page, re.MULTILINE) == steps
    assert sorted(re.findall(r">(\d \w+)<", picture)) == steps


def test_every_benchmark_is_listed() -> None:
    names = re.findall(r'^    "(\w+)": ', (ROOT / "benchmarks" / "__main__.py").read_text(), re.MULTILINE)
    assert names
    listed = re.findall(r"^\| `(\w+)` ", (ROOT / "benchmarks" / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(names)
