"""A fetched page as one flat row: for reports, exports, the web pages and the REST API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from homing.model import Why
from homing.ports.storage import VisitKind
from homing.store.archive.warc import file_name
from homing.store.catalog.rows import read_why

# CROSS JOIN keeps SQLite from reordering the tables. A URL shows its last visit only.
SELECT_ROWS = """
    SELECT v.id, v.seq, v.step, v.kind, u.url, coalesce(v.final_url, u.url), v.status, v.title, v.score,
        v.relevant, v.judge, v.why, u.depth, p.url, u.anchor, v.tier, v.priority, v.priority_why,
        v.asked_at, v.took, v.bytes, v.content_type, v.truncated, v.noindex, v.language, v.digest,
        v.fingerprint, v.warc_file, v.warc_offset
    FROM visits v CROSS JOIN urls u ON u.seq = v.seq AND u.visit = v.id LEFT JOIN urls p ON p.seq = u.parent
"""

SCORE = 8
"""Place of the score among these columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDocument:
    """A fetched page."""

    # Pydantic describes these fields in the REST API, each with the text below it.
    __pydantic_config__: ClassVar[Mapping[str, bool]] = {"use_attribute_docstrings": True}

    seq: int
    """Number in order of discovery."""
    url: str
    final_url: str
    """URL after redirects."""
    status: int
    """HTTP status."""
    title: str
    score: float | None
    """The judge's score, 0 to 1; null if the page was not judged."""
    relevant: bool
    """The judge's verdict."""
    judge: str
    """Name of the judge."""
    why: Why
    """The words that decided, by weight."""
    depth: int
    """Links from the seed."""
    parent: str | None
    """URL of the page that links to it; null for a seed."""
    anchor: str
    """Anchor text of that link."""
    strategy: str
    """Name of the strategy."""
    tier: int
    """Lower tiers are fetched first, whatever the priority."""
    priority: float
    priority_why: Why
    """The parts of its priority."""
    fetched_at: float
    """Seconds since 1970."""
    took: float
    """Seconds until the whole response was received."""
    bytes: int
    """Size of the body."""
    content_type: str
    language: str
    digest: str
    warc_file: str | None
    warc_offset: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow(PageDocument):
    """A fetched page with what only the crawler itself looks at.

    ``warc_file`` is the name of a file below ``warc/``; ``None`` where the body was not archived.
    """

    step: int
    kind: VisitKind
    truncated: str
    noindex: bool
    fingerprint: int


def row_of(columns: Sequence[Any], strategy: str) -> PageRow:
    """Return the row in the columns of ``SELECT_ROWS``."""
    (_, seq, step, kind, url, final_url, status, title, score, relevant, judge, why, depth, parent, anchor,
     tier, priority, priority_why, fetched_at, took, size, content_type, truncated, noindex, language, digest,
     fingerprint, warc_file, warc_offset) = columns  # fmt: skip
    return PageRow(
        seq=seq,
        step=step,
        kind=kind,
        url=url,
        final_url=final_url,
        status=status,
        title=title,
        score=score,
        relevant=bool(relevant),
        judge=judge,
        why=read_why(why),
        depth=depth,
        parent=parent,
        anchor=anchor,
        strategy=strategy,
        tier=tier,
        priority=priority,
        priority_why=read_why(priority_why),
        fetched_at=fetched_at,
        took=took,
        bytes=size,
        content_type=content_type,
        truncated=truncated,
        noindex=bool(noindex),
        language=language,
        digest=digest,
        fingerprint=fingerprint % (1 << 64),
        warc_file=None if warc_file is None else file_name(warc_file),
        warc_offset=warc_offset,
    )
