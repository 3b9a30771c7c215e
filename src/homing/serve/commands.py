"""What may be asked of a crawl, described once for the forms and for the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import HTTPException
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from homing.config.values import PagesPerSecond, Seconds, Seeds
from homing.model import Standing
from homing.serve.crawl.folder import CrawlFolder
from homing.serve.pages.visits import find

NOW_ONLY = ("pause", "go-on", "stop")
"""Left for later, these would take the next run by surprise."""


class _Asked(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True, frozen=True, extra="forbid")


class Simple(_Asked):
    """Rest, work again, end, or learn from the labels."""

    kind: Literal["pause", "go-on", "stop", "relearn"]


class MoreSeeds(_Asked):
    """More places to begin at."""

    kind: Literal["seeds"]
    urls: Annotated[Seeds, Field(min_length=1, max_length=10_000)]


class Block(_Asked):
    """No such URL is taken from now on, and those that wait leave the queue."""

    kind: Literal["block"]
    pattern: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]
    """A host, which stands for those below it as well, or a glob over whole URLs."""


class Delay(_Asked):
    """How long a host is left alone between two requests."""

    kind: Literal["delay"]
    seconds: Seconds


class Rate(_Asked):
    """How many pages a second are asked for in all."""

    kind: Literal["pages-per-second"]
    pages: PagesPerSecond | None
    """Null: as many as can be had."""


Asked = Annotated[Simple | MoreSeeds | Block | Delay | Rate, Field(discriminator="kind")]

_ASKED: TypeAdapter[Simple | MoreSeeds | Block | Delay | Rate] = TypeAdapter(Asked)

EXAMPLES: Mapping[str, Mapping[str, object]] = {
    "pause": {"kind": "pause"},
    "block": {"kind": "block", "pattern": "*.example.org/calendar/*"},
    "delay": {"kind": "delay", "seconds": 2.5},
    "rate": {"kind": "pages-per-second", "pages": 10},
    "seeds": {"kind": "seeds", "urls": ["https://example.org/"]},
}
"""For the description of the API."""


def lines_of(text: str) -> list[str]:
    """What was pasted into a form, line by line; empty lines and comments are left out."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def read_form(kind: str, urls: str, pattern: str, seconds: str, pages: str) -> Asked:
    """A wish as a form sends it; one clear line where it makes no sense."""
    given: Mapping[str, Mapping[str, object]] = {
        "seeds": {"urls": lines_of(urls)},
        "block": {"pattern": pattern.strip()},
        "delay": {"seconds": seconds.strip()},
        "pages-per-second": {"pages": pages.strip() or None},
    }
    try:
        return _ASKED.validate_python({"kind": kind, **given.get(kind, {})})
    except ValidationError as error:
        raise HTTPException(400, _worded(error)) from None


def _worded(error: ValidationError) -> str:
    """The first complaint, in a line."""
    first = error.errors(include_url=False)[0]
    names = {"urls": "seeds", "pages": "pages per second", "seconds": "delay"}
    place = next((str(part) for part in reversed(first["loc"]) if isinstance(part, str)), "")
    return f"{names.get(place, place)}: {first['msg'].removeprefix('Value error, ')}".removeprefix(": ")


def send(folder: CrawlFolder, asked: Simple | MoreSeeds | Block | Delay | Rate) -> int:
    """Leave it for the crawl; tells the number of the wish."""
    if asked.kind in NOW_ONLY and not folder.is_running():
        raise HTTPException(409, f"no crawl is running in {folder.name}, so there is nothing to {asked.kind}")
    return folder.wish(asked.kind, asked.model_dump(mode="json", exclude={"kind"}))


def label(folder: CrawlFolder, url: str, *, relevant: bool) -> tuple[str, int | None]:
    """Call a page right or wrong; tells its URL as the crawl knows it, and the wish if one is needed."""
    with folder.open() as browser:
        entry = find(browser, url)
        if browser.standing(entry.seq) is not Standing.DONE:
            raise HTTPException(409, f"{entry.url} has not been fetched, so there is nothing to judge it by")
    return entry.url, folder.label(entry.url, relevant=relevant)
