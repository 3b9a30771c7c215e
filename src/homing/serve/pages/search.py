"""The search page: query and filters, the text of a page, and pages similar to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response

from homing.errors import FolderError, UsageError
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.pages.templating import Renderer
from homing.serve.query_parameters import SearchQuery, Url
from homing.store.index import Filters, Results

SCREEN = 10
"""Results per page."""

Number = Annotated[int, Query(ge=1, le=1_000)]


def routes(renderer: Renderer, folder: CrawlFolder) -> APIRouter:
    """Return the routes of ``/search``, ``/text`` and ``/similar``."""
    router = APIRouter(include_in_schema=False)

    @router.get("/search")
    def search(request: Request, query: Annotated[SearchQuery, Depends()], page: Number = 1) -> Response:
        found, message, status = None, "", 200
        try:
            filters = query.filters()
            if query.q.strip() or filters != Filters():
                offset = (page - 1) * SCREEN
                found = folder.index().search(query.q, filters, sort=query.sort, offset=offset, limit=SCREEN)
            pages = folder.index().pages
        except UsageError as error:
            message, status, pages = str(error), 400, None
        except FolderError as error:
            message, status, pages = str(error), 503, None
        given = asdict(query)
        context = {
            **given,
            "page": page,
            "first": (page - 1) * SCREEN + 1,
            "found": found,
            "labels": folder.labels(),
            "pages": pages,
            "message": message,
            "is_filtered": any(value for name, value in given.items() if name not in ("q", "sort")),
            "previous": renderer.address("/search", **given, page=page - 1) if page > 1 else "",
            "next": renderer.address("/search", **given, page=page + 1) if _more(found, page) else "",
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
