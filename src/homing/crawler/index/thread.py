"""The index while a crawl runs, kept up to date in a thread of its own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from homing.crawler.events import Event, Visited
from homing.crawler.index.catch_up import Intake
from homing.errors import HomingError, LockedError
from homing.store.folder import Layout
from homing.store.index import Writer
from homing.store.views.visit_log import VisitLog

LOOK_EVERY = 1.0
"""Seconds between two looks at the catalog."""
PORTION = 500
LAST = 2_000
"""Maximum visits taken in at a look, and at the last one: a stop need not wait for a long backlog."""
LOOKS_A_COMMIT = 10
"""Looks between two commits: each commit leaves a part of the index that must be merged with others later."""
REMEMBERED = 32_000_000
"""Maximum characters of text kept until their visit is committed; other texts are read from the archive."""


class Indexer:
    """A listener that has the visited pages taken into the index.

    An error of the index does not stop a crawl: it is reported, and the next start or search resumes there.

    Parameters
    ----------
    folder
        The crawl's folder.
    tell
        Called with the error, in a line.
    """

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        self._folder = folder
        self._tell = tell
        self._texts = Texts(REMEMBERED)
        self._leaving = threading.Event()
        self._mistake: BaseException | None = None
        # A daemon: a script that ends without closing its crawl shall end; the index then catches up later.
        self._thread = threading.Thread(target=self._run, name="homing-index", daemon=True)
        self._thread.start()

    def __call__(self, event: Event) -> None:
        """Keep the text of a page until the catalog has committed its visit."""
        if isinstance(event, Visited) and self._thread.is_alive():
            self._texts.put(event.visit.step, event.visit.page.text)

    def close(self) -> None:
        """Take in what is committed, up to a limit, and release the index."""
        self._leaving.set()
        self._thread.join()
        if self._mistake is not None:
            raise self._mistake

    def _run(self) -> None:
        try:
            self._follow()
        except BaseException as error:  # a mistake of ours, which ``close`` raises
            self._mistake = error

    def _follow(self) -> None:
        try:
            with VisitLog(self._folder) as arrivals, self._writer() as writer:
                intake = Intake(writer, arrivals, self._texts.take)
                looks, more, leaving, told = 0, False, False, 0
                while not leaving:
                    leaving = self._leaving.wait(0 if more else LOOK_EVERY)
                    looks += 1
                    more = intake.take(LAST if leaving else PORTION)
                    if leaving or looks % LOOKS_A_COMMIT == 0:
                        intake.commit()
                        if intake.damage.count > told:
                            told = intake.damage.count
                            self._tell(intake.damage.line)
        except HomingError as error:
            with suppress(HomingError):  # a disk too full for this line: the crawl itself reports that
                self._tell(str(error))

    def _writer(self) -> Writer:
        """Return the writer as soon as it is free: a search may be bringing the index up to date."""
        while True:
            try:
                return Writer(Layout(self._folder).index, command="homing crawl")
            except LockedError:
                if self._leaving.wait(LOOK_EVERY):
                    raise


class Texts:
    """Texts by the step of their page, in order, up to a total length; further ones are dropped.

    >>> texts = Texts(most=10)
    >>> for step, text in enumerate(["moths", "wasps", "bees"]):
    ...     texts.put(step, text)
    >>> texts.take(1), texts.take(2)
    ('wasps', None)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._texts: deque[tuple[int, str]] = deque()
        self._lock = threading.Lock()

    def put(self, step: int, text: str) -> None:
        with self._lock:
            if self._size + len(text) <= self._most:
                self._size += len(text)
                self._texts.append((step, text))

    def take(self, step: int) -> str | None:
        """Return the text of that step; it is removed with all before it."""
        with self._lock:
            while self._texts and self._texts[0][0] <= step:
                found, text = self._texts.popleft()
                self._size -= len(text)
                if found == step:
                    return text
        return None
