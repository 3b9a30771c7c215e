"""What a user may change in a running crawl. Every method belongs between two turns of the engine.

``Crawl`` offers these to Python, and ``live/inbox.py`` to other processes. What takes long is done in
portions beside the crawl; such a method is given ``done``, which is called with the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from homing.crawler.engine import Engine
from homing.crawler.live.block import evict, readmit
from homing.crawler.live.pulse import Heart
from homing.crawler.live.relearn import Relearning
from homing.crawler.parts import Parts
from homing.errors import UsageError
from homing.fetch.pace import Pace, Steered
from homing.model import Standing
from homing.store.pulse_file import Pulse
from homing.urls import canonical, key

STOPPED = "stop command"
"""The reason to stop of a crawl that was sent the command ``stop``."""


STEERED = "pace"
"""The fact under which rate limits that a command has set are kept."""


def told(steered: Steered) -> str:
    """Say which rate limits a command has set, and how long they hold.

    >>> told({"delay": 2.5, "pages_per_second": None})
    '2.5 s between two requests to a host, any number of pages a second, until set_pace with reset'
    """
    limits = []
    if "delay" in steered:
        limits.append(f"{steered['delay']:g} s between two requests to a host")
    if "pages_per_second" in steered:
        rate = steered["pages_per_second"]
        limits.append(f"{'any number of' if rate is None else f'{rate:g}'} pages a second")
    return f"{', '.join(limits)}, until set_pace with reset"


class Commands:
    """Carries out commands on one crawl; their payloads have been checked (``live/verbs.py``)."""

    def __init__(
        self, engine: Engine, parts: Parts, pace: Pace, heart: Heart, relearning: Relearning
    ) -> None:
        self._engine = engine
        self._parts = parts
        self._pace = pace
        self._heart = heart
        self._relearning = relearning

    def pause(self) -> None:
        """Send no more requests until ``resume``; what is in flight is taken in."""
        self._pause(True)

    def resume(self) -> None:
        """Send requests again."""
        self._pause(False)

    def stop(self) -> None:
        """Stop the crawl once what is in flight has been taken in."""
        counters = self._engine.counters
        counters.stop_reason = counters.stop_reason or STOPPED

    def add_seeds(self, urls: Iterable[str]) -> int:
        """Offer more seeds; return how many of them are http(s) URLs."""
        seeds = [url for url in map(canonical, urls) if url]
        self._engine.offers.seeds(seeds)
        return len(seeds)

    def block(self, pattern: str, done: Callable[[int], None]) -> None:
        """Refuse a host, or what matches a glob, from now on; ``done`` is told how many left the queue."""
        self._parts.scope.block(pattern)
        blocks = self._blocks()
        self._keep_blocks([*blocks, *([] if pattern in blocks else [pattern])])
        self._engine.chores.append(evict(self._parts, self._engine.outcomes, pattern, done))

    def unblock(self, pattern: str, done: Callable[[int], None]) -> None:
        """Lift a block; ``done`` is told how many URLs were queued again."""
        blocks = self._blocks()
        if pattern not in blocks:
            raise UsageError(f"{pattern} is not blocked in this crawl")
        self._parts.scope.unblock(pattern)
        self._keep_blocks([each for each in blocks if each != pattern])
        self._engine.chores.append(readmit(self._parts, self._engine.offers, pattern, done))

    def label(self, url: str, relevant: bool) -> None:
        """Keep whether a fetched page is on the topic."""
        urls = self._parts.frontier.urls
        seq = urls.seq_of(key(canonical(url) or url))
        if seq is None:
            raise UsageError(f"{url} is unknown to this crawl")
        if urls.standing_of(seq) is not Standing.DONE:
            raise UsageError(f"{url} has not been fetched, so it cannot be labelled")
        self._parts.store.label(seq, relevant)
        self._relearning.labelled()

    def relearn(self, done: Callable[[str], None]) -> None:
        """Train the judge on the labels, and visit all archived pages again with it."""
        self._relearning.begin(done)

    def set_pace(self, *, delay: float | None, pages_per_second: float | None, reset: bool = False) -> str:
        """Set the delay between two requests to one host, or the rate over all hosts, or both.

        ``None`` leaves a limit as it is; an infinite rate is no limit. What is set holds at any time of day,
        and for later runs, until ``reset`` returns to the configuration. Returned is what holds now.
        """
        steered: Steered = {} if reset else self._pace.steered.copy()
        if delay is not None:
            steered["delay"] = delay
        if pages_per_second is not None:
            steered["pages_per_second"] = None if math.isinf(pages_per_second) else pages_per_second
        self._pace.steered = steered
        self._parts.store.note(STEERED, steered)
        self._parts.store.commit()
        self.keep_pace()
        return f"done; {told(steered)}" if steered else "done; the rate limits are those of crawl.toml"

    def keep_pace(self) -> None:
        """Apply the rate limits that hold at this time of day."""
        limits = self._pace.at(self._parts.clock.wall())
        self._parts.frontier.hosts.delay = limits.delay
        self._parts.rate.rate = limits.pages_per_second

    def snapshot(self) -> Pulse:
        """Return the crawl as it is at this moment: frontier, hosts, memory."""
        return self._heart.taken(self._parts.clock.wall())

    def _pause(self, paused: bool) -> None:
        self._engine.requests.paused = paused
        self._parts.store.note("paused", paused)
        self._parts.store.commit()

    def _blocks(self) -> list[str]:
        blocks = self._parts.store.fact("blocks")
        return blocks if isinstance(blocks, list) else []

    def _keep_blocks(self, blocks: list[str]) -> None:
        self._parts.store.note("blocks", blocks)
        self._parts.store.commit()
