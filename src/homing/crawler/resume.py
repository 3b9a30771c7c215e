"""Waking up: bring the parts of an engine to where the last run left off.

After a clean stop the crawl goes on exactly as if there had been no stop. After a crash nothing known is
lost; the strategy learns again from the visits that came after its last saved state. From all of them, where
that state is of another version.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from homing.crawler.events import Counters
from homing.crawler.outcomes import NOT_THERE
from homing.crawler.parts import Parts
from homing.crawler.view import CrawlView
from homing.errors import OldStateError
from homing.model import Standing, Visit
from homing.urls import key


def wake(parts: Parts, counters: Counters, seeds: Sequence[str], blocks: Sequence[str]) -> None:
    """Load what is known, and offer the seeds that are new."""
    store, frontier, clock = parts.store, parts.frontier, parts.clock
    for pattern in blocks:
        parts.scope.block(pattern)
    roots = set(store.roots())
    for url in (*seeds, *roots):
        parts.scope.root(url)
    known = store.known()
    if len(known.keys):
        offset = clock.now() - clock.wall()
        delayed = [(seq, until + offset) for seq, until in store.delayed()]
        frontier.load(known, store.hosts(), delayed, clock.now())
        if parts.traps:  # before the strategy: it learns from the links that may be followed
            parts.traps.recall(
                (url, fingerprint)
                for url, status, fingerprint in store.answers()
                if fingerprint is not None or status in NOT_THERE
            )
        _recall_strategy(parts)
    _recall_counters(parts, counters)
    # Not the old ones again: where scores add up, they would gain by every stop.
    parts.offers.seeds(url for url in seeds if url not in roots)
    if not counters.pages:
        # Nothing has come yet: a seed that failed gets another chance, the network may be back.
        parts.offers.seeds((url for url in seeds if _has_failed(parts, url)), again=True)
    store.note("stop_reason", "")
    store.commit()


def _has_failed(parts: Parts, url: str) -> bool:
    seq = parts.frontier.seq_of(key(url))
    return seq is not None and parts.frontier.standing_of(seq) in (Standing.FAILED, Standing.REFUSED)


def _recall_strategy(parts: Parts) -> None:
    step = 0
    if saved := parts.store.strategy_state():
        with suppress(OldStateError):  # then all pages are shown to it again
            parts.strategy.restore(saved[1])
            step = saved[0]
    crashed = False
    for number, entry, reply, judgement in parts.store.visits_since(step):
        crashed = True
        page = parts.workers.desk.parser.read(reply)
        page = parts.offers.followed(page, entry)
        parts.strategy.learn(Visit(step=number, entry=entry, page=page, judgement=judgement))
    ranking = parts.store.ranking()
    if crashed and parts.strategy.rerank_every:
        ranking = parts.strategy.rerank(CrawlView(parts.frontier, parts.store))
    if ranking is not None:
        parts.frontier.overwrite(ranking)


def _recall_counters(parts: Parts, counters: Counters) -> None:
    tally = parts.store.tally()
    seconds = parts.store.fact("seconds")
    cut = parts.store.fact("cut")
    if parts.traps and isinstance(cut, dict):
        parts.traps.cut.update(cut)
    counters.pages = counters.started_with = tally.pages
    counters.relevant = tally.relevant
    counters.redirects = tally.redirects
    counters.failed.update(tally.failed)
    counters.seconds = float(seconds) if isinstance(seconds, int | float) else 0.0
