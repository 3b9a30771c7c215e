"""What docstrings and comments mention exists: files, modules, attributes of classes."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.project.test_mentions import is_a_name

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "homing"
FOLDERS = ("src", "tests", "benchmarks", "experiments", "docs", "examples")
MODULES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
NAMES = {path.stem for path in SOURCE.iterdir()}
"""Modules and packages of Homing, by which a dotted name is told from other code."""

FILE = re.compile(r"(?<![\w/.:-])(?:(?:[\w.-]+/)*[\w-]+\.py|(?:[\w.-]+/)+[\w-]+\.md)\b(?![/\w])")
DOTTED = re.compile(r"(?<=`)[a-z]\w*(?:\.[A-Za-z_]\w*)+(?=[`(])")
ATTRIBUTE = re.compile(r"(?<=`)([A-Z]\w*[a-z]\w*)\.([a-z_]\w*)(?=[`(])")
LISTED = re.compile(r"^ *(?:- )?((?:``\w+/?``(?:, | and )?)+)(?::|  )", re.MULTILINE)
SUFFIXES = {"py", "db", "log", "json", "jsonl", "toml", "model"}
"""What makes a name like ``topic.model`` a file, and no dotted name."""
OTHER_CODE = {"judge.KEY", "topic.rate"}
"""Keys of the configuration, and methods of a variable."""


@cache
def prose(path: Path) -> str:
    """Return the docstrings of a module, those of its values included, and its comments."""
    source = path.read_text(encoding="utf-8")
    told = [
        node.value.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str)
    ]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n".join([*told, *(token.string for token in tokens if token.type == tokenize.COMMENT)])


@cache
def members() -> dict[str, set[str]]:
    """Return what every class of Homing has, by its name: methods, fields, attributes set on ``self``."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name] |= set(_members_of(node))
    return found


def _members_of(node: ast.ClassDef) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield name


def test_files_that_docstrings_mention_exist() -> None:
    missing = []
    for path in MODULES:
        places = [ROOT / "src", *(place for place in [SOURCE, *path.parents] if place.is_relative_to(ROOT))]
        names = FILE.findall(prose(path))
        missing += [(path, name) for name in names if not any((place / name).exists() for place in places)]
    assert missing == []


def test_modules_and_their_contents_that_docstrings_mention_exist() -> None:
    missing = []
    for path in MODULES:
        packages = path.relative_to(SOURCE).parent.parts if path.is_relative_to(SOURCE) else ()
        for name in set(DOTTED.findall(prose(path))) - OTHER_CODE:
            first, *_, last = name.split(".")
            if first not in {"homing", *NAMES} or last in SUFFIXES:
                continue
            # A dotted name starts at the top, at ``homing``, or at a package around the module.
            starts = [".".join(("homing", *packages[:depth], name)) for depth in range(len(packages) + 1)]
            if not any(map(is_a_name, [name, *starts])):
                missing.append((path, name))
    assert missing == []


def test_attributes_that_docstrings_mention_exist() -> None:
    mentioned = [(path, *pair) for path in MODULES for pair in ATTRIBUTE.findall(prose(path))]
    assert [each for each in mentioned if each[1] in members() and each[2] not in members()[each[1]]] == []


def test_modules_that_the_docstring_of_a_package_lists_exist() -> None:
    missing = []
    for path in MODULES:
        if path.name == "__init__.py":
            there = {each.stem for each in path.parent.iterdir()} | {"and"}
            doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            listed = {name for item in LISTED.findall(doc) for name in re.findall(r"\w+", item)}
            missing += [(path, name) for name in listed - there]
    assert missing == []
