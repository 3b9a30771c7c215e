"""Assign numbers to the branches of a tree, so that similar subjects have similar numbers.

Up to ten siblings take one digit. Where some level has more, all numbers of that level get two (or
three) digits. The galaxy is found digit by digit, so the first of them should divide siblings into
meaningful groups: they are put in a row, each beside the one most similar to it, and spread evenly over the
available numbers. Fourteen siblings are 00, 07, 14, 21 and so on: one or two share a first digit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

import numpy as np

Path = tuple[str, ...]
"""A label below those it is part of, the widest first: ``("Science", "Biology")``."""

Profile = Mapping[str, float]
"""Frequency of terms in a subject's pages."""

_DIGIT = 10


def number(paths: Collection[Path], profiles: Mapping[Path, Profile]) -> dict[Path, str]:
    """Return a number for every path; it begins with the number of the path it is part of.

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
    """Return the number at a place: one digit counts from 1 (0 if all ten are used), more leave even gaps."""
    if width == 1:
        return place + (count < _DIGIT)
    return place * int(_DIGIT**width) // count


def _row_of_neighbours(row: list[Path], profiles: Mapping[Path, Profile]) -> list[Path]:
    """Return the subjects in a row: from the least similar one, each most similar to the last."""
    terms = sorted({term for path in row for term in profiles.get(path, {})})
    shares = np.array([[profiles.get(path, {}).get(term, 0.0) for term in terms] for path in row])
    shares = shares - shares.mean(axis=0)
    lengths = np.linalg.norm(shares, axis=1, keepdims=True)
    similarity = (shares / np.where(lengths > 0, lengths, 1)) @ (shares / np.where(lengths > 0, lengths, 1)).T
    np.fill_diagonal(similarity, 0)
    last = int(similarity.sum(axis=1).argmin())
    order = [last]
    while len(order) < len(row):
        similarity[:, last] = -np.inf
        last = int(similarity[last].argmax())
        order.append(last)
    return [row[place] for place in order]
