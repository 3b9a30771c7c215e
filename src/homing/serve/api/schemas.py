"""The JSON that the REST API returns, as OpenAPI schemas. The names are those of ``homing ... --json``."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from homing.serve.crawl.overview import HostTotals, Overview
from homing.serve.crawl.series import Point
from homing.store.inbox import Command
from homing.store.index import Hit, IndexedPage, Results, marks_of
from homing.store.pulse_file import Awaited
from homing.store.views.browsing import FailedAttempt
from homing.store.views.page_row import PageDocument


class _Document(BaseModel):
    model_config = ConfigDict(from_attributes=True, use_attribute_docstrings=True, frozen=True)


class Report(_Document):
    """The figures of ``homing report``, and the present state of the crawl."""

    fetched: int
    """Final HTTP responses."""
    relevant: int
    harvest_rate: float
    """Share of relevant pages among those fetched."""
    failed: dict[str, int]
    """Abandoned URLs by kind of failure."""
    cut: dict[str, int]
    """URLs not followed because they looked like a trap, by reason."""
    held_back: dict[str, int]
    """Queued URLs of domains that only grow, as farms do, by domain; the option --trust lets them pass."""
    redirects: int
    frontier: int
    """Frontier URLs."""
    hosts: int
    """Hosts with at least one page."""
    bytes: int
    seconds: float
    pages_per_second: float
    strategy: str | None
    judge: str | None
    doubt: str
    """Why the judgements may be wrong, if the crawl found a reason."""
    stop_reason: str | None
    """Empty while the crawl runs, and if it was killed."""
    running: bool
    paused: bool | None
    """Null if the crawl is not running."""
    harvest_now: float
    """Share of relevant pages among the last 100."""
    pages_per_second_now: float
    disk: dict[str, int]
    """Bytes on disk by part of the folder."""
    memory: int | None
    """Main memory of the crawl in bytes."""

    @classmethod
    def of(cls, overview: Overview) -> Report:
        return cls.model_validate(
            {
                **overview.figures,
                "running": overview.running,
                "paused": overview.paused,
                "harvest_now": overview.harvest_now,
                "pages_per_second_now": overview.pages_per_second_now,
                "disk": overview.disk,
                "memory": overview.pulse.memory if overview.pulse else None,
            }
        )


class Pages(_Document):
    """A batch of pages."""

    pages: Sequence[PageDocument]
    next: int | None
    """Pass this as ``after`` to get the next batch; null at the end."""


class SeriesPoint(_Document):
    """The crawl after a number of pages."""

    at: float
    """Seconds since 1970."""
    fetched: int
    relevant: int
    harvest_now: float
    """Share of relevant pages among the last 100."""

    @classmethod
    def of(cls, point: Point) -> SeriesPoint:
        return cls.model_validate(point)


class HostDocument(_Document):
    """The results of one host."""

    name: str
    fetched: int
    relevant: int
    failures: int
    """Failed attempts."""
    delay: float | None
    """Crawl-delay of its robots.txt in seconds."""
    state: str | None
    """``ready``, ``busy``, ``resting`` or ``full``; null if the crawl has not published it."""
    waiting: int | None
    """Frontier URLs of the host; null if the crawl has not published it."""

    @classmethod
    def of(cls, host: HostTotals) -> HostDocument:
        return cls(
            name=host.name,
            fetched=host.fetched,
            relevant=host.relevant,
            failures=host.failures,
            delay=host.delay,
            state=host.now.state if host.now else None,
            waiting=host.now.waiting if host.now else None,
        )


class FailureDocument(_Document):
    """A failed attempt."""

    number: int
    url: str
    kind: str
    detail: str
    at: float
    """Seconds since 1970."""
    final: bool
    """Whether the URL was abandoned."""

    @classmethod
    def of(cls, mishap: FailedAttempt) -> FailureDocument:
        return cls.model_validate(mishap)


class _IndexedDocument(_Document):
    """A page of the full-text index."""

    url: str
    title: str


class HitDocument(_IndexedDocument):
    """A search result."""

    snippet: str
    marks: list[tuple[int, int]]
    """Positions of the query words in the snippet: start, and end (exclusive)."""
    score: float | None
    topic_score: float
    language: str
    fetched_at: float
    """Seconds since 1970."""

    @classmethod
    def of(cls, hit: Hit) -> HitDocument:
        text, marks = marks_of(hit.snippet)
        return cls(
            url=hit.url,
            title=hit.title,
            snippet=text,
            marks=marks,
            score=hit.score,
            topic_score=hit.topic_score,
            language=hit.language,
            fetched_at=hit.fetched_at,
        )


class Found(_Document):
    """The results of a search."""

    total: int
    results: list[HitDocument]

    @classmethod
    def of(cls, found: Results) -> Found:
        return cls(total=found.total, results=[HitDocument.of(hit) for hit in found.hits])


class PageTextDocument(_IndexedDocument):
    """The text of a page, as it was archived."""

    text: str
    """Main text, a line per paragraph."""
    language: str
    """ISO 639 code; empty if unknown."""
    topic_score: float
    """Topic score, 0 to 1."""
    fetched_at: float
    """Seconds since 1970."""

    @classmethod
    def of(cls, kept: IndexedPage) -> PageTextDocument:
        return cls.model_validate(kept)


class FrontierDocument(_Document):
    """A URL at the head of the frontier."""

    url: str
    tier: int
    score: float
    why: list[tuple[str, float]]
    """The parts of its priority."""
    anchor: str
    parent: str | None

    @classmethod
    def of(cls, url: Awaited) -> FrontierDocument:
        return cls.model_validate(url)


class CommandDocument(_Document):
    """A command to the crawl."""

    number: int
    kind: str
    payload: dict[str, object]
    sent_at: float
    """Seconds since 1970."""
    answer: str | None
    """Its result; null until a crawl has carried it out."""

    @classmethod
    def of(cls, command: Command) -> CommandDocument:
        return cls(
            number=command.number,
            kind=command.kind,
            payload=dict(command.payload),
            sent_at=command.sent_at,
            answer=command.note,
        )


class LabelDocument(_Document):
    """A person's label for a page."""

    url: str
    relevant: bool
    command: int | None = None
    """Number of the command, if a running crawl records the label."""
