"""The search page: query and filters, the text of a page, and pages similar to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response

from homing.errors import FolderError, UsageError
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.pages.templating import Renderer
from homing.serve.query_parameters import (
    AtLeast,
    Language,
    Since,
    SortBy,
    Under,
    Until,
    Url,
    Words,
    filters_of,
)
from homing.store.index import Filters, Results

SCREEN = 10
"""Results per page."""

Number = Annotated[int, Query(ge=1, le=1_000)]


def routes(renderer: Renderer, folder: CrawlFolder) -> APIRouter:
    """Return the routes of ``/search``, ``/text`` and ``/similar``."""
    router = APIRouter(include_in_schema=False)

    @router.get("/search")
    def search(
        request: Request,
        q: Words = "",
        host: Under = "",
        language: Language = "",
        score: AtLeast = "",
        since: Since = "",
        until: Until = "",
        sort: SortBy = "query",
        page: Number = 1,
    ) -> Response:
        given = {"q": q, "host": host, "language": language, "score": score, "since": since, "until": until}
        found, message, status = None, "", 200
        try:
            filters = filters_of(host, language, score, since, until)
            if q.strip() or filters != Filters():
                offset = (page - 1) * SCREEN
                found = folder.index().search(q, filters, sort=sort, offset=offset, limit=SCREEN)
            pages = folder.index().pages
        except UsageError as error:
            message, status, pages = str(error), 400, None
        except FolderError as error:
            message, status, pages = str(error), 503, None
        context = {
            **given,
            "sort": sort,
            "page": page,
            "first": (page - 1) * SCREEN + 1,
            "found": found,
            "labels": folder.labels(),
            "pages": pages,
            "message": message,
            "is_filtered": any(given[name] for name in given if name != "q"),
            "previous": renderer.address("/search", **given, sort=sort, page=page - 1) if page > 1 else "",
            "next": renderer.address("/search", **given, sort=sort, page=page + 1)
            if _more(found, page)
            else "",
        }
        return renderer.page(request, "search.html", context, status)

    @router.get("/text")
    def text(request: Request, url: Url) -> Response:
        with unknown_is_not_found():
            kept = folder.index().page_text(url)
        return renderer.page(request, "text.html", {"kept": kept})

    @router.get("/similar")
    def similar(request: Request, url: Url, page: Number = 1) -> Response:
        with unknown_is_not_found():
            found = folder.index().similar(url, offset=(page - 1) * SCREEN, limit=SCREEN)
        context = {
            "url": url,
            "found": found,
            "labels": folder.labels(),
            "page": page,
            "first": (page - 1) * SCREEN + 1,
            "previous": renderer.address("/similar", url=url, page=page - 1) if page > 1 else "",
            "next": renderer.address("/similar", url=url, page=page + 1) if _more(found, page) else "",
        }
        return renderer.page(request, "similar.html", context)

    return router


@contextmanager
def unknown_is_not_found() -> Iterator[None]:
    """Turn the index's error on an unknown page into a 404."""
    try:
        yield
    except UsageError as error:
        raise HTTPException(404, str(error)) from None


def _more(found: Results | None, page: int) -> bool:
    return found is not None and found.total > page * SCREEN
