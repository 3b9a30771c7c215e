"""A pattern opens again: its URLs that were refused return to the queue."""

from __future__ import annotations

from collections.abc import Iterator

from homing.crawler.offers import Offers
from homing.crawler.parts import Parts
from homing.crawler.traps.detector import pattern_of

PORTION = 1_000
"""URLs looked at between two turns."""


def requeue(parts: Parts, offers: Offers, pattern: str) -> Iterator[None]:
    """Queue every refused URL of a pattern again, in portions, with the priority of a seed."""
    name = pattern.partition("/")[0]
    numbers = [host.number for host in parts.frontier.hosts if host.name == name]
    seqs = parts.frontier.urls.refused_seqs(numbers).tolist()
    for start in range(0, len(seqs), PORTION):
        entries = [parts.store.entry(seq) for seq in seqs[start : start + PORTION]]
        offers.again(
            parts.strategy.start(entry.url)
            for entry in entries
            if pattern_of(entry.url) == pattern and not parts.scope.refusal(entry.url, entry.depth)
        )
        yield
