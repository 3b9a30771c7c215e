"""The index follows the catalog: it takes in the committed visits, from the first that it does not hold.

A running crawl (``thread.py``), the next start after a crash and ``homing search`` all do this, and the index
never holds a page that the catalog may yet lose. Texts that are no longer in memory, after a kill for
example, are read from the archive.

Of the links that lead to a page, the catalog knows the anchor text of the best one. ``rebuild`` reads every
page anyway, and takes the anchor texts of all links.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from homing.errors import Damage, DamagedRecordError
from homing.store.catalog.rows import storable
from homing.store.folder import Layout
from homing.store.index import IndexedPage, Writer, held
from homing.store.views.page_row import PageRow
from homing.store.views.visit_log import VisitLog
from homing.topic.crawled_pages import CrawledPages

PORTION = 5_000
"""Visits between two commits of a long update."""
ANCHORS = 20
ANCHOR_LENGTH = 100
"""Maximum number of different anchor texts of a page in a rebuilt index, and of letters of each."""

_UNREADABLE = "none"
"""The judge of a page that no worker could parse: it is not tried again here, where nothing could stop it."""


def catch_up(folder: Path, *, command: str, tell: Callable[[int], None] = lambda visits: None) -> Damage:
    """Bring the index of a crawl up to date; return which pages could not be read.

    Parameters
    ----------
    command
        The command that other processes are shown while it is locked.
    tell
        Called with the number of visits to take in, before that takes long.
    """
    with VisitLog(folder) as arrivals:
        if held(Layout(folder).index) == arrivals.last():
            return Damage()
        with Writer(Layout(folder).index, command=command) as writer:
            intake = Intake(writer, arrivals)
            tell(arrivals.last() - intake.taken)
            while intake.take(PORTION):  # if it is interrupted, the next update has less to do
                intake.commit()
            intake.commit()
            return intake.damage


def rebuild(folder: Path, *, command: str) -> Damage:
    """Build the index of a crawl again from its archive; until that is done, the old one is searched.

    Return which pages could not be read.
    """
    with VisitLog(folder) as arrivals, Writer(Layout(folder).index, command=command) as writer:
        intake = Intake(writer, arrivals)
        anchors = intake.all_anchors()
        intake.clear()
        while intake.take(PORTION, anchors):
            pass
        intake.commit()
        writer.tidy()
        return intake.damage


class Intake:
    """Takes visits into an index, from the last that it holds.

    An index that holds more visits than the catalog is cleared: the catalog was put back to an older state.

    Parameters
    ----------
    text_of
        Returns the text of the page with this step, if it is still in memory.
    """

    def __init__(
        self, writer: Writer, arrivals: VisitLog, text_of: Callable[[int], str | None] = lambda step: None
    ) -> None:
        self._writer = writer
        self._arrivals = arrivals
        self._pages = CrawledPages(arrivals)
        self._text_of = text_of
        self.taken = writer.visit
        """The last visit taken in, committed or not."""
        self._committed: int | None = writer.visit
        if self.taken > arrivals.last():
            self.clear()
            self.commit()

    @property
    def damage(self) -> Damage:
        """The pages that were left out because their records are damaged."""
        return self._pages.damage

    def clear(self) -> None:
        """Remove all pages."""
        self._writer.clear()
        self.taken, self._committed = 0, None

    def take(self, most: int, anchors: Mapping[str, Sequence[str]] | None = None) -> bool:
        """Take in the visits since, at most this many; return whether there may be more.

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
        """Commit, so that searches find the new pages."""
        if self.taken != self._committed:
            self._writer.commit(self.taken)
            self._committed = self.taken

    def all_anchors(self) -> Mapping[str, Sequence[str]]:
        """Return the anchor texts of all links between pages, by the URL that they lead to."""
        until = self._arrivals.last()
        anchors: dict[str, dict[str, None]] = {
            row.url: {} for _, row in self._arrivals.after(0, until) if _is_for_search(row)
        }
        for _, row in self._arrivals.after(0, until):
            is_readable = row.url in anchors and row.judge != _UNREADABLE
            page = self._pages.of(row) if is_readable else None
            for link in page.links if page else ():
                known = anchors.get(link.url)
                if known is not None and len(known) < ANCHORS and link.url != row.url:
                    known[storable(link.anchor[:ANCHOR_LENGTH])] = None
        return {url: tuple(words) for url, words in anchors.items()}

    def _take_row(self, row: PageRow, anchors: Sequence[str]) -> None:
        text = self._text_of(row.step)
        if not _is_for_search(row):
            self._writer.remove(row.seq)
            return
        if text is None:
            try:
                page = None if row.judge == _UNREADABLE else self._pages.read(row)
            except DamagedRecordError as error:
                self.damage.note(str(error))
                self._writer.remove(row.seq)
                return
            text = page.text if page else ""
        self._writer.put(row.seq, _kept(row, text), [*filter(None, dict.fromkeys([row.anchor, *anchors]))])


def _is_for_search(row: PageRow) -> bool:
    """Tell whether a page was archived and may be found."""
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
