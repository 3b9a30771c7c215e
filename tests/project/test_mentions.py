"""What the documentation mentions exists: modules, commands and their options, targets of make."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer.main

from homing.cli import COMMANDS, application
from homing.judge import JUDGES
from homing.strategies import STRATEGIES

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "homing"
GLOSSARY = ROOT / "docs" / "glossary.md"
FOLDERS = ("docs", "benchmarks", "experiments", "tests")
PAGES = sorted({*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))})
ENTRY_POINTS = {STRATEGIES.group, JUDGES.group}

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
COMMAND = re.compile(r"(?:^|[\s/$])homing ([a-z]+)(?: ([a-z]+))?([^#|]*)")
FILE = re.compile(
    r"(?:[\w.-]+/)+[\w*-]+\.py\b"  # in running text too
    r"|(?<=`)[\w*-]+\.py(?=`)"
    r"|(?<=`)(?:[\w-]+/)+[\w*-]+\.(?:toml|md)(?=`)"
    r"|(?<=`)(?:src/)?homing/[\w/]+(?=`)"
    r"|(?<=`)(?:[\w-]+/)+(?=`)"  # a folder
)
WRITTEN_BY_A_CRAWL = {"warc/", "index/"}
"""Folders that are not in the repository."""
DOTTED = re.compile(r"(?<=`)homing(?!\.json)(?:\.\w+)+(?=[`(])")


def spans(text: str) -> list[str]:
    """Code in a page: what stands in back quotes, and the lines of blocks in no other language."""
    blocks = [block for language, block in BLOCK.findall(text) if not language]
    inline = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", BLOCK.sub("", text))
    return [line for block in blocks for line in block.splitlines()] + inline


def commands(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """The commands in a page: name, first word after it, options."""
    for span in spans(text):
        for name, word, rest in COMMAND.findall(span):
            yield name, word, OPTION.findall(rest)


@cache
def options(name: str) -> dict[str, set[str]]:
    """The options of a command, or of each command of a group."""
    command = getattr(typer.main.get_command(application(name)), "commands")[name]  # noqa: B009
    known = getattr(command, "commands", {"": command})
    return {
        word: {"--help"} | {text for parameter in each.params for text in parameter.opts}
        for word, each in known.items()
    }


def is_a_module(dotted: str) -> bool:
    """Whether there is such a module; ``find_spec`` objects where its parent is no package."""
    try:
        return find_spec(dotted) is not None
    except ModuleNotFoundError:
        return False


def is_a_name(dotted: str) -> bool:
    """Whether a dotted name is that of a module, or of something in one."""
    if dotted in ENTRY_POINTS:
        return True
    if is_a_module(dotted):
        return True
    module, _, name = dotted.rpartition(".")
    return is_a_module(module) and hasattr(import_module(module), name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_mentions_exist(page: Path) -> None:
    for path in set(FILE.findall(page.read_text())) - WRITTEN_BY_A_CRAWL:
        # Paths start at the repository, at src/homing, at the strategies or at the page.
        names = [path, f"{path.rstrip('/')}.py"]  # a package may be a single module
        places = [ROOT, ROOT / "src", SOURCE, SOURCE / "strategies", page.parent]
        assert any(list(place.glob(name)) for place in places for name in names), path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_that_a_page_mentions_exist(page: Path) -> None:
    for name in DOTTED.findall(page.read_text()):
        assert is_a_name(name), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_a_page_mentions_exist_with_their_options(page: Path) -> None:
    for name, word, used in commands(page.read_text()):
        assert name in COMMANDS, name
        known = options(name)
        if COMMANDS[name].is_group:
            assert word in known or not (word or used), f"{name} {word}"
        mine = known.get(word) or known.get("", set())
        assert set(used) <= mine, f"{name} {word}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_a_page_mentions_are_options_of_a_command(page: Path) -> None:
    everything = {option for name in COMMANDS for known in options(name).values() for option in known}
    alone = [span for span in spans(page.read_text()) if span.startswith("--")]
    assert {option for span in alone for option in OPTION.findall(span)} <= everything


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_targets_of_make_that_a_page_mentions_exist(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for span in spans(page.read_text()):
        if found := re.match(r"make ([a-z]+)", span):
            assert found[1] in targets, found[1]


def test_every_word_of_the_glossary_names_its_module() -> None:
    rows = re.findall(r"^\| (?!word)(.+?) \| .+ \| (.+?) \|$", GLOSSARY.read_text(), re.MULTILINE)
    words = [word for word, _ in rows]
    assert len(words) >= 30
    assert len(set(words)) == len(words)
    for word, module in rows:
        assert is_a_name(module.strip("`")), f"{word}: {module}"
