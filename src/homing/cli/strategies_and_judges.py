"""``homing strategies`` and ``homing judges``: the lists to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from homing.cli.options import AsJson
from homing.cli.output import print_json, results
from homing.judge import JUDGES
from homing.registry import Description
from homing.strategies import STRATEGIES


def strategies(as_json: AsJson = False) -> None:
    """List the strategies, which order the frontier. Choose one with homing crawl --strategy NAME."""
    _show([STRATEGIES.describe(name) for name in STRATEGIES.names()], as_json=as_json)


def judges(as_json: AsJson = False) -> None:
    """List the judges, which score pages. Choose one with homing crawl --judge NAME."""
    _show([JUDGES.describe(name) for name in JUDGES.names()], as_json=as_json)


def _show(descriptions: Sequence[Description], *, as_json: bool) -> None:
    if as_json:
        print_json(descriptions)
        return
    console = results()
    for number, description in enumerate(descriptions):
        if number:
            console.print()
        _show_one(console, description)


def _show_one(console: Console, part: Description) -> None:
    training = Text("  needs training", style="yellow") if part["needs_training"] else ""
    console.print(Text.assemble((part["name"], "bold"), training))
    console.print(_indented(part["summary"]))
    for parameter in part["parameters"]:
        console.print(_indented(f"--set {parameter['name']}={parameter['default']}", style="cyan"))
        console.print(_indented(parameter["help"], depth=4, style="dim"))
    if part["paper"]:
        console.print(_indented(f"Paper: {part['paper']}", style="dim"))


def _indented(text: str, *, depth: int = 2, style: str = "") -> Padding:
    return Padding.indent(Text(text, style=style), depth)
