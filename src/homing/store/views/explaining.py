"""Everything known of one URL: the way to it, why it was taken, how it was judged."""

from __future__ import annotations

from typing_extensions import TypedDict  # required by pydantic, which describes it in the REST API

from homing.model import Entry, Standing
from homing.store.views.reader import Reader


class Stage(TypedDict):
    """One URL on the way from the seed, and the parts of its priority."""

    url: str
    anchor: str
    priority: float
    tier: int
    why: list[tuple[str, float]]


class Opinion(TypedDict):
    """A judgement, as JSON has it."""

    score: float
    relevant: bool
    judge: str
    why: list[tuple[str, float]]


class Trouble(TypedDict):
    """What went wrong at the last attempt."""

    kind: str
    detail: str


class Explanation(TypedDict):
    """Everything known of a URL."""

    url: str
    state: str
    status: int | None
    title: str
    way: list[Stage]
    judgement: Opinion | None
    failure: Trouble | None
    leads_to: list[str]
    """Where a redirect leads."""
    tries: int


def explanation(reader: Reader, entry: Entry) -> Explanation:
    """Return what the catalog knows of a URL."""
    row = reader.visit(entry.seq)
    failure = reader.failure(entry.seq)
    standing = reader.standing(entry.seq)
    return Explanation(
        url=entry.url,
        state=standing.name.lower(),
        status=row.status if row else None,
        title=row.title if row else "",
        way=[
            Stage(
                url=stage.url,
                anchor=stage.anchor,
                priority=stage.priority.score,
                tier=stage.priority.tier,
                why=list(stage.why),
            )
            for stage in reader.way(entry.seq)
        ],
        judgement=Opinion(score=row.score, relevant=row.relevant, judge=row.judge, why=list(row.why))
        if row and row.score is not None
        else None,
        failure=Trouble(kind=failure.kind, detail=failure.detail) if failure else None,
        leads_to=reader.targets(entry.seq) if standing is Standing.REDIRECTED else [],
        tries=entry.tries,
    )
