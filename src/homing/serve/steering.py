"""Commands to a crawl: read from forms and the REST API, then put into the inbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import HTTPException
from pydantic import Field

from homing.config.keys import number
from homing.crawler.live.verbs import VERBS, Verb, read_verb
from homing.errors import UsageError
from homing.model import Standing
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.pages.browse import find

NOW_ONLY = ("pause", "resume", "stop", "snapshot")
"""Commands for a running crawl alone: queued, they would surprise the next run."""

AnyCommand = Annotated[Verb, Field(discriminator="kind")]
"""A command in the body of a request."""

EXAMPLES: Mapping[str, Mapping[str, object]] = {
    "pause": {"kind": "pause"},
    "block": {"kind": "block", "pattern": "*.example.org/calendar/*"},
    "delay": {"kind": "set_pace", "delay": 2.5},
    "rate": {"kind": "set_pace", "pages_per_second": 10},
    "no limit": {"kind": "set_pace", "pages_per_second": None},
    "as configured": {"kind": "set_pace", "reset": True},
    "seeds": {"kind": "add_seeds", "urls": ["https://example.org/"]},
    "label": {"kind": "label", "url": "https://example.org/", "relevant": False},
}
"""Examples for the description of the API."""


def lines_of(text: str) -> list[str]:
    """Return the lines of a text field, without empty lines and comments.

    >>> lines_of("https://a.example/\\n\\n# later\\n  https://b.example/")
    ['https://a.example/', 'https://b.example/']
    """
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def read_form(fields: Mapping[str, str]) -> Verb:
    """Read a command from the fields of a form; an invalid one is refused in one line."""
    kind = fields.get("kind", "")
    own = VERBS[kind].model_fields.keys() - {"kind"} if kind in VERBS else ()
    try:
        return read_verb(kind, {name: _value(name, text) for name, text in fields.items() if name in own})
    except UsageError as error:
        raise HTTPException(400, str(error)) from None


def _value(name: str, text: str) -> object:
    """Return the value of a field; numbers are typed as text, and an empty one is none."""
    if name == "urls":
        return lines_of(text)
    if name in ("delay", "pages_per_second"):
        return number(text.strip()) if text.strip() else None
    return text == "true" if name == "reset" else text


def send(folder: CrawlFolder, command: Verb) -> int:
    """Put a command into the crawl's inbox and return its number."""
    if command.kind in NOW_ONLY and not folder.is_running():
        raise HTTPException(409, f"no crawl is running in {folder.name}: {command.kind} needs one")
    return folder.send(command.kind, command.payload())


def label(folder: CrawlFolder, url: str, *, relevant: bool) -> tuple[str, int | None]:
    """Label a page; return its URL as the crawl knows it, and the number of the command if one is needed."""
    with folder.open() as browser:
        entry = find(browser, url)
        if browser.standing(entry.seq) is not Standing.DONE:
            raise HTTPException(409, f"{entry.url} has not been fetched, so it cannot be labelled")
    return entry.url, folder.label(entry.url, relevant=relevant)
