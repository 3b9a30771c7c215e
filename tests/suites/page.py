"""docs/reliability.md: what is survived, and how far we agree with what others expect."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.suites import addresses, documents, rules
from tests.suites.suite import Suite

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability.md"
HAZARDS = {
    "network": "What hosts and networks do",
    "content": "What pages and rules contain",
    "machine": "What the machine does",
}
"""Folders of tests/hazards, and their headings."""
SUITES = [*addresses.SUITES, *rules.SUITES, *documents.SUITES]


def text() -> str:
    """The whole page."""
    return "\n".join([*_head(), *_hazards(), *_figures(), *_differences()]) + "\n"


def _head() -> Iterator[str]:
    yield "# Reliability"
    yield ""
    yield "Written by `python -m tests.suites`; a test fails where it is out of date."
    yield ""


def _hazards() -> Iterator[str]:
    yield "## What is survived"
    yield ""
    yield "Each is tested by whole crawls of hostile servers on loopback."
    yield "What attackers may try, and what is not promised: [SECURITY.md](../SECURITY.md)."
    for folder, title in HAZARDS.items():
        yield ""
        yield f"### {title}"
        for path in sorted((ROOT / "tests" / "hazards" / folder).glob("test_*.py")):
            about = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            hazard, _, expected = about.partition("\n\n")
            where = f"[{path.name}](../tests/hazards/{folder}/{path.name})"
            yield ""
            yield f"- **{_one_line(hazard)}** {_one_line(expected)} ({where})"
    yield ""


def _figures() -> Iterator[str]:
    yield "## Public test suites"
    yield ""
    yield "| suite | a case | cases | agreed | differ for a reason |"
    yield "|---|---|---|---|---|"
    for suite in SUITES:
        differ = sum(suite.accepted.values())
        yield f"| {suite.name} | {suite.what} | {suite.total:,} | {suite.agreed:,} | {differ:,} |"
    yield ""


def _differences() -> Iterator[str]:
    yield "## Differences we accept"
    for suite in filter(_differs, SUITES):
        yield ""
        yield f"{suite.name}:"
        yield ""
        yield from (f"- {count:,}: {reason}." for reason, count in suite.accepted.items())


def _differs(suite: Suite) -> bool:
    return bool(suite.accepted)


def _one_line(paragraphs: str) -> str:
    return " ".join(paragraphs.split())
