"""The visits of a crawl in order, to follow it."""

from __future__ import annotations

from collections.abc import Iterator

from homing.store.views.page_row import SELECT_ROWS, PageRow, row_of
from homing.store.views.reader import Reader

_PORTION = 50
"""Pages at a time, with their texts."""
_AFTER = f"{SELECT_ROWS} WHERE v.id BETWEEN ? AND ? ORDER BY v.id LIMIT {_PORTION}"


class VisitLog(Reader):
    """A reader that also knows the visits by their number, which grows with each."""

    def last(self) -> int:
        """Return the number of the last committed visit; 0 if there is none."""
        with self._errors:
            return int(self._db.execute("SELECT coalesce(max(id), 0) FROM visits").fetchone()[0])

    def after(self, visit: int, until: int) -> Iterator[tuple[int, PageRow]]:
        """Yield the last visit, with its number, of each URL that was visited after that one."""
        while True:
            with self._errors:
                rows = self._db.execute(_AFTER, (visit + 1, until)).fetchall()
            yield from ((row[0], row_of(row, "")) for row in rows)
            if len(rows) < _PORTION:
                return
            visit = rows[-1][0]
