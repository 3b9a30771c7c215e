"""Writes docs/strategies.md from the strategies' own docstrings: ``make pages``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from homing.registry import Parameter
from homing.strategies import STRATEGIES, Strategy
from homing.strategies.trained.base import Trained

PAGE = Path(__file__).with_suffix(".md")
INTRODUCTION = """# The strategies

A strategy decides which URL of the frontier is fetched next: `homing crawl --strategy NAME --set
PARAMETER=VALUE`, or `[strategy]` in a [configuration](configuration.md). Some can be *fitted*: by `homing
fit` beforehand, to an earlier crawl or a recorded web, so that they know the way from the start; without a
model they fit themselves to the crawl's own pages as it proceeds. [The lab](lab.md) compares them on a web of
yours.

This page is written by `docs/strategies.py` from the classes in `src/homing/strategies/`.
"""


def page() -> str:
    """Return the whole page."""
    parts = [part for part in map(STRATEGIES.get, STRATEGIES.names()) if _is_ours(part)]
    return "\n".join([INTRODUCTION, *_contents(parts), *(line for part in parts for line in _section(part))])


def _is_ours(part: type[Strategy]) -> bool:
    """Return whether a class is one of ours, and not of an installed plug-in."""
    return part.__module__.startswith("homing.")


def _contents(parts: list[type[Strategy]]) -> Iterator[str]:
    yield "| strategy | in one line | fitted |"
    yield "|---|---|---|"
    for part in parts:
        fitted = "yes" if issubclass(part, Trained) else ""
        yield f"| [{part.name}](#{part.name}) | {_cell(part.summary)} | {fitted} |"
    yield ""


def _section(part: type[Strategy]) -> Iterator[str]:
    doc = inspect.cleandoc(part.__doc__ or "")
    first, _, rest = doc.partition("\n\n")
    yield f"## {part.name}"
    yield f"{_markdown(first)}\n"
    if idea := _before_sections(rest):
        yield f"{_markdown(idea)}\n"
    if parameters := STRATEGIES.describe(part.name)["parameters"]:
        yield "| parameter | default | meaning |"
        yield "|---|---|---|"
        yield from map(_row, parameters)
        yield ""
    yield f"**Where it is from, and what is different here.** {_markdown(_references(doc))}\n"


def _row(parameter: Parameter) -> str:
    default = parameter["default"]
    shown = f'"{default}"' if isinstance(default, str) else str(default)
    return f"| `{parameter['name']}` | `{shown}` | {_cell(parameter['help'])} |"


def _before_sections(doc: str) -> str:
    """Return what a docstring says before its first heading."""
    return re.split(r"^\S[^\n]*\n-+$", doc, maxsplit=1, flags=re.MULTILINE)[0].strip()


def _references(doc: str) -> str:
    """Return the last section of a docstring."""
    return doc.partition("\nReferences\n----------\n")[2].strip()


def _markdown(text: str) -> str:
    """Return Markdown with code in single back quotes and a line for each paragraph."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    return "\n\n".join(paragraphs).replace("``", "`")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
