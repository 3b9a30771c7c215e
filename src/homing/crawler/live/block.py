"""A block takes effect: the URLs that wait and match it leave the queue."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from homing.crawler.engine import Engine
from homing.model import Failure
from homing.scope import Scope, is_glob

PORTION = 1_000
"""URLs looked at between two turns: some 50 milliseconds, if all of them have to go."""


def evict(engine: Engine, pattern: str, done: Callable[[int], None]) -> Iterator[None]:
    """Refuse every waiting URL that the pattern blocks, in portions; ``done`` is told how many there were.

    None of them would be asked for in any case (``Requests.lease`` looks at each); but they would fill the
    queue, and be counted, until their turn came.
    """
    border, frontier = Scope(block=[pattern]), engine.parts.frontier
    # A million URLs need not be read from the disk for the sake of one host.
    hosts = [each.number for each in frontier.hosts if border.blocked(f"http://{each.name}/")]
    seqs = frontier.unfinished_seqs(None if is_glob(pattern) else hosts).tolist()
    count = 0
    for start in range(0, len(seqs), PORTION):
        for seq in seqs[start : start + PORTION]:
            waits = frontier.waits(seq)
            if not waits and not frontier.is_refused(seq):
                continue  # it was leased before the block came
            entry = frontier.as_it_stands(engine.parts.store.entry(seq))
            if reason := border.blocked(entry.url):
                count += 1
                if waits:  # its turn has not come since
                    failure = Failure(url=entry.url, kind="scope", detail=reason, asked=False)
                    engine.detours.withdraw(entry, failure)
        yield
    done(count)
