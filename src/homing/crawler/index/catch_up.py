"""The index follows the catalog: it takes in the visits that are committed, from the first it does not know.

A running crawl (``thread.py``), the next start after a crash and ``homing search`` all do the same thing,
and the index never holds a page that the catalog may yet lose. Texts that nobody remembers, after a kill say,
are read anew from the archive.

Of the links that lead to a page, the catalog knows the words of the best one. ``rebuild`` reads every page
anyway, and takes the words of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from homing.model import Page
from homing.store.catalog.rows import storable
from homing.store.folder import Layout
from homing.store.index import IndexedPage, Writer, held
from homing.store.views.page_row import PageRow
from homing.store.views.visit_log import VisitLog
from homing.topic.crawled_pages import CrawledPages

PORTION = 5_000
"""Visits after which a long catching-up is committed."""
ANCHORS = 20
ANCHOR_LENGTH = 100
"""How many different anchors of a page are searched after a rebuild, and how much of each."""

_UNREADABLE = "none"
"""Who judged a page that no worker could parse: it is not tried again here, where nothing could stop it."""


def catch_up(folder: Path, *, command: str, tell: Callable[[int], None] = lambda visits: None) -> None:
    """Bring the index of a crawl up to date, if it is not.

    Parameters
    ----------
    command
        What others are told who find it locked.
    tell
        Told how many visits are to be looked at, before it takes long.
    """
    with VisitLog(folder) as arrivals:
        if held(Layout(folder).index) == arrivals.last():
            return
        with Writer(Layout(folder).index, command=command) as writer:
            intake = Intake(writer, arrivals)
            tell(arrivals.last() - intake.taken)
            while intake.take(PORTION):  # whoever has no patience finds most of it done the next time
                intake.commit()
            intake.commit()


def rebuild(folder: Path, *, command: str) -> None:
    """Make the index of a crawl anew from its archive; until that is done, the old one is searched."""
    with VisitLog(folder) as arrivals, Writer(Layout(folder).index, command=command) as writer:
        intake = Intake(writer, arrivals)
        anchors = intake.all_anchors()
        intake.begin_anew()
        while intake.take(PORTION, anchors):
            pass
        intake.commit()
        writer.tidy()


class Intake:
    """Brings visits into an index, from where it stands.

    An index that knows more visits than the catalog begins anew: the catalog was put back to an older state.

    Parameters
    ----------
    heard
        Gives the text of the page that had this step, if it is remembered.
    """

    def __init__(
        self, writer: Writer, arrivals: VisitLog, heard: Callable[[int], str | None] = lambda step: None
    ) -> None:
        self._writer = writer
        self._arrivals = arrivals
        self._pages = CrawledPages(arrivals)
        self._heard = heard
        self.taken = writer.visit
        """The last visit that was taken in, committed or not."""
        self._committed: int | None = writer.visit
        if self.taken > arrivals.last():
            self.begin_anew()
            self.commit()

    def begin_anew(self) -> None:
        """Forget all pages."""
        self._writer.clear()
        self.taken, self._committed = 0, None

    def take(self, most: int, anchors: Mapping[str, Sequence[str]] | None = None) -> bool:
        """Take in what was visited since, but no more than that; tells whether there may be more.

        ``anchors``, by URL, are added to the one that the catalog knows.
        """
        until, count = self._arrivals.last(), 0
        for visit, row in islice(self._arrivals.after(self.taken, until), most):
            self._take_row(row, (anchors or {}).get(row.url, ()))
            self.taken = visit
            count += 1
        if count < most:
            self.taken = until
        return count == most

    def commit(self) -> None:
        """Let what is new be found."""
        if self.taken != self._committed:
            self._writer.commit(self.taken)
            self._committed = self.taken

    def all_anchors(self) -> Mapping[str, Sequence[str]]:
        """The words of all links from one page to another, by the URL that they lead to."""
        until = self._arrivals.last()
        anchors: dict[str, dict[str, None]] = {
            row.url: {} for _, row in self._arrivals.after(0, until) if _is_for_search(row)
        }
        for _, row in self._arrivals.after(0, until):
            page = self._archived(row) if row.url in anchors else None
            for link in page.links if page else ():
                known = anchors.get(link.url)
                if known is not None and len(known) < ANCHORS and link.url != row.url:
                    known[storable(link.anchor[:ANCHOR_LENGTH])] = None
        return {url: tuple(words) for url, words in anchors.items()}

    def _take_row(self, row: PageRow, anchors: Sequence[str]) -> None:
        text = self._heard(row.step)
        if not _is_for_search(row):
            self._writer.remove(row.seq)
            return
        if text is None:
            page = self._archived(row)
            text = page.text if page else ""
        self._writer.put(row.seq, _kept(row, text), [*filter(None, dict.fromkeys([row.anchor, *anchors]))])

    def _archived(self, row: PageRow) -> Page | None:
        return None if row.judge == _UNREADABLE else self._pages.of(row)


def _is_for_search(row: PageRow) -> bool:
    """A page that was kept and has nothing against being found."""
    is_page = row.kind == "page" and 200 <= row.status < 300
    return is_page and row.warc_file is not None and not row.noindex


def _kept(row: PageRow, text: str) -> IndexedPage:
    return IndexedPage(
        url=row.url,
        title=row.title,
        text=storable(text),
        language=row.language,
        topic_score=row.score or 0.0,
        fetched_at=row.fetched_at,
    )
