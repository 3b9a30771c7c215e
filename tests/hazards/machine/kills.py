"""A crawl that is killed again and again, and checked after each kill.

1. A URL once acknowledged as known is never lost: what a reader saw just before the kill is there after it.
2. A page is fetched at most once, and once more for each crash: nothing committed is requested again.
3. There are never two requests to a host at a time, nor less than its delay between them; after a restart,
   every host requested before first rests its full delay.
4. The archive can be read up to the last committed record, and a start cuts what is behind it.
"""

from __future__ import annotations

import random
import signal
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

from tests.hazards.machine.sound import Holdings, assert_sound_after_a_start, holdings
from tests.integration.command import Command, wait_until

from homing.store.folder import Layout

DELAY = 0.2
OPTIONS = ("--concurrency", "8", "--delay", str(DELAY))
EARLY = 0.2
"""Fraction of the kills that come while the crawl is still starting."""
TICK = 0.02
"""Maximum seconds by which the time of a file is behind the clock."""


class KillLoop:
    """One crawl of a served web, and its lives so far.

    Parameters
    ----------
    folder
        Where the crawl is. A copy beside it is checked.
    seed
        Random seed of the moments of its deaths.
    """

    def __init__(self, command: Command, folder: Path, *, seed: int = 5) -> None:
        self.kills = 0
        self.held = Holdings(frozenset(), frozenset())
        """What is committed."""
        self._command = command
        self._folder = folder
        self._dice = random.Random(seed)
        self._answered = 0
        """Number of requests that the server had answered before this life began."""
        self._born = 0.0
        """Start of this life, by the clock of the server's log."""

    def live_and_die(self) -> None:
        """Crawl for a moment, kill the crawl, and check it."""
        self._born = time.monotonic()
        process = self._command.start(self._folder, *OPTIONS)
        if self._dice.random() > EARLY:
            wait_until(lambda: len(self._command.served.requests()) > self._answered)
        time.sleep(self._dice.uniform(0.0, 1.5))
        acknowledged = holdings(self._folder)
        process.kill()
        _, said = process.communicate()
        assert process.returncode == -signal.SIGKILL, said
        self.kills += 1
        self._check(acknowledged)

    def live_on(self, pages: int) -> None:
        """Resume until this many more pages are fetched, to a clean stop, and check the crawl."""
        before = self._command.served.requests()
        self._born = time.monotonic()
        total = len(self.held.visited) + pages
        figures = self._command.run(self._folder, *OPTIONS, "--pages", str(total))
        assert figures["stop_reason"] == "pages"
        assert len(self._command.served.requests()) > len(before)
        self._check(self.held)

    def _check(self, acknowledged: Holdings) -> None:
        now = holdings(self._folder)
        assert self.held.known | acknowledged.known <= now.known
        assert self.held.visited | acknowledged.visited <= now.visited
        self._check_requests()
        self.held, self._answered = now, len(self._command.served.requests())
        if Layout(self._folder).database.exists():
            scratch = self._folder.with_name("copy")
            assert_sound_after_a_start(self._folder, scratch)

    def _check_requests(self) -> None:
        """Check by the server's log: nothing held at the last death was requested again, no delay was cut."""
        requests = self._command.served.requests()
        urls = [f"http://{request['host']}{request['path']}" for request in requests]
        assert not self.held.visited.intersection(urls[self._answered :])
        unsteady = {
            url for url, request in zip(urls, requests, strict=True) if int(str(request["status"])) >= 429
        }
        pages = Counter(url for url in urls if not url.endswith("/robots.txt") and url not in unsteady)
        assert max(pages.values(), default=0) <= 1 + self.kills

        spans: dict[object, list[tuple[float, float]]] = defaultdict(list)
        for request in requests:
            spans[request["host"]].append((float(str(request["began"])), float(str(request["ended"]))))
        for each in spans.values():
            each.sort()
            assert all(began - ended >= DELAY for (_, ended), (began, _) in pairwise(each))
        before = {request["host"] for request in requests[: self._answered]}
        if before and (opened := self._opened_at()):
            began_at = [
                float(str(each["began"])) for each in requests[self._answered :] if each["host"] in before
            ]
            # A busy server may answer a last request of the life before after its log was read.
            assert all(began >= opened + DELAY - TICK for began in began_at if began >= self._born)

    def _opened_at(self) -> float:
        """Return when this life opened the crawl, by the server's clock: ``crawl.toml`` is written then."""
        # The least of several: on a busy machine, time may pass between readings of the two clocks.
        apart = min(time.monotonic() - time.time() for _ in range(20))
        return Layout(self._folder).config.stat().st_mtime + apart
