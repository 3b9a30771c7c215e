"""Pages to train a judge on: from files and folders, from sets of labelled pages, from a crawl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from homing.crawler.sources import Sample, Sources, addresses_in
from homing.errors import DamagedError, UsageError, did_you_mean
from homing.judge import Brief
from homing.model import Page
from homing.parse import PageParser
from homing.store.page_row import PageRow
from homing.store.reader import Reader
from homing.urls import canonical

T = TypeVar("T")

MANY = 2_000
"""Unlabelled pages that are looked at: more would tell little more, and have to be held in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Where the pages to learn from are, as a person says it."""

    positive: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    unlabelled: tuple[str, ...] = ()
    """Files, folders, files of records, lists of URLs of the crawl."""
    label: str = ""
    """Of labelled pages only those so labelled are positive, and only others negative or unlabelled."""
    crawl: Path | None = None
    """A crawl: what people have labelled there, and all its other pages as unlabelled ones."""
    text: str = ""
    language: str = ""


def read_assignment(assignment: Assignment) -> Brief:
    """Read all pages of an assignment. What cannot be read is listed, a line each."""
    with ExitStack() as stack:
        crawl = stack.enter_context(_CrawlPages(assignment.crawl)) if assignment.crawl else None
        reading = _Reading(Sources(PageParser()), crawl, assignment.label)
        positives = _by_url(reading.labelled(assignment.positive, relevant=True))
        negatives = _by_url(reading.labelled(assignment.negative, relevant=False))
        others = _Thinned[Page](MANY)
        others.extend(reading.read(assignment.unlabelled, relevant=False))
        reading.check(positives, negatives)
        labelled = positives.keys() | negatives.keys()
        if crawl:
            others.extend(crawl.others(labelled))
    return Brief(
        text=assignment.text,
        language=assignment.language,
        examples=tuple(positives.values()),
        negatives=tuple(negatives.values()),
        unlabelled=tuple(page for page in others.kept if page.url not in labelled),
    )


class _Reading:
    """Reads sources with an eye on labels and on the crawl that lists of URLs speak of."""

    def __init__(self, sources: Sources, crawl: _CrawlPages | None, label: str) -> None:
        self._sources = sources
        self._crawl = crawl
        self._label = label
        self._labels: set[str] = set()

    def labelled(self, named: Iterable[str], *, relevant: bool) -> Iterator[Page]:
        """The pages of these sources, and those of the crawl that people have labelled so."""
        yield from self.read(named, relevant=relevant)
        if self._crawl:
            yield from self._crawl.labelled(relevant=relevant)

    def read(self, named: Iterable[str], *, relevant: bool) -> Iterator[Page]:
        """The pages of these sources."""
        for source in named:
            urls = addresses_in(source)
            if urls and self._crawl is None:
                raise UsageError(f"{source} names pages by URL: say with --crawl in which crawl they are")
            if urls and self._crawl is not None:
                for url in urls:
                    yield from self._of_crawl(self._crawl, url)
            else:
                yield from self._of_source(source, relevant)

    def check(self, positives: Mapping[str, Page], negatives: Mapping[str, Page]) -> None:
        """Complain of what could not be read, and of what nothing can be learnt from."""
        self._sources.check()
        if both := positives.keys() & negatives.keys():
            raise UsageError(f"{min(both)} is said to be on the topic and off it")
        if not positives:
            raise UsageError(self._why_no_positives())

    def _why_no_positives(self) -> str:
        if self._label and self._labels:
            return f'no page is labelled "{self._label}"{did_you_mean(self._label, self._labels)}'
        if self._label:
            return f'no page is labelled "{self._label}": the pages given have no labels'
        return "no pages on the topic: name some with --positive, or label some of a crawl"

    def _of_source(self, source: str, relevant: bool) -> Iterator[Page]:
        telling = False
        for sample in self._sources.read(source):
            telling = telling or sample.has_words
            if sample.has_words and self._is_wanted(sample, relevant):
                yield sample.page
        if not telling and not self._sources.troubles:
            self._sources.troubles.append(f"{source} holds no text to learn from")

    def _is_wanted(self, sample: Sample, relevant: bool) -> bool:
        self._labels.update(sample.record.labels)
        return not self._label or sample.record.is_labelled(self._label) == relevant

    def _of_crawl(self, crawl: _CrawlPages, url: str) -> Iterator[Page]:
        try:
            yield crawl.page_at(url)
        except UsageError as error:
            self._sources.troubles.append(str(error))


class _CrawlPages:
    """The pages of a crawl, parsed anew from its archive."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reader = Reader(folder)
        self._parser = PageParser()

    def __enter__(self) -> _CrawlPages:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()

    def page_at(self, url: str) -> Page:
        entry = self._reader.find(canonical(url) or url)
        row = self._reader.visit(entry.seq) if entry else None
        page = self._page(row) if row else None
        if page is None:
            raise UsageError(f"{url} is no page that the crawl in {self._folder} has kept")
        return page

    def labelled(self, *, relevant: bool) -> Iterator[Page]:
        seqs = [label.seq for label in self._reader.labels() if label.relevant == relevant]
        rows = filter(None, map(self._reader.visit, seqs))
        yield from filter(None, map(self._page, rows))

    def others(self, known: Iterable[str]) -> Iterator[Page]:
        """Pages that nobody has labelled, evenly over the crawl."""
        labelled = {label.seq for label in self._reader.labels()}
        left_out = {*known}
        rows = _Thinned[PageRow](MANY)
        rows.extend(
            row
            for row in self._reader.pages()
            if row.seq not in labelled and not {row.url, row.final_url} & left_out
        )
        yield from filter(None, map(self._page, rows.kept))

    def _page(self, row: PageRow) -> Page | None:
        """The page, if its body was archived and says something."""
        try:
            reply = self._reader.reply(row)
        except OSError as error:
            raise DamagedError(f"cannot read {row.warc_file} of the archive: {error.strerror}") from error
        page = self._parser.read(reply) if reply and reply.has_page else None
        return page if page and (page.text.strip() or page.title.strip()) else None


class _Thinned(Generic[T]):
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


def _by_url(pages: Iterable[Page]) -> dict[str, Page]:
    return {page.url: page for page in pages}
