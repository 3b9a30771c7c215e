"""Read the pages to train a judge on: from files and folders, from sets of labelled pages, from a crawl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from homing.errors import UsageError, did_you_mean
from homing.judge import Brief
from homing.model import Page
from homing.parse import PageParser
from homing.store.views.reader import Reader
from homing.topic.crawled_pages import CrawledPages, EvenSample
from homing.topic.sources import Sample, Sources, urls_in

MANY = 2_000
"""Maximum unlabelled pages: more would improve little, and are held in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSources:
    """Where the training pages are."""

    positive: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    unlabelled: tuple[str, ...] = ()
    """Files, folders, files of records, lists of URLs of the crawl."""
    label: str = ""
    """Only pages with this label are positive, and only others negative or unlabelled."""
    crawl: Path | None = None
    """A crawl: its labelled pages, and all others as unlabelled ones."""
    text: str = ""
    language: str = ""


def read_training_pages(named: TrainingSources) -> Brief:
    """Read all pages of these sources. What cannot be read is listed, a line each."""
    with ExitStack() as stack:
        crawl = CrawledPages(stack.enter_context(Reader(named.crawl))) if named.crawl else None
        reading = _Reading(Sources(PageParser()), crawl, named.label)
        positives = _by_url(reading.labelled(named.positive, relevant=True))
        negatives = _by_url(reading.labelled(named.negative, relevant=False))
        others = EvenSample[Page](MANY)
        others.extend(reading.read(named.unlabelled, relevant=False))
        reading.check(positives, negatives)
        labelled = positives.keys() | negatives.keys()
        if crawl:
            others.extend(crawl.others(labelled, MANY))
    return Brief(
        text=named.text,
        language=named.language,
        examples=tuple(positives.values()),
        negatives=tuple(negatives.values()),
        unlabelled=tuple(page for page in others.kept if page.url not in labelled),
    )


class _Reading:
    """Reads sources under a label, and URLs from the crawl."""

    def __init__(self, sources: Sources, crawl: CrawledPages | None, label: str) -> None:
        self._sources = sources
        self._crawl = crawl
        self._label = label
        self._labels: set[str] = set()

    def labelled(self, named: Iterable[str], *, relevant: bool) -> Iterator[Page]:
        """Yield the pages of these sources, and those of the crawl with that label."""
        yield from self.read(named, relevant=relevant)
        if self._crawl:
            yield from self._crawl.labelled(relevant=relevant)

    def read(self, named: Iterable[str], *, relevant: bool) -> Iterator[Page]:
        """Yield the pages of these sources."""
        for source in named:
            urls = urls_in(source)
            if urls and self._crawl is None:
                raise UsageError(f"{source} names pages by URL: say with --crawl in which crawl they are")
            if urls and self._crawl is not None:
                for url in urls:
                    yield from self._of_crawl(self._crawl, url)
            else:
                yield from self._of_source(source, relevant)

    def check(self, positives: Mapping[str, Page], negatives: Mapping[str, Page]) -> None:
        """Raise an error for what could not be read, and for sources that cannot train a judge."""
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
        readable = False
        for sample in self._sources.read(source):
            readable = readable or sample.has_words
            if sample.has_words and self._is_wanted(sample, relevant):
                yield sample.page
        if not readable and not self._sources.troubles:
            self._sources.troubles.append(f"{source} holds no text to learn from")

    def _is_wanted(self, sample: Sample, relevant: bool) -> bool:
        self._labels.update(sample.record.labels)
        return not self._label or sample.record.is_labelled(self._label) == relevant

    def _of_crawl(self, crawl: CrawledPages, url: str) -> Iterator[Page]:
        page = crawl.at(url)
        if page:
            yield page
        else:
            self._sources.troubles.append(f"{url} is no page that the crawl has kept")


def _by_url(pages: Iterable[Page]) -> dict[str, Page]:
    return {page.url: page for page in pages}
