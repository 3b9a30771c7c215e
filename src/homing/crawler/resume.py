"""Resuming: bring the parts of an engine to where the last run left off.

After a clean stop the crawl continues exactly as if there had been no stop. After a crash nothing known is
lost; the strategy learns again from the visits after its last saved state, or from all of them if that state
is of another version.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from homing.crawler.engine import Engine
from homing.crawler.outcomes import NOT_THERE
from homing.crawler.parts import Parts
from homing.crawler.progress import Counters
from homing.errors import OldStateError
from homing.model import Standing, Visit
from homing.ports import Store, UrlTable
from homing.steps import learn_and_score
from homing.urls import key


def resume(engine: Engine, seeds: Sequence[str], blocks: Iterable[str] = ()) -> None:
    """Load what is known, and offer the seeds that are new."""
    parts = engine.parts
    store = parts.store
    for pattern in blocks:
        parts.scope.block(pattern)
    roots = set(store.roots())
    for url in (*seeds, *roots):
        parts.scope.root(url)
    known = store.known()
    if len(known.keys):
        now = parts.clock.now()
        offset = now - parts.clock.wall()
        delayed = [(seq, until + offset) for seq, until in store.delayed()]
        parts.frontier.load(known, store.hosts(), delayed, now)
        _load_traps(parts)  # before the strategy: it learns from the links that may be followed
        _load_strategy(engine, parts)
    _load_counters(engine.counters, store)
    # Not the old ones again: where scores add up, they would gain by every stop.
    engine.offers.seeds(url for url in seeds if url not in roots)
    if not engine.counters.steps:
        # No page has been fetched yet: a seed that failed gets another chance, the network may be back.
        engine.offers.seeds((url for url in seeds if _has_failed(parts.frontier.urls, url)), again=True)
    store.note("stop_reason", "")
    store.note("paused", False)
    store.commit()


def _has_failed(urls: UrlTable, url: str) -> bool:
    seq = urls.seq_of(key(url))
    return seq is not None and urls.standing_of(seq) in (Standing.FAILED, Standing.REFUSED)


def _load_traps(parts: Parts) -> None:
    store, traps = parts.store, parts.traps
    if traps:
        pages = (
            (url, fingerprint)
            for url, status, fingerprint in store.answers()
            if fingerprint is not None or status in NOT_THERE
        )
        cut = store.fact("cut")
        traps.load(pages, cut if isinstance(cut, dict) else {})


def _load_strategy(engine: Engine, parts: Parts) -> None:
    store, step = parts.store, 0
    if saved := store.strategy_state():
        with suppress(OldStateError):  # then it learns from all pages again
            parts.strategy.restore(saved[1])
            step = saved[0]
    crashed = False
    for number, entry, reply, judgement in store.visits_since(step):
        crashed = True
        page = engine.offers.followed(parts.reader.parse(reply, "page"), entry)
        visit = Visit(step=number, entry=entry, page=page, judgement=judgement)
        learn_and_score(parts.strategy, visit, None)  # what it proposed then, the frontier has
    ranking = store.ranking()
    if crashed and parts.strategy.rerank_every:
        engine.rerank()
    elif ranking is not None:
        parts.frontier.overwrite(ranking)


def _load_counters(counters: Counters, store: Store) -> None:
    tally, seconds = store.tally(), store.fact("seconds")
    counters.pages, counters.relevant = tally.pages, tally.relevant
    counters.steps, counters.unchanged = tally.steps, tally.unchanged
    refreshed = store.fact("refreshed")
    counters.refreshed = refreshed if isinstance(refreshed, int) else 0
    counters.started_with = counters.fetches
    counters.redirects = tally.redirects
    counters.failed.update(tally.failed)
    counters.seconds_before = float(seconds) if isinstance(seconds, int | float) else 0.0
