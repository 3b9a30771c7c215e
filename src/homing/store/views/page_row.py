"""A visit as people read it: one flat row, the fields of ``homing export`` and what explains them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from homing.model import Why
from homing.ports.storage import VisitKind
from homing.store.archive.warc import file_name
from homing.store.catalog.rows import read_why

# CROSS JOIN keeps SQLite from turning the order of the tables round. A URL shows its last visit only.
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
class PageRow:
    """One fetched page: what it is, how it was judged, why it was taken, where it lies."""

    seq: int
    step: int
    kind: VisitKind
    url: str
    final_url: str
    status: int
    title: str
    score: float | None
    """``None`` where the page was not judged."""
    relevant: bool
    judge: str
    why: Why
    depth: int
    parent: str | None
    """URL of the page it was found on; ``None`` for a seed."""
    anchor: str
    strategy: str
    tier: int
    priority: float
    priority_why: Why
    fetched_at: float
    """Seconds since 1970."""
    took: float
    bytes: int
    content_type: str
    truncated: str
    noindex: bool
    language: str
    digest: str
    fingerprint: int
    warc_file: str | None
    """Name of the file below ``warc/``; ``None`` where the body was not archived."""
    warc_offset: int | None


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
