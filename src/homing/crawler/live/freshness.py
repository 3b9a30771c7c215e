"""Which pages should be fetched again: those that have probably changed since they were last fetched."""

from __future__ import annotations

import math
from collections.abc import Iterable
from heapq import nlargest

from msgspec import Struct

from homing.store.views.histories import History

DAY = 86_400.0
LIKELY = 1 / 3
"""A page is due when it has changed with this probability."""


class Due(Struct, frozen=True, kw_only=True):
    """A page to be fetched again."""

    history: History
    chance: float
    """Probability that it has changed."""


def rate_of_change(history: History, *, typical: float) -> float:
    """Return the changes a second, taken as a Poisson process.

    The estimator of Cho and Garcia-Molina, which allows for several changes between two looks at a page, and
    is not biased where looks are few. As a prior, one look is added, after the typical time, that found half
    a change: a page that was never looked at again has by then changed with the probability ``LIKELY``, and
    each real look reduces the weight of the prior.

    Parameters
    ----------
    typical
        Seconds after which a page should be fetched again while nothing is known of its changes.

    Examples
    --------
    >>> page = History(seq=0, url="", digest="x", seen_at=0.0, looks=0, changes=0, span=0.0)
    >>> round(chance_of_change(page, 7 * DAY, typical=7 * DAY), 2)
    0.33
    >>> lively = History(seq=0, url="", digest="x", seen_at=0.0, looks=6, changes=6, span=6 * DAY)
    >>> sleepy = History(seq=0, url="", digest="x", seen_at=0.0, looks=6, changes=0, span=60 * DAY)
    >>> [round(chance_of_change(each, 7 * DAY, typical=7 * DAY), 2) for each in (lively, sleepy)]
    [1.0, 0.05]

    References
    ----------
    Cho, Garcia-Molina 2003, Estimating frequency of change. Looks are not evenly spaced here; their mean
    distance takes the place of the paper's fixed one.
    """
    looks, changes = history.looks + 1, history.changes + 0.5
    interval = (history.span + typical) / looks
    return -math.log((looks - changes + 0.5) / (looks + 0.5)) / interval


def chance_of_change(history: History, now: float, *, typical: float) -> float:
    """Return the probability that the page has changed since it was last fetched."""
    age = max(0.0, now - history.seen_at)
    return 1 - math.exp(-rate_of_change(history, typical=typical) * age)


def due(
    histories: Iterable[History],
    now: float,
    *,
    typical: float,
    older_than: float | None = None,
    limit: int | None = None,
) -> list[Due]:
    """Return the pages that are due, the likeliest to have changed first.

    Parameters
    ----------
    older_than
        Take all pages last fetched at least this many seconds ago, and no others.
    limit
        Maximum number of pages.
    """
    found = []
    for history in histories:
        chance = chance_of_change(history, now, typical=typical)
        is_due = chance >= LIKELY if older_than is None else now - history.seen_at >= older_than
        if is_due:
            found.append(Due(history=history, chance=chance))
    return nlargest(len(found) if limit is None else limit, found, key=lambda each: each.chance)
