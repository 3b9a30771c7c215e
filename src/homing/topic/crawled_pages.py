"""The pages of a crawl, parsed anew from its archive: what judges and strategies are taught by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from homing.errors import DamagedError
from homing.model import Page
from homing.parse import PageParser
from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader

T = TypeVar("T")


class CrawledPages:
    """What a crawl has archived and can still be read as a page."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._parser = PageParser()

    def at(self, url: str) -> Page | None:
        """The page at a URL, if the crawl has kept it."""
        entry = self._reader.find(url)
        row = self._reader.visit(entry.seq) if entry else None
        return self.of(row) if row else None

    def labelled(self, *, relevant: bool) -> Iterator[Page]:
        """Those that people have called right, or wrong."""
        seqs = [label.seq for label in self._reader.labels() if label.relevant == relevant]
        rows = filter(None, map(self._reader.visit, seqs))
        yield from filter(None, map(self.of, rows))

    def others(self, known: Iterable[str], most: int) -> Iterator[Page]:
        """Pages that nobody has labelled, at most so many, evenly over the crawl."""
        labelled = {label.seq for label in self._reader.labels()}
        left_out = {*known}
        rows = Thinned[PageRow](most)
        rows.extend(
            row
            for row in self._reader.pages()
            if row.seq not in labelled and not {row.url, row.final_url} & left_out
        )
        yield from filter(None, map(self.of, rows.kept))

    def relevant(self) -> list[str]:
        """The URLs that people have called right, or where nobody has said anything, that the judge has."""
        said = {label.url: label.relevant for label in self._reader.labels()}
        rows = (row for row in self._reader.pages() if row.warc_file is not None)
        return [row.url for row in rows if said.get(row.url, bool(row.relevant))]

    def of(self, row: PageRow) -> Page | None:
        """The page of a visit, if its body was archived and says something."""
        try:
            reply = self._reader.reply(row)
        except OSError as error:
            raise DamagedError(f"cannot read {row.warc_file} of the archive: {error.strerror}") from error
        page = self._parser.read(reply) if reply and reply.has_page else None
        return page if page and (page.text.strip() or page.title.strip()) else None


class Thinned(Generic[T]):
    """Of a stream of unknown length, at most so many, evenly spread."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: list[T] = []
        self._every = 1
        self._seen = 0

    def extend(self, items: Iterable[T]) -> None:
        for item in items:
            if self._seen % self._every == 0:
                self.kept.append(item)
            if len(self.kept) > self.most:
                del self.kept[1::2]
                self._every *= 2
            self._seen += 1
