"""The REST API: what the pages show, as JSON. ``/api`` describes it to people, OpenAPI to programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, HTTPException, Request, Response
from fastapi.openapi.models import Example

from homing.serve import commands as wishing
from homing.serve.api.documents import (
    AwaitedDocument,
    FailureDocument,
    Found,
    HostDocument,
    KeptDocument,
    LabelDocument,
    PageDocument,
    Pages,
    Report,
    SeriesPoint,
    WishDocument,
)
from homing.serve.crawl.folder import CrawlFolder
from homing.serve.pages.search import unknown_is_not_found
from homing.serve.pages.templating import Screens
from homing.serve.pages.visits import choice, find
from homing.serve.parameters import (
    After,
    Answer,
    AtLeast,
    Before,
    HostName,
    Kind,
    Language,
    Limit,
    OrderBy,
    Since,
    SortBy,
    Start,
    Under,
    Until,
    Url,
    Verdict,
    WishNumber,
    Words,
    filters_of,
)
from homing.store.views.explaining import Explanation, explanation


def routes(screens: Screens, folder: CrawlFolder) -> APIRouter:
    """Everything under ``/api``."""
    router = APIRouter(prefix="/api", tags=["read"])

    @router.get("", include_in_schema=False)
    def described(request: Request) -> Response:
        return screens.page(request, "api.html", {"description": request.app.openapi()})

    @router.get("/report")
    def report() -> Report:
        """The figures of the crawl."""
        return Report.of(folder.look())

    @router.get("/series")
    def series() -> list[SeriesPoint]:
        """Fetched and relevant pages over time, in a few hundred points."""
        return [SeriesPoint.of(point) for point in folder.look().points]

    @router.get("/pages")
    def pages(
        verdict: Verdict = "",
        answer: Answer = "",
        host: HostName = "",
        order: OrderBy = "newest",
        after: After = None,
        limit: Limit = 50,
    ) -> Pages:
        """Pages that were fetched, the newest or the best first."""
        with folder.open() as browser:
            chosen = choice(browser, verdict, answer, host, order)
            rows = browser.screen(chosen, None if after is None else browser.visit(after), limit + 1)
        further = rows[limit - 1].seq if len(rows) > limit else None
        return Pages(pages=[PageDocument.of(row) for row in rows[:limit]], next=further)

    @router.get("/explain")
    def explain(url: Url) -> Explanation:
        """Why a URL was taken, or why not yet: the way from the seed, and what was thought of it."""
        with folder.open() as browser:
            return explanation(browser, find(browser, url))

    @router.get("/hosts")
    def hosts(start: Start = 0, limit: Limit = 100) -> list[HostDocument]:
        """Hosts that were asked, those that gave the most pages first."""
        return [HostDocument.of(host) for host in folder.look().hosts[start : start + limit]]

    @router.get("/failures")
    def failures(kind: Kind = "", before: Before = None, limit: Limit = 50) -> list[FailureDocument]:
        """Attempts that failed, the last first."""
        with folder.open() as browser:
            mishaps = browser.failures(kind=kind, before=before, limit=limit)
        return [FailureDocument.of(mishap) for mishap in mishaps]

    @router.get("/search")
    def search(
        q: Words = "",
        host: Under = "",
        language: Language = "",
        score: AtLeast = "",
        since: Since = "",
        until: Until = "",
        sort: SortBy = "query",
        offset: Start = 0,
        limit: Limit = 10,
    ) -> Found:
        """Pages by their words. The query is written as for homing search."""
        filters = filters_of(host, language, score, since, until)
        found = folder.index().search(q, filters, sort=sort, offset=offset, limit=limit)
        return Found.of(found)

    @router.get("/similar")
    def similar(url: Url, offset: Start = 0, limit: Limit = 10) -> Found:
        """Pages whose text is like that of the page at the URL."""
        with unknown_is_not_found():
            return Found.of(folder.index().similar(url, offset=offset, limit=limit))

    @router.get("/text")
    def text(url: Url) -> KeptDocument:
        """A page as it was kept, as text."""
        with unknown_is_not_found():
            return KeptDocument.of(folder.index().page_text(url))

    @router.get("/frontier")
    def frontier() -> list[AwaitedDocument] | None:
        """The best URLs that wait, best first; null where the crawl is not running, or has not told yet."""
        pulse = folder.watch().pulse
        return None if pulse is None else [AwaitedDocument.of(awaited) for awaited in pulse.head]

    router.include_router(_changes(folder))
    return router


def _changes(folder: CrawlFolder) -> APIRouter:
    """What steers the crawl."""
    router = APIRouter(tags=["steer"])

    @router.get("/wishes")
    def wishes(limit: Limit = 50) -> list[WishDocument]:
        """What was asked of the crawl, the newest first, and what became of it."""
        return [WishDocument.of(wish) for wish in folder.wishes(limit)]

    @router.get("/wishes/{number}")
    def wish(number: WishNumber) -> WishDocument:
        """What became of a wish."""
        found = folder.found_wish(number)
        if found is None:
            raise HTTPException(404, f"nobody remembers wish {number}")
        return WishDocument.of(found)

    @router.post("/wishes", status_code=202)
    def ask(asked: Annotated[wishing.Asked, Body(openapi_examples=_EXAMPLES)]) -> WishDocument:
        """Ask something of the crawl: pause, go-on, stop, relearn, seeds, block, delay, pages-per-second.

        A running crawl answers within a second; learning takes longer. What no crawl is there for waits.
        """
        return wish(wishing.send(folder, asked))

    @router.get("/labels")
    def labels() -> list[LabelDocument]:
        """What people have said of pages."""
        return [LabelDocument(url=url, relevant=said) for url, said in folder.labels().items()]

    @router.post("/labels")
    def label(said: LabelDocument) -> LabelDocument:
        """Call a page right or wrong. Where a crawl runs it is a wish, whose number is told."""
        url, number = wishing.label(folder, said.url, relevant=said.relevant)
        return LabelDocument(url=url, relevant=said.relevant, wish=number)

    return router


_EXAMPLES = {name: Example(value=dict(value)) for name, value in wishing.EXAMPLES.items()}
