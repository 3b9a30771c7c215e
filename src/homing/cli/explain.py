"""``homing explain``: why a URL was fetched, or why not yet."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from homing.cli import options
from homing.cli.output import print_json, printable, results
from homing.cli.report import Folder
from homing.errors import HomingError, UsageError
from homing.model import Standing, Why
from homing.store.views.explaining import Explanation, Stage, explanation
from homing.store.views.reader import Reader
from homing.urls import canonical

WORDS = 12
"""Words of a judgement shown to people; JSON has all of them."""


def explain(
    folder: Folder,
    url: Annotated[str, typer.Argument(metavar="URL", help="A URL the crawl knows.", show_default=False)],
    as_json: options.AsJson = False,
) -> None:
    """Explain why a URL was fetched, or why not yet.

    Shows the path from the seed with the anchor text and priority of each link, and the judgement with the
    words that decided it.
    """
    if canonical(url) is None:
        raise UsageError(f'"{url}" is no http(s) URL')
    with Reader(folder) as reader:
        entry = reader.find(url)
        if entry is None:
            raise HomingError(f"{url} is unknown to this crawl: no page it has seen links there")
        found = explanation(reader, entry)
    if as_json:
        print_json(found)
    else:
        show(found)


def show(found: Explanation) -> None:
    """Print an explanation: the state of the URL, its judgement, and the path from the seed."""
    console = results()
    console.print(Text(_state(found)))
    opinion = found["judgement"]
    if opinion:
        verdict = "relevant" if opinion["relevant"] else "not relevant"
        console.print(
            Text.assemble((verdict, "bold"), f", score {opinion['score']:.3f} by {opinion['judge']}")
        )
        for name, value in opinion["why"][:WORDS]:
            console.print(Text(f"  {value:+.3f}  {printable(name)}"))
    console.print("\nPath from the seed:")
    for stage in found["way"]:
        console.print(_stage(stage, is_seed=stage is found["way"][0]))


def _stage(stage: Stage, *, is_seed: bool) -> Text:
    text = Text(f"  {printable(stage['url'])}\n      ")
    anchor = printable(stage["anchor"])
    found_by = f"“{anchor}”" if anchor else "no anchor text"
    text.append("seed" if is_seed else found_by, style="italic")
    tier = f"tier {stage['tier']}, " if stage["tier"] else ""
    text.append(f"  {tier}priority {stage['priority']:.3f}", style="bold")
    if stage["why"]:
        text.append("  = " + _parts(tuple(stage["why"])), style="dim")
    return text


def _parts(why: Why) -> str:
    return ", ".join(f"{printable(name)} {value:.3g}" for name, value in why)


def _state(found: Explanation) -> str:
    """Return the state of the URL in words."""
    failure = found["failure"]
    reason = printable(f"{failure['kind']}: {failure['detail']}".rstrip(": ")) if failure else ""
    match Standing[found["state"].upper()]:
        case Standing.WAITING if failure:
            return f"queued for a retry ({found['tries']} attempts failed so far, last {reason})"
        case Standing.WAITING:
            return "queued: other URLs had a higher priority so far, or its host is resting"
        case Standing.DONE:
            title = printable(found["title"])
            return f"fetched, status {found['status']}{f': {title}' if title else ''}"
        case Standing.REDIRECTED:
            target = printable(", ".join(found["leads_to"]) or "another URL")
            return f"fetched: redirects to {target}, which took its place"
        case Standing.FAILED:
            return f"failed: {reason}" if reason else f"failed: the host answered {found['status']}"
        case Standing.REFUSED:
            return f"refused: {reason}" if reason else "refused"
