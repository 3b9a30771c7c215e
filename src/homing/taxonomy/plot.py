"""The galaxy: the region of numbers where the terms of a text are densest.

Each term of the taxonomy that occurs is a dot at each of its numbers. A region holds all dots
whose numbers begin alike, and weighs ``W = n · Σ length · impact``: the number of its dots, times how
long (precise) and how prominent they are. From the heaviest of the first digits one descends to the
heaviest of the second within it, and so on. Where several weigh the same, all are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import NamedTuple

ANCHOR_IMPACT = 1.4
"""Weight of a dot from the anchor of a link, relative to one from the words around it."""

_EQUAL = 1 - 1e-9
"""Weights that differ by less than this are the same but for rounding."""

_NOTHING: Mapping[str, float] = {}


class Place(NamedTuple):
    """A number as a place for dots."""

    key: str
    length: int
    """Its digits: the UDC's symbols are not counted."""
    regions: tuple[str, ...]
    """All prefixes of its number, the shortest first, itself last."""

    @classmethod
    def of(cls, key: str) -> Place:
        """Return the place of a number without dots.

        >>> Place.of("595")
        Place(key='595', length=3, regions=('5', '59', '595'))
        """
        return cls(key, sum(map(str.isdigit, key)), tuple(key[:end] for end in range(1, len(key) + 1)))


class Dot(NamedTuple):
    """Terms at one place: how many, and the weight of each."""

    place: Place
    times: float = 1.0
    impact: float = 1.0


Dots = Iterable[tuple[Place, float, float]]
"""Dots, or tuples like them: a page has hundreds, and a plain tuple is made in a fifth of the time."""

_Weighed = tuple[str, tuple[str, ...], float, float]
"""A number and its regions, how many dots lie there (the formula's n), and their ``Σ length · impact``."""


class Plot:
    """Dots, sorted into regions on request, as a page has hundreds of regions.

    Examples
    --------
    >>> dots = [Dot(Place.of(key)) for key in ("294", "296", "296", "297", "510")]
    >>> plot = Plot(dots)
    >>> plot.weight("2"), plot.weight("29"), plot.weight("296"), plot.weight("5")
    (48.0, 48.0, 12.0, 3.0)
    >>> plot.galaxy()
    ('296',)
    """

    def __init__(self, dots: Dots) -> None:
        self._dots: list[_Weighed] = [
            (key, regions, times, times * length * impact) for (key, length, regions), times, impact in dots
        ]
        self._known: dict[str, tuple[dict[str, float], dict[str, float]]] = {}
        self._galaxy: tuple[str, ...] | None = None

    def __bool__(self) -> bool:
        """Return whether there are any dots."""
        return bool(self._dots)

    def weight(self, region: str) -> float:
        """Return the region's W."""
        inside = [(times, weight) for key, _, times, weight in self._dots if key.startswith(region)]
        return sum([times for times, _ in inside]) * sum([weight for _, weight in inside])

    def galaxy(self, extra: Mapping[str, float] = _NOTHING) -> tuple[str, ...]:
        """Return the heaviest regions, as deep as they go; none if there are no dots.

        ``extra`` is additional weight, by region.
        """
        if extra:
            return self._descend(extra)
        if self._galaxy is None:  # computed once for all links of a list
            self._galaxy = self._descend(extra)
        return self._galaxy

    def lies_in(self, regions: Iterable[str], extra: Mapping[str, float] = _NOTHING) -> bool:
        """Return whether any of the galaxy lies in one of these: every region down to it is a heaviest one.

        >>> Plot([Dot(Place.of("294")), Dot(Place.of("510"))]).lies_in(["29", "6"])
        True
        """
        for wanted in regions:
            ends = range(len(wanted))
            if all(wanted[: end + 1] in self._heaviest(wanted[:end], extra) for end in ends):
                return True
        return False

    def lies_surely_in(self, regions: Iterable[str], impact: float) -> bool | None:
        """Return the same for all links of this text, or ``None`` where their anchors may decide.

        Those lift a region to ``impact`` times its weight at most: one that leads by more is not overtaken.

        >>> dots = [Dot(Place.of("294"), times=3), Dot(Place.of("510")), Dot(Place.of("600"), times=2.8)]
        >>> [Plot(dots).lies_surely_in([region], impact=1.4) for region in ("2", "5", "6")]
        [None, False, None]
        """
        surely: bool | None = False
        for wanted in regions:
            least, dots = inf, self._dots
            for end in range(len(wanted)):
                lead, dots = _lead(dots, end, wanted[: end + 1])
                least = min(least, lead)
                if least * impact <= _EQUAL:  # mostly the first digit decides
                    break
            else:
                if least > impact:
                    return True
                surely = None
        return surely

    def share(self, regions: Iterable[str]) -> float:
        """Return the share of all ``length · impact`` in these regions, none of which contains another."""
        inside = tuple(regions)
        whole = sum([weight for _, _, _, weight in self._dots])
        part = sum([weight for key, _, _, weight in self._dots if key.startswith(inside)])
        return min(1.0, part / whole) if whole else 0.0  # rounding may lift it past one

    def _descend(self, extra: Mapping[str, float]) -> tuple[str, ...]:
        found: list[str] = []
        left = self._heaviest("", extra)
        while left:
            region = left.pop()
            inner = self._heaviest(region, extra)
            left += inner
            if not inner:
                found.append(region)
        return tuple(sorted(found))

    def _heaviest(self, region: str, extra: Mapping[str, float]) -> list[str]:
        """Return those of the regions directly within one that have the largest W."""
        counts, sums = self._known.get(region) or self._sum_within(region)
        if len(counts) < 2:
            return list(counts)
        weights = [count * (sums[inner] + extra.get(inner, 0.0)) for inner, count in counts.items()]
        least = max(weights) * _EQUAL
        return [inner for inner, weight in zip(counts, weights, strict=True) if weight >= least]

    def _sum_within(self, region: str) -> tuple[dict[str, float], dict[str, float]]:
        """Return the number of dots and their ``Σ length · impact`` for each region directly within one."""
        end = len(region)
        counts: dict[str, float] = {}
        sums: dict[str, float] = {}
        for key, regions, times, weight in self._dots:
            if len(regions) > end and key.startswith(region):
                inner = regions[end]
                if inner in counts:
                    counts[inner] += times
                    sums[inner] += weight
                else:
                    counts[inner] = times
                    sums[inner] = weight
        self._known[region] = counts, sums
        return counts, sums


def _lead(dots: list[_Weighed], end: int, wanted: str) -> tuple[float, list[_Weighed]]:
    """Return the ratio of a region's W to the heaviest beside it (0 if it has no dots), and its dots.

    Plain sums, as this runs on every passage of every page: half of the time of ``_sum_within``.
    """
    inside: list[_Weighed] = []
    count = total = 0.0
    counts: dict[str, float] = {}
    sums: dict[str, float] = {}
    for dot in dots:
        _, regions, times, weight = dot
        if len(regions) <= end:
            continue
        region = regions[end]
        if region == wanted:
            inside.append(dot)
            count += times
            total += weight
        elif region in counts:
            counts[region] += times
            sums[region] += weight
        else:
            counts[region] = times
            sums[region] = weight
    others = max([counts[region] * sums[region] for region in counts], default=1e-9)
    return count * total / others, inside


def galaxy(numbers: Iterable[str]) -> tuple[str, ...]:
    """Return the galaxy of plain dots at these numbers.

    >>> galaxy(["155.95", "391", "746.92"])
    ('15595', '74692')
    """
    return Plot(Dot(Place.of(number.replace(".", ""))) for number in numbers).galaxy()
