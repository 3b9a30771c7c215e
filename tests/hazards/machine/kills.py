"""A crawl that is killed again and again, and held to the promises after each time.

1. A URL once acknowledged as known is never lost: what a reader saw just before the kill is there after it.
2. A page is fetched at most once, and once more for each crash: nothing committed is asked for again.
3. Never two requests to a host at a time, nor less than its delay between them; after a restart every host
   that was asked before first rests its full delay.
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
"""Which part of the kills comes while the crawl still starts."""
TICK = 0.02
"""Seconds that the time of a file may be behind the clock."""


class KillLoop:
    """One crawl of a served web, and what it has done in its lives so far.

    Parameters
    ----------
    folder
        Where the crawl is; beside it a copy is made to look into.
    seed
        Of the dice that say when it dies.
    """

    def __init__(self, command: Command, folder: Path, *, seed: int = 5) -> None:
        self.kills = 0
        self.held = Holdings(frozenset(), frozenset())
        """What is committed."""
        self._command = command
        self._folder = folder
        self._dice = random.Random(seed)
        self._asked = 0
        """Requests before this life began, as far as the server had answered them."""
        self._born = 0.0
        """When it began, by the clock of the server's log."""

    def live_and_die(self) -> None:
        """Crawl for a moment, die of SIGKILL, and be checked."""
        self._born = time.monotonic()
        process = self._command.start(self._folder, *OPTIONS)
        if self._dice.random() > EARLY:
            wait_until(lambda: len(self._command.served.requests()) > self._asked)
        time.sleep(self._dice.uniform(0.0, 1.5))
        acknowledged = holdings(self._folder)
        process.kill()
        _, said = process.communicate()
        assert process.returncode == -signal.SIGKILL, said
        self.kills += 1
        self._check(acknowledged)

    def live_on(self, pages: int) -> None:
        """Go on until that many more pages have come, to a good end, and be checked."""
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
        self.held, self._asked = now, len(self._command.served.requests())
        if Layout(self._folder).database.exists():
            scratch = self._folder.with_name("copy")
            assert_sound_after_a_start(self._folder, scratch)

    def _check_requests(self) -> None:
        """By the server's log: nothing that was held at the last death is asked again, nobody hurried."""
        requests = self._command.served.requests()
        urls = [f"http://{request['host']}{request['path']}" for request in requests]
        assert not self.held.visited.intersection(urls[self._asked :])
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
        before = {request["host"] for request in requests[: self._asked]}
        if before and (opened := self._opened_at()):
            asked = [float(str(each["began"])) for each in requests[self._asked :] if each["host"] in before]
            # A busy server may answer what the last life had asked for as it died after that was checked.
            assert all(began >= opened + DELAY - TICK for began in asked if began >= self._born)

    def _opened_at(self) -> float:
        """When this life woke up, by the clock of the server's log: ``crawl.toml`` is written then."""
        # The least of several: on a busy machine, a while may pass between looks at the two clocks.
        apart = min(time.monotonic() - time.time() for _ in range(20))
        return Layout(self._folder).config.stat().st_mtime + apart
