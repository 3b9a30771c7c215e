"""How a crawl went, page by page: a curve of bounded length that grows with the crawl."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from msgspec import Struct

RECENT = 100
"""How many pages make "now" in the harvest rate."""
_MOST = 400
"""Points of a curve: more than a screen can show is only slow."""


class Point(Struct, frozen=True, kw_only=True):
    """The crawl when it had fetched so many pages."""

    at: float
    """Seconds since 1970."""
    fetched: int
    relevant: int
    harvest_now: float
    """Share of relevant pages among the last hundred."""


class Series:
    """Fetched and relevant pages over time.

    Keeps every ``stride``-th page. When it has too many points it drops every second one and takes steps
    twice as long from there on, so that a curve of any length costs the same.

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
        """Relevant ones among the recent."""
        self._stride = 1
        self._points: list[Point] = []

    def add(self, at: float, *, relevant: bool) -> None:
        """A page was fetched."""
        if len(self._recent) == RECENT:
            self._hits -= self._recent[0]
        self._recent.append(relevant)
        self._hits += relevant
        self.fetched += 1
        self.relevant += relevant
        self._at = max(self._at, at)  # pages do not arrive in the order in which they were asked for
        if self.fetched == 1 or self.fetched % self._stride == 0:
            self._points.append(self._last())
            if len(self._points) > _MOST:
                del self._points[1::2]
                self._stride *= 2

    @property
    def harvest_now(self) -> float:
        """Share of relevant pages among the last hundred; 0 before the first."""
        return self._hits / len(self._recent) if self._recent else 0.0

    def points(self) -> list[Point]:
        """The curve up to the last page."""
        is_whole = not self.fetched or self._points[-1].fetched == self.fetched
        return list(self._points) if is_whole else [*self._points, self._last()]

    def milestones(self, count: int = 10) -> Iterator[Point]:
        """A few points of the curve, evenly spaced and the last among them: a curve for those who read."""
        points = self.points()
        step = max(1, -(-len(points) // count))
        yield from points[(len(points) - 1) % step :: step]

    def _last(self) -> Point:
        return Point(at=self._at, fetched=self.fetched, relevant=self.relevant, harvest_now=self.harvest_now)
