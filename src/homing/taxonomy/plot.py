"""The galaxy: the region of numbers where a text's words lie thickest.

Each word or phrase that the taxonomy knows is a dot at each of its numbers. A region holds all dots
whose numbers begin alike, and weighs ``W = n · Σ length · impact``: the number of its dots, times how
long (precise) and how prominent they are. From the heaviest of the first digits one descends to the
heaviest of the second within it, and so on. Where several weigh the same, all are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

ANCHOR_IMPACT = 1.4
"""What a dot from the words of a link counts against one from the words around it."""

_EQUAL = 1 - 1e-9
"""Weights that differ by less than this are the same but for rounding."""

_NOTHING: Mapping[str, float] = {}


class Place(NamedTuple):
    """A number as a place for dots."""

    key: str
    length: int
    """Its digits: the UDC's signs are not counted."""
    regions: tuple[str, ...]
    """All that its number begins with, the shortest first, itself last."""

    @classmethod
    def of(cls, key: str) -> Place:
        """The place of a number without dots.

        >>> Place.of("595")
        Place(key='595', length=3, regions=('5', '59', '595'))
        """
        return cls(key, sum(map(str.isdigit, key)), tuple(key[:end] for end in range(1, len(key) + 1)))


class Dot(NamedTuple):
    """Words at one place: how many they are, and how much each counts."""

    place: Place
    times: float = 1.0
    impact: float = 1.0


Dots = Iterable[tuple[Place, float, float]]
"""Dots, or tuples like them: a page has hundreds, and a plain tuple is made in a fifth of the time."""


class Plot:
    """Dots, sorted into regions.

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
        self._dots: dict[str, float] = {}
        self._sums: dict[str, float] = {}
        """``Σ length · impact`` of each region."""
        self._below: dict[str, list[str]] = {}
        for place, times, weight in _totals(dots):
            above = ""
            for region in place.regions:
                if region in self._dots:
                    self._dots[region] += times
                    self._sums[region] += weight
                else:
                    self._dots[region] = times
                    self._sums[region] = weight
                    self._below.setdefault(above, []).append(region)
                above = region

    def dots(self, region: str) -> float:
        """How many dots the region has (the formula's n)."""
        return self._dots.get(region, 0.0)

    def weight(self, region: str, extra: Mapping[str, float] = _NOTHING) -> float:
        """The region's W; ``extra`` is what some dots weigh more than was known, by region."""
        if region not in self._dots:
            return 0.0
        return self._dots[region] * (self._sums[region] + extra.get(region, 0.0))

    def galaxy(self, extra: Mapping[str, float] = _NOTHING) -> tuple[str, ...]:
        """The heaviest regions, as deep as they go; none if there are no dots."""
        found: list[str] = []
        open_regions = [""]
        while open_regions:
            region = open_regions.pop()
            inner = self._below.get(region, ())
            if inner:
                weights = [self.weight(each, extra) for each in inner]
                least = max(weights) * _EQUAL
                open_regions += [each for each, weight in zip(inner, weights, strict=True) if weight >= least]
            elif region:
                found.append(region)
        return tuple(sorted(found))

    def share(self, regions: Iterable[str]) -> float:
        """What part of all ``length · impact`` lies in these regions, none of which holds another."""
        whole = sum([self._sums[region] for region in self._below.get("", ())])
        part = sum([self._sums.get(region, 0.0) for region in regions])
        return min(1.0, part / whole) if whole else 0.0  # rounding may lift it past one


def galaxy(numbers: Iterable[str]) -> tuple[str, ...]:
    """The galaxy of plain dots at these numbers.

    >>> galaxy(["155.95", "391", "746.92"])
    ('15595', '74692')
    """
    return Plot(Dot(Place.of(number.replace(".", ""))) for number in numbers).galaxy()


def _totals(dots: Dots) -> Iterator[tuple[Place, float, float]]:
    """The dots of each place together, with ``Σ length · impact``."""
    totals: dict[str, tuple[Place, float, float]] = {}
    for place, times, impact in dots:
        _, before, weight = totals.get(place.key, (place, 0.0, 0.0))
        totals[place.key] = place, before + times, weight + times * place.length * impact
    return iter(totals.values())
