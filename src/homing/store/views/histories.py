"""How the pages of a crawl have changed, as far as it has checked: the basis of a refresh."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from homing.model import Standing
from homing.store.views.reader import Reader

# A page that failed the last time, or that an earlier refresh left queued, may exist again.
# One that has moved or is forbidden is not requested.
_LOOKS = """
    SELECT v.seq, u.url, v.kind, v.status, v.asked_at, v.digest
    FROM visits v CROSS JOIN urls u ON u.seq = v.seq
    WHERE v.kind IN ('page', 'unchanged') AND u.kind = 'page'
        AND u.standing NOT IN (?, ?)
    ORDER BY v.seq, v.id
"""
_GONE = frozenset({404, 410})


class History(Struct, frozen=True, kw_only=True):
    """What is known of one page's changes."""

    seq: int
    url: str
    digest: str
    """Of the body when it was last received."""
    seen_at: float
    """When it was last seen with this content, in seconds since 1970."""
    looks: int
    """How often it was fetched again."""
    changes: int
    """How many of these times it had changed."""
    span: float
    """Seconds between the first look and the last."""


class Histories(Reader):
    """A reader of what repeated visits of pages found."""

    def of_pages(self) -> Iterator[History]:
        """Yield every page that still exists, in order of discovery."""
        with self._errors:
            rows = self._db.execute(_LOOKS, (int(Standing.REDIRECTED), int(Standing.REFUSED)))
            for (seq, url), visits in groupby(rows, key=lambda row: (row[0], row[1])):
                looks = [(status, asked_at, digest) for _, _, _, status, asked_at, digest in visits]
                if looks[-1][0] not in _GONE:
                    found = _history(seq, url, looks)
                    if found:
                        yield found


def _history(seq: int, url: str, looks: list[tuple[int, float, str]]) -> History | None:
    """Return the history that these looks show; errors show nothing of the page."""
    digest, first, last, count, changes = "", 0.0, 0.0, 0, 0
    for status, asked_at, found in looks:
        if not (200 <= status < 300 or status == 304):
            continue
        if not digest:
            first = asked_at
        else:
            count += 1
            changes += status != 304 and found != digest
        last = asked_at
        digest = digest if status == 304 else found
    if not digest:
        return None
    return History(
        seq=seq, url=url, digest=digest, seen_at=last, looks=count, changes=changes, span=last - first
    )
