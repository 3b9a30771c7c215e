"""Commands to a crawl: validated once for the forms and the REST API, then put into the inbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import HTTPException
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from homing.config.values import PagesPerSecond, Seconds, Seeds
from homing.model import Standing
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.pages.browse import find
from homing.serve.pages.templating import verb

NOW_ONLY = ("pause", "go-on", "stop")
"""Commands for a running crawl alone: queued, they would surprise the next run."""


class _Command(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True, frozen=True, extra="forbid")


class Simple(_Command):
    """Pause, resume, stop, or learn from the labels."""

    kind: Literal["pause", "go-on", "stop", "relearn"]


class AddSeeds(_Command):
    """Add seeds."""

    kind: Literal["seeds"]
    urls: Annotated[Seeds, Field(min_length=1, max_length=10_000)]


class Block(_Command):
    """Fetch no such URL from now on, and remove those queued."""

    kind: Literal["block"]
    pattern: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]
    """A host, which includes its subdomains, or a glob over whole URLs."""


class SetDelay(_Command):
    """Set the delay between two requests to one host."""

    kind: Literal["delay"]
    seconds: Seconds


class SetRate(_Command):
    """Set the maximum number of pages per second over all hosts."""

    kind: Literal["pages-per-second"]
    pages: PagesPerSecond | None
    """Null: no limit."""


Command = Annotated[Simple | AddSeeds | Block | SetDelay | SetRate, Field(discriminator="kind")]

_COMMAND: TypeAdapter[Simple | AddSeeds | Block | SetDelay | SetRate] = TypeAdapter(Command)

EXAMPLES: Mapping[str, Mapping[str, object]] = {
    "pause": {"kind": "pause"},
    "block": {"kind": "block", "pattern": "*.example.org/calendar/*"},
    "delay": {"kind": "delay", "seconds": 2.5},
    "rate": {"kind": "pages-per-second", "pages": 10},
    "seeds": {"kind": "seeds", "urls": ["https://example.org/"]},
}
"""Examples for the description of the API."""


def lines_of(text: str) -> list[str]:
    """Return the lines of a text field, without empty lines and comments.

    >>> lines_of("https://a.example/\\n\\n# later\\n  https://b.example/")
    ['https://a.example/', 'https://b.example/']
    """
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def read_form(kind: str, urls: str, pattern: str, seconds: str, pages: str) -> Command:
    """Read a command from the fields of a form; an invalid one is refused in one line."""
    given: Mapping[str, Mapping[str, object]] = {
        "seeds": {"urls": lines_of(urls)},
        "block": {"pattern": pattern.strip()},
        "delay": {"seconds": seconds.strip()},
        "pages-per-second": {"pages": pages.strip() or None},
    }
    try:
        return _COMMAND.validate_python({"kind": kind, **given.get(kind, {})})
    except ValidationError as error:
        raise HTTPException(400, _worded(error)) from None


def _worded(error: ValidationError) -> str:
    """Return the first validation error as a line."""
    first = error.errors(include_url=False)[0]
    names = {"urls": "seeds", "pages": "pages per second", "seconds": "delay"}
    place = next((str(part) for part in reversed(first["loc"]) if isinstance(part, str)), "")
    return f"{names.get(place, place)}: {first['msg'].removeprefix('Value error, ')}".removeprefix(": ")


def send(folder: CrawlFolder, command: Simple | AddSeeds | Block | SetDelay | SetRate) -> int:
    """Put a command into the crawl's inbox and return its number."""
    if command.kind in NOW_ONLY and not folder.is_running():
        raise HTTPException(409, f"no crawl is running in {folder.name}: {verb(command.kind)} needs one")
    return folder.send(command.kind, command.model_dump(mode="json", exclude={"kind"}))


def label(folder: CrawlFolder, url: str, *, relevant: bool) -> tuple[str, int | None]:
    """Label a page; return its URL as the crawl knows it, and the number of the command if one is needed."""
    with folder.open() as browser:
        entry = find(browser, url)
        if browser.standing(entry.seq) is not Standing.DONE:
            raise HTTPException(409, f"{entry.url} has not been fetched, so it cannot be labelled")
    return entry.url, folder.label(entry.url, relevant=relevant)
