"""All that the app knows of the crawl: nothing else in ``serve`` opens the folder."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

from homing.config import Config
from homing.crawler.clock import WallClock
from homing.errors import HomingError, LockedError
from homing.serve.crawl.look import Look, is_running, look_at
from homing.serve.crawl.totals import Totals
from homing.store.catalog.labels import label_pages
from homing.store.folder import Layout
from homing.store.inbox import Command, Inbox
from homing.store.index import Search
from homing.store.views.browsing import Browser

FRESH = 1.0
"""Seconds for which a look at the crawl holds."""
_SHARE, _STALEST = 20, 10.0
"""A look that takes long holds longer: no more than a twentieth of the time is spent on looking, as long as
no look is older than ten seconds."""
_WATCH_EVERY = 10.0
"""Seconds; a crawl shows its pulse for twice as long after each wish."""


class CrawlFolder:
    """A crawl folder as the app sees it. Any thread may use it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.layout = Layout(root)
        self._clock = WallClock()
        self._one_at_a_time = threading.Lock()
        self._look: Look | None = None
        self._look_again_at = 0.0
        self._totals = Totals()
        self._epoch: object = None
        self._watch_again_at = 0.0
        self._search: Search | None = None
        self.open().close()  # a folder that is no crawl is told now, and not at the first request

    @property
    def name(self) -> str:
        return self.root.resolve().name

    def open(self) -> Browser:
        """The catalog, for one request: opening takes half a millisecond, and no two threads share it."""
        return Browser(self.root)

    def topic(self) -> str:
        """What the crawl is about, if its configuration can be read."""
        try:
            return Config.load(self.layout.config).topic.title
        except HomingError:
            return ""

    def index(self) -> Search:
        """The full-text index; an error that says how to make one where there is none."""
        if self._search is None:
            self._search = Search(self.root)
        return self._search

    def look(self) -> Look:
        """The crawl now, or a moment ago: all who watch share one look."""
        with self._one_at_a_time:
            began = self._clock.now()
            if self._look is None or began >= self._look_again_at:
                self._look = self._look_anew()
                took = self._clock.now() - began
                self._look_again_at = began + min(max(FRESH, _SHARE * took), _STALEST)
            return self._look

    def watch(self) -> Look:
        """A look of somebody who goes on looking, for whom a running crawl shows what is in its memory."""
        look = self.look()
        now = self._clock.now()
        if look.running and now >= self._watch_again_at:
            self._watch_again_at = now + _WATCH_EVERY
            self.wish("watch", {})
        return look

    def wish(self, kind: str, payload: dict[str, object]) -> int:
        """Leave a wish for the crawl; tells its number."""
        with closing(Inbox(self.root)) as inbox:
            return inbox.send(kind, payload)

    def found_wish(self, number: int) -> Command | None:
        """What became of a wish; ``None`` for one that nobody remembers."""
        with closing(Inbox(self.root)) as inbox:
            return inbox.find(number)

    def wishes(self, limit: int) -> list[Command]:
        """The last wishes that were left here, the newest first."""
        with closing(Inbox(self.root)) as inbox:
            return inbox.recent(limit)

    def is_running(self) -> bool:
        """Whether a crawl is at work at this very moment; a look may be some seconds old."""
        with self.open() as browser:
            return is_running(self.layout, browser.facts())

    def labels(self) -> dict[str, bool]:
        """What people have said of pages, by URL."""
        with self.open() as browser:
            return {label.url: label.relevant for label in browser.labels()}

    def label(self, url: str, *, relevant: bool) -> int | None:
        """Call a page right or wrong. A running crawl is asked to, and the wish has a number."""
        if not self.is_running():
            try:
                label_pages(self.root, {url: relevant}, wall=self._clock.wall)
            except LockedError:  # a crawl began just now
                pass
            else:
                return None
        return self.wish("label", {"url": url, "relevant": relevant})

    def _look_anew(self) -> Look:
        with self.open() as browser:
            epoch = self._epoch_of(browser)
            if epoch != self._epoch:
                self._epoch, self._totals = epoch, Totals()
            return look_at(self.layout, browser, self._totals, wall=self._clock.wall())

    def _epoch_of(self, browser: Browser) -> object:
        """Changes with whatever may change visits that were counted already: then all are counted anew.

        Who opens a crawl for writing may write off what the disk has lost, and a judge that has learnt anew
        judges old pages again.
        """
        opened = self.layout.lock.stat().st_mtime_ns if self.layout.lock.exists() else 0
        return opened, browser.facts().get("relearnt")
