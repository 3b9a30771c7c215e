"""Which pages should be asked for again: those that have probably changed since they were last seen."""

from __future__ import annotations

import math
from collections.abc import Iterable
from heapq import nlargest

from msgspec import Struct

from homing.store.views.histories import History

DAY = 86_400.0
LIKELY = 1 / 3
"""A page is due when it has changed by so much of a chance."""


class Due(Struct, frozen=True, kw_only=True):
    """A page to be asked for again."""

    history: History
    chance: float
    """How likely it has changed."""


def rate_of_change(history: History, *, usual: float) -> float:
    """Changes a second, as a Poisson process would make them.

    The estimator of Cho and Garcia-Molina, which sees that a page that changed between two looks may have
    changed more than once, and is not biased where looks are few. Beside what was observed there is one
    look, after the usual time, that found half a change: so a page that was never looked at again has the
    chance ``LIKELY`` to have changed by then, and each real look makes that count for less.

    Parameters
    ----------
    usual
        Seconds after which a page should be looked at of which nothing is known.

    Examples
    --------
    >>> page = History(seq=0, url="", digest="x", seen_at=0.0, looks=0, changes=0, span=0.0)
    >>> round(chance_of_change(page, 7 * DAY, usual=7 * DAY), 2)
    0.33
    >>> lively = History(seq=0, url="", digest="x", seen_at=0.0, looks=6, changes=6, span=6 * DAY)
    >>> sleepy = History(seq=0, url="", digest="x", seen_at=0.0, looks=6, changes=0, span=60 * DAY)
    >>> [round(chance_of_change(each, 7 * DAY, usual=7 * DAY), 2) for each in (lively, sleepy)]
    [1.0, 0.05]

    References
    ----------
    Cho, Garcia-Molina 2003, Estimating frequency of change. Looks come at any time here, so that their mean
    distance stands for the paper's fixed one.
    """
    looks, changes = history.looks + 1, history.changes + 0.5
    interval = (history.span + usual) / looks
    return -math.log((looks - changes + 0.5) / (looks + 0.5)) / interval


def chance_of_change(history: History, now: float, *, usual: float) -> float:
    """How likely the page has changed since it was last seen."""
    age = max(0.0, now - history.seen_at)
    return 1 - math.exp(-rate_of_change(history, usual=usual) * age)


def due(
    histories: Iterable[History],
    now: float,
    *,
    usual: float,
    older_than: float | None = None,
    limit: int | None = None,
) -> list[Due]:
    """The pages that are due, the likeliest to have changed first.

    Parameters
    ----------
    older_than
        All that were last seen so many seconds ago, and no others, whatever is known of their changes.
    limit
        How many at most.
    """
    found = []
    for history in histories:
        chance = chance_of_change(history, now, usual=usual)
        is_due = chance >= LIKELY if older_than is None else now - history.seen_at >= older_than
        if is_due:
            found.append(Due(history=history, chance=chance))
    return nlargest(len(found) if limit is None else limit, found, key=lambda each: each.chance)
