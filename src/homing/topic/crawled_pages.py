"""The pages of a crawl, parsed from its archive: training data of judges and strategies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from homing.errors import Damage, DamagedRecordError
from homing.model import Page
from homing.parse import PageParser
from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader

T = TypeVar("T")


class CrawledPages:
    """The archived replies of a crawl that can be parsed as pages; damaged ones are counted and left out."""

    def __init__(self, reader: Reader, damage: Damage | None = None) -> None:
        self._reader = reader
        self._parser = PageParser()
        self.damage = damage or Damage()
        """The pages that were left out because their records are damaged."""

    def at(self, url: str) -> Page | None:
        """Return the page at a URL, if the crawl archived it."""
        entry = self._reader.find(url)
        row = self._reader.visit(entry.seq) if entry else None
        return self.of(row) if row else None

    def labelled(self, *, relevant: bool) -> Iterator[Page]:
        """Yield the pages that users labelled relevant, or irrelevant."""
        seqs = [label.seq for label in self._reader.labels() if label.relevant == relevant]
        rows = filter(None, map(self._reader.visit, seqs))
        yield from filter(None, map(self.of, rows))

    def others(self, known: Iterable[str], most: int) -> Iterator[Page]:
        """Yield at most ``most`` unlabelled pages, evenly spread over the crawl."""
        labelled = {label.seq for label in self._reader.labels()}
        left_out = {*known}
        rows = EvenSample[PageRow](most)
        rows.extend(
            row
            for row in self._reader.pages()
            if row.seq not in labelled and not {row.url, row.final_url} & left_out
        )
        yield from filter(None, map(self.of, rows.kept))

    def relevant(self) -> list[str]:
        """Return the URLs labelled relevant, and those without a label that the judge found relevant."""
        labelled = {label.url: label.relevant for label in self._reader.labels()}
        rows = (row for row in self._reader.pages() if row.warc_file is not None)
        return [row.url for row in rows if labelled.get(row.url, bool(row.relevant))]

    def of(self, row: PageRow) -> Page | None:
        """Return the page of a visit, if its body was archived and has words."""
        try:
            return self.read(row)
        except DamagedRecordError as error:
            self.damage.note(str(error))
            return None

    def read(self, row: PageRow) -> Page | None:
        """Return the same; a record that is damaged is an error."""
        reply = self._reader.reply(row)
        page = self._parser.read(reply) if reply and reply.has_page else None
        return page if page and (page.text.strip() or page.title.strip()) else None


class EvenSample(Generic[T]):
    """Keeps at most ``most`` items of a stream of unknown length, evenly spread."""

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
