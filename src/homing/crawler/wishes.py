"""What a person asks of a running crawl: it comes through the inbox and is applied within a second."""

from __future__ import annotations

from collections.abc import Mapping

from homing.crawler.engine import Engine
from homing.crawler.events import Noted
from homing.fetch.pace import Pace
from homing.store.inbox import Inbox
from homing.urls import canonical


class Wishes:
    """Takes wishes from the inbox and applies them between two visits.

    ``pause``, ``go-on``, ``stop``, ``seeds`` (``urls``), ``block`` (``pattern``), ``delay`` (``seconds``).
    """

    def __init__(self, inbox: Inbox, engine: Engine, pace: Pace) -> None:
        self._inbox = inbox
        self._engine = engine
        self._pace = pace

    def apply(self) -> None:
        """Grant what has come in since the last time, in its order, and say what came of each."""
        for wish in self._inbox.take():
            answer = self._grant(wish.kind, wish.payload)
            self._engine.parts.store.commit()  # what is called done must outlive a crash
            self._inbox.applied([wish.number], answer)
            self._engine.tell(Noted(name="wish", detail=f"{wish.kind}: {answer}"))

    def _grant(self, kind: str, payload: Mapping[str, object]) -> str:
        engine = self._engine
        match kind, payload:
            case "pause", _:
                engine.paused = True
            case "go-on", _:
                engine.paused = False
            case "stop", _:
                engine.counters.stop_reason = engine.counters.stop_reason or "asked to stop"
            case "seeds", {"urls": list(given)}:
                seeds = [url for url in map(canonical, map(str, given)) if url]
                engine.parts.offers.seeds(seeds)
                return f"{len(seeds)} of {len(given)} taken"
            case "block", {"pattern": str(pattern)} if pattern:
                engine.parts.scope.block(pattern)
                blocks = engine.parts.store.fact("blocks")
                engine.parts.store.note("blocks", [*(blocks if isinstance(blocks, list) else []), pattern])
            case "delay", {"seconds": int(seconds) | float(seconds)} if 0 <= seconds <= 86_400:
                self._pace.delay = float(seconds)
            case _:
                return "not understood"
        return "done"
