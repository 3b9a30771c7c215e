"""Open the graph that a strategy is fitted on: in a crawl folder, or in a file of recorded pages."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from homing.config import Config
from homing.errors import UsageError, did_you_mean
from homing.judge import JUDGES, Brief, Judge
from homing.model import Page
from homing.parse import PageParser
from homing.ports import Backlinks
from homing.records import Record, is_record_file, read_records
from homing.store.folder import Layout
from homing.store.views.reader import Reader
from homing.topic import gathered as topic
from homing.topic.crawled_pages import CrawledPages
from homing.topic.sources import Fetched
from homing.trails import EdgeList
from homing.urls import canonical

_EXAMPLES = 30
"""Targets that a judge is built from, where the recorded pages come without one."""
_NAMED = 8
"""Labels listed to a user who has named none."""

Fetch = Callable[[Config], Fetched]


def fetch_nothing(config: Config) -> Fetched:
    """Fetch no examples: for callers whose topic names none on the web."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingGraph:
    """Targets, backlinks and pages, from which ``homing.trails.grow`` makes a local graph."""

    targets: tuple[str, ...]
    backlinks: Backlinks
    page_at: Callable[[str], Page | None]
    judge: Judge
    """Judge of the topic that a strategy is fitted for."""


@contextmanager
def open_training_graph(
    source: Path, *, label: str = "", config: Config | None = None, fetch: Fetch = fetch_nothing
) -> Iterator[TrainingGraph]:
    """Open the graph in a crawl folder or a file of records.

    Examples are targets, too.

    Parameters
    ----------
    source
        A crawl folder, whose relevant or labelled pages are the targets; or a file of records (JSONL), whose
        pages with ``label`` are.
    config
        Topic, and settings for fetching. Default: the topic of the crawl.
    fetch
        Fetches the examples on the web that the topic names (``crawler/examples.py``).
    """
    if is_record_file(source):
        yield training_graph_of(RecordedPages(source), source, label=label, config=config, fetch=fetch)
    elif source.is_dir():
        with Reader(source) as reader:
            yield _crawled_graph(source, reader, config, fetch)
    else:
        raise UsageError(
            f"{source} is neither a crawl folder nor a file of pages (.jsonl) nor a recorded web: "
            "nothing to fit on"
        )


class LabelledPages(Protocol):
    """Labelled pages, and the links among them."""

    def at(self, url: str) -> Page | None: ...

    def labelled(self, label: str) -> list[str]:
        """Return the URLs of pages with that label, or one below it."""
        ...

    def labels(self) -> set[str]: ...

    def edges(self, also: Container[str]) -> Iterator[tuple[str, str]]:
        """Yield the links that a crawl would follow from these pages to each other or to one of ``also``."""
        ...


def training_graph_of(
    pages: LabelledPages, source: Path, *, label: str, config: Config | None, fetch: Fetch
) -> TrainingGraph:
    """Return the graph of labelled pages; parameters as of ``open_training_graph``."""
    known = pages.labels()
    if not label and not (config and config.topic.examples):
        named = ", ".join(sorted(known)[:_NAMED]) + ", ..." * (len(known) > _NAMED)
        there = f" (there is: {named})" if known else ""
        raise UsageError(
            f"say with --label which pages of {source} are the targets{there}, or give an --example"
        )
    labelled = pages.labelled(label) if label else []
    if label and not labelled:
        raise UsageError(f'no page of {source} is labelled "{label}"{did_you_mean(label, known)}')
    judge, examples = _judge_and_examples(config, fetch)
    if judge is None:
        first = tuple(page for url in labelled[:_EXAMPLES] if (page := pages.at(url)) is not None)
        judge = JUDGES.get("examples")(Brief(examples=first))
    return TrainingGraph(
        targets=tuple(dict.fromkeys((*labelled, *examples))),
        backlinks=EdgeList(pages.edges(also=examples)),
        page_at=lambda url: pages.at(url) or examples.get(url),
        judge=judge,
    )


class RecordedPages:
    """The pages of a file of records by their URLs. Bodies are kept in memory, pages parsed on request."""

    def __init__(self, path: Path) -> None:
        self._parser = PageParser()
        self._records: dict[str, Record] = {}
        for record in read_records(path):
            url = canonical(record.reply.final_url)
            if url and record.reply.has_page:
                self._records[url] = record

    def at(self, url: str) -> Page | None:
        record = self._records.get(url)
        return self._parser.read(record.reply) if record else None

    def labelled(self, label: str) -> list[str]:
        return [url for url, record in self._records.items() if record.is_labelled(label)]

    def labels(self) -> set[str]:
        return {label for record in self._records.values() for label in record.labels}

    def edges(self, also: Container[str]) -> Iterator[tuple[str, str]]:
        for url in self._records:
            page = self.at(url)
            for link in page.links if page and not page.nofollow else ():
                if link.url in self._records or link.url in also:
                    yield url, link.url


def _crawled_graph(folder: Path, reader: Reader, config: Config | None, fetch: Fetch) -> TrainingGraph:
    judge, examples = _judge_and_examples(config, fetch)
    pages = CrawledPages(reader)
    targets = (*pages.relevant(), *examples)
    if not targets:
        raise UsageError(f"{folder} has no relevant page: a strategy is fitted to paths to some")
    if judge is None:
        layout = Layout(folder)
        stored = Config.load(layout.config)
        judge = topic.load(stored, layout).judge(stored)
    return TrainingGraph(
        targets=tuple(dict.fromkeys(targets)),
        backlinks=reader.backlinks(also=examples),
        page_at=lambda url: pages.at(url) or examples.get(url),
        judge=judge,
    )


def _judge_and_examples(config: Config | None, fetch: Fetch) -> tuple[Judge | None, Mapping[str, Page]]:
    """Return the judge of the configured topic, and the example pages by their URLs."""
    if config is None:
        return None, {}
    named = config.merged({"judge": {"name": topic.judge_for(config)}})
    gathered = topic.gather(named, fetch(named))
    return gathered.judge(named), {page.url: page for page in gathered.brief.examples}
