"""What the REST API hands out, described for OpenAPI. The names are those of ``homing ... --json``."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from homing.serve.crawl.look import HostTotals, Look
from homing.serve.crawl.series import Point
from homing.store.inbox import Command
from homing.store.index import Hit, IndexedPage, Results, marks_of
from homing.store.pulse_file import Awaited
from homing.store.views.browsing import FailedAttempt
from homing.store.views.page_row import PageRow


class _Document(BaseModel):
    model_config = ConfigDict(from_attributes=True, use_attribute_docstrings=True, frozen=True)


class Report(_Document):
    """The figures of the crawl: those of ``homing report``, and how it is doing now."""

    fetched: int
    """Final HTTP responses."""
    relevant: int
    harvest_rate: float
    """Share of relevant pages among those fetched."""
    failed: dict[str, int]
    """URLs that were given up, by kind of failure."""
    cut: dict[str, int]
    """URLs that were not followed because they looked like a trap, by reason."""
    redirects: int
    frontier: int
    """URLs that wait."""
    hosts: int
    """Hosts that gave a page."""
    bytes: int
    seconds: float
    pages_per_second: float
    strategy: str | None
    judge: str | None
    doubt: str
    """Why the judgements may be wrong, if there is reason to think so."""
    stop_reason: str | None
    """Empty while the crawl runs, or if it was killed."""
    running: bool
    paused: bool | None
    """Null where the crawl does not tell: nobody watches, or it is not running."""
    harvest_now: float
    """Share of relevant pages among the last hundred."""
    pages_per_second_now: float
    disk: dict[str, int]
    """Bytes of the folder's parts."""
    memory: int | None
    """Bytes of main memory that the crawl holds."""

    @classmethod
    def of(cls, look: Look) -> Report:
        return cls.model_validate(
            {
                **look.figures,
                "running": look.running,
                "paused": look.pulse.paused if look.pulse else None,
                "harvest_now": look.harvest_now,
                "pages_per_second_now": look.pages_per_second_now,
                "disk": look.disk,
                "memory": look.pulse.memory if look.pulse else None,
            }
        )


class PageDocument(_Document):
    """A page that was fetched."""

    seq: int
    """Its number in order of discovery."""
    url: str
    final_url: str
    status: int
    title: str
    score: float | None
    """The judge's opinion, 0 to 1; null where the page was not judged."""
    relevant: bool
    judge: str
    why: list[tuple[str, float]]
    """The words that decided, heaviest first."""
    depth: int
    parent: str | None
    """URL of the page it was found on; null for a seed."""
    anchor: str
    strategy: str
    tier: int
    priority: float
    priority_why: list[tuple[str, float]]
    """The parts of the priority that it was taken with."""
    fetched_at: float
    """Seconds since 1970."""
    took: float
    bytes: int
    content_type: str
    language: str
    digest: str
    warc_file: str | None
    warc_offset: int | None

    @classmethod
    def of(cls, row: PageRow) -> PageDocument:
        return cls.model_validate(row)


class Pages(_Document):
    """A screenful of pages."""

    pages: list[PageDocument]
    next: int | None
    """Give this as ``after`` to get the pages behind; null at the end."""


class SeriesPoint(_Document):
    """The crawl when it had fetched so many pages."""

    at: float
    """Seconds since 1970."""
    fetched: int
    relevant: int
    harvest_now: float
    """Share of relevant pages among the last hundred."""

    @classmethod
    def of(cls, point: Point) -> SeriesPoint:
        return cls.model_validate(point)


class HostDocument(_Document):
    """What came of asking a host."""

    name: str
    fetched: int
    relevant: int
    failures: int
    """Attempts that failed."""
    delay: float | None
    """Its own Crawl-delay in seconds."""
    state: str | None
    """``ready``, ``busy``, ``resting`` or ``full``; null where the crawl does not tell."""
    waiting: int | None
    """URLs that wait, where the crawl tells."""

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
    """An attempt that failed."""

    number: int
    url: str
    kind: str
    detail: str
    at: float
    """Seconds since 1970."""
    final: bool
    """The URL was given up."""

    @classmethod
    def of(cls, mishap: FailedAttempt) -> FailureDocument:
        return cls.model_validate(mishap)


class HitDocument(_Document):
    """A page that was found."""

    url: str
    title: str
    snippet: str
    marks: list[tuple[int, int]]
    """Where in the snippet the words stand: first and last character, the last not among them."""
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


class KeptDocument(_Document):
    """A page as it was kept, as text."""

    url: str
    title: str
    text: str
    language: str
    topic_score: float
    fetched_at: float
    """Seconds since 1970."""

    @classmethod
    def of(cls, kept: IndexedPage) -> KeptDocument:
        return cls.model_validate(kept)


class AwaitedDocument(_Document):
    """A URL at the head of the frontier."""

    url: str
    tier: int
    score: float
    why: list[tuple[str, float]]
    """The parts of its priority."""
    anchor: str
    parent: str | None

    @classmethod
    def of(cls, awaited: Awaited) -> AwaitedDocument:
        return cls.model_validate(awaited)


class WishDocument(_Document):
    """What was asked of the crawl."""

    number: int
    kind: str
    payload: dict[str, object]
    sent_at: float
    """Seconds since 1970."""
    answer: str | None
    """What became of it; null as long as it is open: no crawl runs, or it is at it."""

    @classmethod
    def of(cls, wish: Command) -> WishDocument:
        return cls(
            number=wish.number,
            kind=wish.kind,
            payload=dict(wish.payload),
            sent_at=wish.sent_at,
            answer=wish.note,
        )


class LabelDocument(_Document):
    """A person's word on a page."""

    url: str
    relevant: bool
    wish: int | None = None
    """Its number, where a running crawl was asked to write it down."""
