"""Queries to the index: by words, by similarity, by URL."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Literal
from weakref import finalize

import tantivy
from msgspec import Struct
from tantivy import DocAddress, Order, Query

from homing import urls
from homing.errors import DamagedError, FolderError, UsageError
from homing.store.catalog.rows import storable
from homing.store.folder import Layout
from homing.store.index.fields import IndexedPage, make_schema, page_of
from homing.store.index.grammar import parse
from homing.store.index.matching import Filters, Matcher
from homing.store.index.snippets import Part, snippet
from homing.store.index.writer import held
from homing.text.words import bag

Sort = Literal["query", "topic", "date"]
"""By how well the words match, with a bonus for the topic; by the topic alone; by date, newest first."""

DEEPEST = 10_000
"""Last result that can be reached: each page of results costs more than the one before."""
_TELLING = 25
"""Number of terms by which a page is compared with others."""
_SCANNED = 200
"""Number of its most frequent terms from which they are chosen."""

_EVERYTHING = Filters()


class Hit(Struct, frozen=True, kw_only=True):
    """A page that was found."""

    url: str
    title: str
    snippet: tuple[Part, ...]
    score: float | None
    """How well it matches; ``None`` where that was not requested."""
    topic_score: float
    language: str
    fetched_at: float


class Results(Struct, frozen=True, kw_only=True):
    """One page of hits, and how many there are in all."""

    total: int
    hits: tuple[Hit, ...]


class Search:
    """The index of a crawl, open for searching, also while the crawl runs. Any thread may use it.

    Parameters
    ----------
    folder
        The crawl's folder.
    """

    def __init__(self, folder: Path) -> None:
        layout = Layout(folder)
        self._folder = layout.index
        if not layout.database.is_file():
            raise FolderError(f"{folder} holds no crawl; name the folder that `homing crawl` wrote to")
        if held(self._folder) is None:
            raise FolderError(f"{folder} has no index that can be read; make one: homing index {folder}")
        path = self._folder
        if not os.access(path, os.W_OK):
            path = _linked(path)
            finalize(self, shutil.rmtree, path, ignore_errors=True)
        with self._translated_errors():
            self._index = tantivy.Index(make_schema(), path=str(path))
            self._index.config_reader("manual")

    def search(
        self,
        query: str,
        filters: Filters = _EVERYTHING,
        *,
        sort: Sort = "query",
        offset: int = 0,
        limit: int = 10,
    ) -> Results:
        """Find pages by a query (``grammar.py``), best first. Without words it finds all that pass."""
        required = parse(storable(query))
        is_scored = sort == "query" and bool(required)
        with self._translated_errors():
            searcher, matcher = self._now()
            found = self._page(searcher, matcher.query(required, filters), sort, offset, limit)
            hits = tuple(
                _hit(page, score if is_scored else None, matcher.wanted(required, page.language))
                for score, page in _pages_of(searcher, found)
            )
        return Results(total=_total(found), hits=hits)

    def similar(self, url: str, *, offset: int = 0, limit: int = 10) -> Results:
        """Find pages whose text is similar to that of the page at the URL."""
        page = self.page_text(url)
        with self._translated_errors():
            searcher, matcher = self._now()
            weights = _telling(searcher, page)
            if not weights:
                return Results(total=0, hits=())
            found = self._page(searcher, matcher.alike(weights, page.url), "query", offset, limit)
            wanted = frozenset(weights)
            hits = tuple(_hit(page, score, wanted) for score, page in _pages_of(searcher, found))
        return Results(total=_total(found), hits=hits)

    def page_text(self, url: str) -> IndexedPage:
        """Return the page at a URL as it was indexed: its title and text."""
        address = urls.canonical(storable(url))
        if address is None:
            raise UsageError(f'"{url}" is no URL; write it like https://example.org/')
        with self._translated_errors():
            searcher, matcher = self._now()
            found = searcher.search(matcher.at(address), 1)
            if not found.hits:
                raise UsageError(
                    f"{address} is not in the index: not fetched, not kept, or it asked not to be"
                )
            return page_of(searcher.doc(found.hits[0][1]))

    @property
    def pages(self) -> int:
        """Number of pages in the index."""
        with self._translated_errors():
            return self._now()[0].num_docs

    def _now(self) -> tuple[tantivy.Searcher, Matcher]:
        """Return the index as it was last committed."""
        self._index.reload()
        searcher = self._index.searcher()
        languages = [code for code, _ in searcher.terms_with_prefix("language", "")]
        return searcher, Matcher(self._index.schema, languages)

    def _page(
        self, searcher: tantivy.Searcher, query: Query, sort: Sort, offset: int, limit: int
    ) -> tantivy.SearchResult:
        if offset < 0 or limit < 1 or offset + limit > DEEPEST:
            raise UsageError(f"only the first {DEEPEST:,} results can be looked at; narrow the query")
        match sort:
            case "query":
                # Times log2(2 + topic score): a page right on the topic counts for 1.6 that are not.
                return searcher.search(query, limit, offset=offset, weight_by_field="topic_score")
            case "topic":
                field = "topic_score"
            case "date":
                field = "fetched_at"
        return searcher.search(query, limit, offset=offset, order_by_field=field, order=Order.Desc)

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except ValueError as error:  # tantivy's errors
            reason = " ".join(str(error).split())[:200]
            raise DamagedError(
                f"{self._folder} cannot be searched ({reason}); homing index --rebuild rebuilds it"
            ) from error


def _linked(folder: Path) -> Path:
    """Return a new folder of links to the files of an index that cannot be written.

    Whoever opens an index locks it for a moment, by a file in its folder.
    """
    links = Path(mkdtemp(prefix="homing-search-"))
    for path in folder.iterdir():
        if path.suffix != ".lock":
            (links / path.name).symlink_to(path.absolute())
    return links


def _total(found: tantivy.SearchResult) -> int:
    count: int = getattr(found, "count")  # noqa: B009 - missing in tantivy's stub
    return count


def _pages_of(searcher: tantivy.Searcher, found: tantivy.SearchResult) -> Iterator[tuple[float, IndexedPage]]:
    hits: list[tuple[float, DocAddress]] = found.hits
    return ((score, page_of(searcher.doc(address))) for score, address in hits)


def _hit(page: IndexedPage, score: float | None, wanted: frozenset[str]) -> Hit:
    return Hit(
        url=page.url,
        title=page.title,
        snippet=snippet(page.text, wanted, page.language),
        score=score,
        topic_score=page.topic_score,
        language=page.language,
        fetched_at=page.fetched_at,
    )


def _telling(searcher: tantivy.Searcher, page: IndexedPage) -> dict[str, float]:
    """Return the terms that set a page apart: frequent here, rare elsewhere, but not on this page alone."""
    pages = searcher.num_docs
    weights: dict[str, float] = {}
    for term, count in bag(f"{page.title} {page.text}", page.language).most_common(_SCANNED):
        known = searcher.doc_freq("text", term)
        if known > 1:
            weights[term] = (1 + math.log(count)) * math.log(1 + pages / known)
    best = sorted(weights, key=lambda term: -weights[term])[:_TELLING]
    return {term: weights[term] for term in best}
