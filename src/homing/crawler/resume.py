"""Resuming: bring the parts of an engine to where the last run left off.

After a clean stop the crawl continues exactly as if there had been no stop. After a crash nothing known is
lost; the strategy learns again from the visits after its last saved state, or from all of them if that state
is of another version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from homing.crawler.engine import Engine
from homing.crawler.events import Noted
from homing.crawler.parts import Parts
from homing.crawler.progress import Counters
from homing.errors import BrokenStateError, Damage, ModelError, OldStateError
from homing.model import Ranking, Standing, Visit
from homing.ports import Store, Strategy, UrlTable
from homing.steps import learn_and_score
from homing.urls import key

UNUSABLE = (
    BrokenStateError,
    ModelError,
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
)
"""What strategies raise that are given the state of another, or one that was changed."""


def resume(
    engine: Engine,
    seeds: Sequence[str],
    blocks: Iterable[str] = (),
    begin: Callable[[], Strategy] | None = None,
) -> None:
    """Load what is known, and offer the seeds that are new.

    Parameters
    ----------
    begin
        Creates the strategy as it was before the first page, in place of one that a damaged state has
        changed. Default: a damaged state is an error.
    """
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
        _load_strategy(engine, parts, begin)
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
        pages = ((url, fingerprint) for url, _, fingerprint in store.answers() if fingerprint is not None)
        cut = store.fact("cut")
        traps.load(pages, cut if isinstance(cut, dict) else {})
    allowances = store.fact("allowances")
    parts.frontier.hosts.restore_allowances(allowances if isinstance(allowances, dict) else {})


def _load_strategy(engine: Engine, parts: Parts, begin: Callable[[], Strategy] | None) -> None:
    store, step = parts.store, _restore_strategy(engine, parts, begin)
    crashed = False
    damage = Damage()
    for number, entry, reply, judgement in store.visits_since(step, damage.note):
        crashed = True
        page = engine.offers.followed(parts.reader.parse(reply, "page"), entry)
        visit = Visit(step=number, entry=entry, page=page, judgement=judgement)
        learn_and_score(parts.strategy, visit, None)  # what it proposed then, the frontier has
    if damage.count:
        engine.tell(Noted(name="damage", detail=damage.line))
    ranking = _ranking(engine, store)
    if crashed and parts.strategy.rerank_every:
        engine.rerank()
    elif ranking is not None:
        parts.frontier.overwrite(ranking)


def _restore_strategy(engine: Engine, parts: Parts, begin: Callable[[], Strategy] | None) -> int:
    """Restore the strategy; return the step after which it has to learn from the archive."""
    store = parts.store
    try:
        saved = store.strategy_state()
        if saved is not None:
            parts.strategy.restore(saved[1])
            return saved[0]
    except OldStateError:  # it has changed nothing
        pass
    except UNUSABLE as error:
        if begin is None:
            raise
        parts.strategy = begin()
        detail = f"the state of the strategy cannot be used ({type(error).__name__}: {error})"
        aside = f"{detail}; it is now {store.set_state_aside()}, and is learnt again from the archive"
        engine.tell(Noted(name="damage", detail=aside))
    return 0


def _ranking(engine: Engine, store: Store) -> Ranking | None:
    try:
        return store.ranking()
    except BrokenStateError as error:
        engine.tell(Noted(name="damage", detail=str(error)))
        return None


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
