"""A crawl folder as the web app sees it: nothing else in ``serve`` opens one."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

from homing.config import Config
from homing.crawler.clock import WallClock
from homing.errors import HomingError, LockedError
from homing.serve.crawl.overview import Overview, is_running, take_overview
from homing.serve.crawl.totals import Totals
from homing.store.catalog.labels import label_pages
from homing.store.folder import Layout
from homing.store.inbox import Command, Inbox
from homing.store.index import Search
from homing.store.views.browsing import Browser

FRESH = 1.0
"""Seconds for which an overview is reused."""
_SHARE, _STALEST = 20, 10.0
"""A slow overview is reused for longer: it may take a twentieth of the time, but never gets older than ten
seconds."""
_WATCH_EVERY = 10.0
"""Seconds between two ``snapshot`` commands; a crawl writes its pulse for twice as long after each."""


class CrawlFolder:
    """A crawl folder as the app sees it. Any thread may use it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.layout = Layout(root)
        self._clock = WallClock()
        self._one_at_a_time = threading.Lock()
        self._overview: Overview | None = None
        self._fresh_until = 0.0
        self._totals = Totals()
        self._epoch: object = None
        self._watch_again_at = 0.0
        self._search: Search | None = None
        self.open().close()  # fail now, rather than at the first request, if the folder holds no crawl

    @property
    def name(self) -> str:
        return self.root.resolve().name

    def open(self) -> Browser:
        """Open the catalog for one request: it takes half a millisecond, and threads cannot share one."""
        return Browser(self.root)

    def topic(self) -> str:
        """Return the topic of the crawl, or nothing if its configuration cannot be read."""
        try:
            return Config.load(self.layout.config).topic.title
        except HomingError:
            return ""

    def index(self) -> Search:
        """Return the full-text index; where there is none, the error says how to build it."""
        if self._search is None:
            self._search = Search(self.root)
        return self._search

    def overview(self) -> Overview:
        """Return the crawl as it is now, or was a moment ago: all readers share one overview."""
        with self._one_at_a_time:
            began = self._clock.now()
            if self._overview is None or began >= self._fresh_until:
                self._overview = self._take_overview()
                took = self._clock.now() - began
                self._fresh_until = began + min(max(FRESH, _SHARE * took), _STALEST)
            return self._overview

    def watch(self) -> Overview:
        """Return an overview, and keep a running crawl publishing what is in its memory."""
        overview = self.overview()
        now = self._clock.now()
        if overview.running and now >= self._watch_again_at:
            self._watch_again_at = now + _WATCH_EVERY
            self.send("snapshot", {})
        return overview

    def send(self, kind: str, payload: dict[str, object]) -> int:
        """Put a command into the crawl's inbox and return its number."""
        with closing(Inbox(self.root)) as inbox:
            return inbox.send(kind, payload)

    def find_command(self, number: int) -> Command | None:
        """Return a command with its result; ``None`` if it is not kept any more."""
        with closing(Inbox(self.root)) as inbox:
            return inbox.find(number)

    def commands(self, limit: int) -> list[Command]:
        """Return the latest commands, newest first."""
        with closing(Inbox(self.root)) as inbox:
            return inbox.recent(limit)

    def is_running(self) -> bool:
        """Tell whether a crawl runs at this very moment; an overview may be seconds old."""
        with self.open() as browser:
            return is_running(self.layout, browser.facts())

    def labels(self) -> dict[str, bool]:
        """Return the labels that people gave pages, by URL."""
        with self.open() as browser:
            return {label.url: label.relevant for label in browser.labels()}

    def label(self, url: str, *, relevant: bool) -> int | None:
        """Label a page. A running crawl gets a command to do so, whose number is returned."""
        if not self.is_running():
            try:
                label_pages(self.root, {url: relevant}, wall=self._clock.wall)
            except LockedError:  # a crawl began just now
                pass
            else:
                return None
        return self.send("label", {"url": url, "relevant": relevant})

    def _take_overview(self) -> Overview:
        with self.open() as browser:
            epoch = self._epoch_of(browser)
            if epoch != self._epoch:
                self._epoch, self._totals = epoch, Totals()
            return take_overview(self.layout, browser, self._totals, wall=self._clock.wall())

    def _epoch_of(self, browser: Browser) -> object:
        """Return a value that changes when visits already counted may have changed, so all are recounted.

        A writer that opens the crawl may write off what the disk has lost, and a retrained judge re-scores
        old pages.
        """
        opened = self.layout.lock.stat().st_mtime_ns if self.layout.lock.exists() else 0
        return opened, browser.facts().get("relearnt")
