"""Steps 6 to 8 of a page, the same wherever a page is visited: learn from it, score its links, merge.

The engine takes these steps for every page it has fetched, ``crawler/live/rescoring.py`` for archived pages
that are visited again with a new judge, ``crawler/resume.py`` for those that came after the last checkpoint,
and the toy crawl of ``checks`` for the pages of a toy web. What differs is where the priorities are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from homing.model import Entry, Priority, Proposal, Visit, keep_better
from homing.ports import Learns, Merges

Offer = Callable[[Iterable[Proposal], Visit], None]
"""Takes the proposals of a visit to where priorities are kept, by way of ``merged``."""


def learn_and_score(strategy: Learns, visit: Visit, offer: Offer | None) -> None:
    """Let the strategy learn from a visit, then offer what it proposes; without ``offer``, only learn."""
    strategy.learn(visit)
    if offer is not None:
        offer(strategy.score(visit), visit)


class KeepBetter:
    """The default rule, for offers that no strategy makes."""

    additive = False
    merge = staticmethod(keep_better)


def merged(
    rule: Merges, proposal: Proposal, held: Priority, *, finished: bool, read: Callable[[], Entry]
) -> tuple[Proposal, Entry | None] | None:
    """Merge a proposal into what a known URL holds.

    A finished URL has spent what it held. It is queued again only by a proposal that asks for a ``revisit``;
    without one, only credit that adds up still reaches it.

    Parameters
    ----------
    held
        The URL's present priority.
    read
        Reads the URL's present entry. It comes from disk, so it is called only where it is needed.

    Returns
    -------
    The proposal that remains, with the old entry if that was read; ``None`` if nothing changes.
    """
    if rule.additive:
        old = read()
        result = rule.merge(old, proposal)
        is_same = result.priority == old.priority and result.memo == old.memo
        return None if is_same and not (finished and proposal.revisit) else (result, old)
    if finished:
        return (proposal, read()) if proposal.revisit else None
    return (proposal, None) if proposal.priority.better_than(held) else None
