"""What a person asks of a running crawl: it comes through the inbox and is applied within a second."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from homing.crawler.engine import Engine
from homing.crawler.events import Noted
from homing.crawler.live.block import evict
from homing.crawler.live.pulse import Heart
from homing.crawler.live.relearn import Relearning
from homing.fetch.pace import Pace
from homing.model import Standing
from homing.store.inbox import Command, Inbox
from homing.urls import canonical, key

_NOT_UNDERSTOOD = "not understood"


class Wishes:
    """Takes wishes from the inbox and applies them between two visits.

    ``pause``, ``go-on``, ``stop``; ``seeds`` (``urls``); ``block`` (``pattern``: a host, or a glob over
    URLs); ``delay`` (``seconds``); ``pages-per-second`` (``pages``; null for as many as can be had);
    ``label`` (``url``, ``relevant``); ``relearn``; ``watch``.

    Each gets an answer. What takes long is done in portions beside the crawl, and answered when it is done;
    if the crawl stops before, the wish is open still and is taken up again by the next run.
    """

    def __init__(
        self, inbox: Inbox, engine: Engine, pace: Pace, heart: Heart, relearning: Relearning
    ) -> None:
        self._inbox = inbox
        self._engine = engine
        self._pace = pace
        self._heart = heart
        self._relearning = relearning
        self._under_way: set[int] = set()

    def apply(self) -> None:
        """Grant what has come in since the last time, in its order, and say what came of each."""
        for wish in self._inbox.take():
            if wish.number in self._under_way:
                continue
            if wish.kind == "watch":  # comes every ten seconds, changes nothing and is not worth a line
                self._heart.watch(wish.sent_at)
                self._inbox.applied([wish.number], "done")
                continue
            answer = self._grant(wish)
            if answer is None:
                self._under_way.add(wish.number)
            else:
                self._answer(wish, answer)

    def _answer(self, wish: Command, answer: str) -> None:
        self._engine.parts.store.commit()  # what is called done must outlive a crash
        self._inbox.applied([wish.number], answer)
        self._engine.tell(Noted(name="wish", detail=f"{wish.kind}: {answer}"))

    def _grant(self, wish: Command) -> str | None:
        """What came of it; ``None`` if that is answered later."""
        engine = self._engine
        match wish.kind, wish.payload:
            case "pause", _:
                engine.requests.paused = True
            case "go-on", _:
                engine.requests.paused = False
            case "stop", _:
                engine.counters.stop_reason = engine.counters.stop_reason or "asked to stop"
            case "seeds", {"urls": list(given)}:
                seeds = [url for url in map(canonical, map(str, given)) if url]
                engine.parts.offers.seeds(seeds)
                return f"{len(seeds)} of {len(given)} taken"
            case "block", {"pattern": str(pattern)} if pattern:
                self._block(pattern, partial(self._answer, wish))
                return None
            case "delay", {"seconds": int(seconds) | float(seconds)} if 0 <= seconds <= 86_400:
                self._pace.delay = float(seconds)
            case "pages-per-second", {"pages": None}:
                self._pace.pages_per_second = None
            case "pages-per-second", {"pages": int(pages) | float(pages)} if 0 < pages <= 100_000:
                self._pace.pages_per_second = float(pages)
            case "label", {"url": str(url), "relevant": bool(relevant)}:
                return self._label(url, relevant)
            case "relearn", _:
                self._relearning.begin(partial(self._answer, wish))
                return None
            case _:
                return _NOT_UNDERSTOOD
        return "done"

    def _block(self, pattern: str, answer: Callable[[str], None]) -> None:
        """Nothing like it is taken from now on, and what waits leaves the queue."""
        engine, store = self._engine, self._engine.parts.store
        engine.parts.scope.block(pattern)
        noted = store.fact("blocks")
        blocks = noted if isinstance(noted, list) else []
        store.note("blocks", [*blocks, *([] if pattern in blocks else [pattern])])
        store.commit()

        def done(count: int) -> None:
            answer(f"done; {count:,} waiting URL{'s' * (count != 1)} left the queue")

        engine.chores.append(evict(engine, pattern, done))

    def _label(self, url: str, relevant: bool) -> str:
        frontier = self._engine.parts.frontier
        seq = frontier.seq_of(key(canonical(url) or url))
        if seq is None:
            return f"{url} is unknown to this crawl"
        if frontier.standing_of(seq) is not Standing.DONE:
            return f"{url} has not been fetched, so there is nothing to judge it by"
        self._engine.parts.store.label(seq, relevant)
        self._relearning.labelled()
        return "done"
