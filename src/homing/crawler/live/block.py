"""A block takes effect on URLs that are queued: those that match it leave the queue, or return to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from homing.crawler.offers import Offers
from homing.crawler.outcomes import Outcomes
from homing.crawler.parts import Parts
from homing.model import Failure, Proposal
from homing.ports import HostQueue
from homing.scope import Scope, is_glob

PORTION = 1_000
"""URLs looked at between two turns: some 50 milliseconds, if all of them have to go."""


def evict(parts: Parts, outcomes: Outcomes, pattern: str, done: Callable[[int], None]) -> Iterator[None]:
    """Refuse every queued URL that the pattern blocks, in portions; ``done`` is told how many there were.

    None of them would be requested in any case (``Requests.lease`` looks at each); but they would fill the
    queue, and be counted, until their turn came.
    """
    border, urls = Scope(block=[pattern]), parts.frontier.urls
    numbers = _hosts(parts.frontier.hosts, pattern)
    count = 0
    for portion in _in_portions(urls.unfinished_seqs(numbers).tolist()):
        for seq in portion:
            is_queued = urls.is_queued(seq)
            if not is_queued and not urls.is_refused(seq):
                continue  # it was leased before the block came
            entry = urls.current(parts.store.entry(seq))
            if reason := border.blocked(entry.url):
                count += 1
                if is_queued:  # its turn has not come since
                    failure = Failure(url=entry.url, kind="scope", detail=reason, requested=False)
                    outcomes.withdraw(entry, failure)
        yield
    done(count)


def readmit(parts: Parts, offers: Offers, pattern: str, done: Callable[[int], None]) -> Iterator[None]:
    """Queue every URL again that was refused by a block which is lifted now, in portions.

    A URL lost its priority with the block; it gets that of a seed, as it would if it were added again.
    """
    border = Scope(block=[pattern])
    numbers = _hosts(parts.frontier.hosts, pattern)
    count = 0
    for portion in _in_portions(parts.frontier.urls.refused_seqs(numbers).tolist()):
        entries = (parts.store.entry(seq) for seq in portion)
        found: list[Proposal] = [
            parts.strategy.start(entry.url)
            for entry in entries
            if border.blocked(entry.url) and not parts.scope.refusal(entry.url, entry.depth)
        ]
        offers.again(found)
        count += len(found)
        yield
    done(count)


def _hosts(hosts: Iterable[HostQueue], pattern: str) -> list[int] | None:
    """Return the hosts that a block concerns: a million URLs need not be read from the disk for one host."""
    if is_glob(pattern):
        return None
    border = Scope(block=[pattern])
    return [each.number for each in hosts if border.blocked(f"http://{each.name}/")]


def _in_portions(seqs: list[int]) -> Iterator[list[int]]:
    return (seqs[start : start + PORTION] for start in range(0, len(seqs), PORTION))
