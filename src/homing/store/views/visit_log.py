"""The visits of a crawl one after the other, for whoever follows it."""

from __future__ import annotations

from collections.abc import Iterator

from homing.store.views.page_row import SELECT_ROWS, PageRow, row_of
from homing.store.views.reader import Reader

_PORTION = 50
"""Pages at a time, with their texts."""
_AFTER = f"{SELECT_ROWS} WHERE v.id BETWEEN ? AND ? ORDER BY v.id LIMIT {_PORTION}"


class VisitLog(Reader):
    """A reader that also knows the visits by their number, which grows in order of arrival."""

    def __enter__(self) -> VisitLog:
        return self

    def last(self) -> int:
        """Number of the last visit that is committed; 0 if there is none."""
        with self._errors:
            return int(self._db.execute("SELECT coalesce(max(id), 0) FROM visits").fetchone()[0])

    def after(self, visit: int, until: int) -> Iterator[tuple[int, PageRow]]:
        """What the URLs came to that were visited after that one: of each, the last visit and its number."""
        while True:
            with self._errors:
                rows = self._db.execute(_AFTER, (visit + 1, until)).fetchall()
            yield from ((row[0], row_of(row, "")) for row in rows)
            if len(rows) < _PORTION:
                return
            visit = rows[-1][0]
