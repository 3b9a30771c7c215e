"""The parameters that pages and API have in common, described once."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from fastapi import Path, Query

from homing.errors import UsageError
from homing.store.index import Filters, Sort, moment_of
from homing.store.views.browsing import Order

_LARGEST = 2**53
"""Of numbers: what every program that speaks JSON can hold, and SQLite."""

Url = Annotated[str, Query(max_length=10_000, description="A URL that the crawl knows.")]
Verdict = Annotated[Literal["", "relevant", "other"], Query(description="What the judge thinks.")]
Answer = Annotated[Literal["", "ok", "error"], Query(description="A page, or a status of 400 and more.")]
OrderBy = Annotated[Order, Query(description="Which come first.")]
HostName = Annotated[str, Query(description="Of this host.")]
After = Annotated[
    int | None, Query(ge=0, le=_LARGEST, description="Go on behind this page: next of the list before.")
]
Before = Annotated[
    int | None, Query(ge=0, le=_LARGEST, description="Go on behind this attempt, by its number.")
]
Start = Annotated[int, Query(ge=0, le=_LARGEST, description="How many to leave out.")]
Limit = Annotated[int, Query(ge=1, le=1_000, description="How many at most.")]
WishNumber = Annotated[int, Path(ge=0, le=_LARGEST, description="The number of a wish.")]
Kind = Annotated[str, Query(description="Only this kind of failure.")]

Words = Annotated[str, Query(description='What to look for, as homing search has it: "hawk moth" -wasps.')]
Under = Annotated[str, Query(description="Of this host, or one below it.")]
Language = Annotated[str, Query(description="In this language, such as en.")]
AtLeast = Annotated[str, Query(description="On the topic at least so much, 0 to 1.")]
Since = Annotated[str, Query(description="Fetched on this day or later, such as 2026-05-31.")]
Until = Annotated[str, Query(description="Fetched on that day or before.")]
SortBy = Annotated[Sort, Query(description="By the words, by the topic, or the newest first.")]


def filters_of(host: str, language: str, score: str, since: str, until: str) -> Filters:
    """Which pages to search; an empty text says nothing, as forms send it."""
    return Filters(
        host=host.strip(),
        language=language.strip(),
        score=_share(score),
        since=moment_of(since, "since"),
        until=moment_of(until, "until", whole_day=True),
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
