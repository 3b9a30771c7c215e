"""The harvest curve of a crawl, kept to a bounded number of points while the crawl grows."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from msgspec import Struct

RECENT = 100
"""Number of pages that the current harvest rate is taken over."""
_MOST = 400
"""Maximum points of a curve: more than a screen can show only costs time."""


class Point(Struct, frozen=True, kw_only=True):
    """The crawl after a number of pages."""

    at: float
    """Seconds since 1970."""
    fetched: int
    relevant: int
    harvest_now: float
    """Share of relevant pages among the last 100."""


class Series:
    """Fetched and relevant pages over time.

    It keeps every ``stride``-th page. With too many points it drops every second one and doubles its stride,
    so that a curve of any length costs the same.

    >>> series = Series()
    >>> for page in range(1000):
    ...     series.add(float(page), relevant=page % 4 == 0)
    >>> points = series.points()
    >>> len(points), points[-1]
    (251, Point(at=999.0, fetched=1000, relevant=250, harvest_now=0.25))
    """

    def __init__(self) -> None:
        self.fetched = 0
        self.relevant = 0
        self._at = 0.0
        self._recent: deque[bool] = deque(maxlen=RECENT)
        self._hits = 0
        """Relevant pages among the recent ones."""
        self._stride = 1
        self._points: list[Point] = []

    def add(self, at: float, *, relevant: bool) -> None:
        """Count a fetched page."""
        if len(self._recent) == RECENT:
            self._hits -= self._recent[0]
        self._recent.append(relevant)
        self._hits += relevant
        self.fetched += 1
        self.relevant += relevant
        self._at = max(self._at, at)  # pages are not received in the order of their requests
        if self.fetched == 1 or self.fetched % self._stride == 0:
            self._points.append(self._last())
            if len(self._points) > _MOST:
                del self._points[1::2]
                self._stride *= 2

    def correct(self, *, fetched: int = 0, relevant: int = 0) -> None:
        """Take over what a page fetched again holds now; the points so far stay as they were."""
        self.fetched += fetched
        self.relevant += relevant

    @property
    def harvest_now(self) -> float:
        """Share of relevant pages among the last 100; 0 before the first."""
        return self._hits / len(self._recent) if self._recent else 0.0

    def points(self) -> list[Point]:
        """Return the curve up to the last page."""
        last = self._points[-1] if self._points else None
        is_whole = last is None or (last.fetched, last.relevant) == (self.fetched, self.relevant)
        return list(self._points) if is_whole else [*self._points, self._last()]

    def milestones(self, count: int = 10) -> Iterator[Point]:
        """Yield a few evenly spaced points of the curve, with the last one: the curve as a table."""
        points = self.points()
        step = max(1, -(-len(points) // count))
        yield from points[(len(points) - 1) % step :: step]

    def _last(self) -> Point:
        return Point(at=self._at, fetched=self.fetched, relevant=self.relevant, harvest_now=self.harvest_now)
