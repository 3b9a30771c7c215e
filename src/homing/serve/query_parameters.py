"""Query parameters that pages and API share, described once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Path, Query

from homing.errors import UsageError
from homing.store.index import Filters, Sort, moment_of
from homing.store.views.browsing import Order

_LARGEST = 2**53
"""Maximum of a number: exact in every JSON library, and in SQLite."""

Url = Annotated[str, Query(max_length=10_000, description="A URL that the crawl knows.")]
Verdict = Annotated[Literal["", "relevant", "other"], Query(description="The judge's verdict.")]
Answer = Annotated[Literal["", "ok", "error"], Query(description="Status: ok below 400, or error.")]
OrderBy = Annotated[Order, Query(description="Order of the pages.")]
HostName = Annotated[str, Query(description="Only pages of this host.")]
After = Annotated[
    int | None, Query(ge=0, le=_LARGEST, description="Continue after this page: next of the previous list.")
]
Before = Annotated[
    int | None, Query(ge=0, le=_LARGEST, description="Continue before this attempt, by its number.")
]
Start = Annotated[int, Query(ge=0, le=_LARGEST, description="How many to skip.")]
Limit = Annotated[int, Query(ge=1, le=1_000, description="Maximum number of results.")]
CommandNumber = Annotated[int, Path(ge=0, le=_LARGEST, description="The number of a command.")]
Kind = Annotated[str, Query(description="Only this kind of failure.")]

Words = Annotated[str, Query(description='The query, as for homing search: "hawk moth" -wasps.')]
Under = Annotated[str, Query(description="Only pages of this host or its subdomains.")]
Language = Annotated[str, Query(description="Only pages in this language, e.g. en.")]
AtLeast = Annotated[str, Query(description="Minimum topic score, 0 to 1.")]
Since = Annotated[str, Query(description="Fetched on or after this day, e.g. 2026-05-31.")]
Until = Annotated[str, Query(description="Fetched on or before this day.")]
SortBy = Annotated[Sort, Query(description="Order: best match, best topic score, or newest first.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """The query parameters of a search."""

    q: Words = ""
    host: Under = ""
    language: Language = ""
    score: AtLeast = ""
    since: Since = ""
    until: Until = ""
    sort: SortBy = "query"

    def filters(self) -> Filters:
        """Return the filters; forms send an empty text for a filter not set."""
        return Filters(
            host=self.host.strip(),
            language=self.language.strip(),
            score=_share(self.score),
            since=moment_of(self.since, "since"),
            until=moment_of(self.until, "until", whole_day=True),
        )


def _share(text: str) -> float | None:
    if not text.strip():
        return None
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise UsageError(f'score must be from 0 to 1, not "{text}"')
    return share
