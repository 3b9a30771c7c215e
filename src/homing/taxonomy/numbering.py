"""Numbers for the branches of a tree, so that subjects alike have numbers alike.

Up to ten siblings take one digit. Where some level has more, all numbers of that level get two (or
three) digits. The galaxy is found digit by digit, so the first of them should part siblings into groups
that mean something: they are put in a row, each beside the one most like it, and spread evenly over the
numbers there are. Fourteen siblings are 00, 07, 14, 21 and so on: one or two share a first digit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

import numpy as np

Path = tuple[str, ...]
"""A label and those it is part of, the widest first: ``("Science", "Biology")``."""

Profile = Mapping[str, float]
"""How common each of some terms is in a subject's pages."""

_DIGIT = 10


def number(paths: Collection[Path], profiles: Mapping[Path, Profile]) -> dict[Path, str]:
    """A number for every path; that of a path begins with that of the path it is part of.

    >>> number([("law",), ("animals",), ("animals", "fish"), ("animals", "birds")], {})
    {('animals',): '1', ('law',): '2', ('animals', 'birds'): '11', ('animals', 'fish'): '12'}
    """
    siblings: defaultdict[Path, list[Path]] = defaultdict(list)
    for path in sorted(paths, key=lambda path: (len(path), path)):
        siblings[path[:-1]].append(path)
    widths: defaultdict[int, int] = defaultdict(int)
    for above, row in siblings.items():
        widths[len(above)] = max(widths[len(above)], len(str(len(row) - 1)))
    codes: dict[Path, str] = {(): ""}
    for above, row in siblings.items():
        width = widths[len(above)]
        if len(row) > _DIGIT:
            row = _row_of_neighbours(row, profiles)
        for place, path in enumerate(row):
            codes[path] = f"{codes[above]}{_spread(place, len(row), width):0{width}}"
    del codes[()]
    return codes


def _spread(place: int, count: int, width: int) -> int:
    """One digit counts from 1 (from 0 if all ten are needed); more digits leave even gaps."""
    if width == 1:
        return place + (count < _DIGIT)
    return place * int(_DIGIT**width) // count


def _row_of_neighbours(row: list[Path], profiles: Mapping[Path, Profile]) -> list[Path]:
    """The same subjects in a row, from the oddest on always the one most like the last."""
    terms = sorted({term for path in row for term in profiles.get(path, {})})
    shares = np.array([[profiles.get(path, {}).get(term, 0.0) for term in terms] for path in row])
    shares = shares - shares.mean(axis=0)
    lengths = np.linalg.norm(shares, axis=1, keepdims=True)
    likeness = (shares / np.where(lengths > 0, lengths, 1)) @ (shares / np.where(lengths > 0, lengths, 1)).T
    np.fill_diagonal(likeness, 0)
    last = int(likeness.sum(axis=1).argmin())
    order = [last]
    while len(order) < len(row):
        likeness[:, last] = -np.inf
        last = int(likeness[last].argmax())
        order.append(last)
    return [row[place] for place in order]
