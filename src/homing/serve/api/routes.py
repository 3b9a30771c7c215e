"""The REST API: what the pages show, as JSON. ``/api`` documents it for people, OpenAPI for programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Depends, HTTPException, Request, Response
from fastapi.openapi.models import Example

from homing.serve import steering
from homing.serve.api.problems import ANYWHERE, NEEDS_TOKEN, problems
from homing.serve.api.schemas import (
    CommandDocument,
    FailureDocument,
    Found,
    FrontierDocument,
    HostDocument,
    LabelDocument,
    Pages,
    PageTextDocument,
    Report,
    SeriesPoint,
)
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.pages.browse import choice, find
from homing.serve.pages.search import unknown_is_not_found
from homing.serve.pages.templating import Renderer
from homing.serve.query_parameters import (
    After,
    Answer,
    Before,
    CommandNumber,
    HostName,
    Kind,
    Limit,
    OrderBy,
    SearchQuery,
    Start,
    Url,
    Verdict,
)
from homing.store.views.explaining import Explanation, explanation


def routes(renderer: Renderer, folder: CrawlFolder) -> APIRouter:
    """Return the routes of ``/api`` and below."""
    router = APIRouter(prefix="/api", tags=["read"], responses=ANYWHERE)

    @router.get("", include_in_schema=False)
    def described(request: Request) -> Response:
        return renderer.page(request, "api.html", {"description": request.app.openapi()})

    @router.get("/report")
    def report() -> Report:
        """The figures of the crawl."""
        return Report.of(folder.overview())

    @router.get("/series")
    def series() -> list[SeriesPoint]:
        """Fetched and relevant pages over time, in a few hundred points."""
        return [SeriesPoint.of(point) for point in folder.overview().points]

    @router.get("/pages", responses=problems(404, 422))
    def pages(
        verdict: Verdict = "",
        answer: Answer = "",
        host: HostName = "",
        order: OrderBy = "newest",
        after: After = None,
        limit: Limit = 50,
    ) -> Pages:
        """Fetched pages, newest or best first."""
        with folder.open() as browser:
            chosen = choice(browser, verdict, answer, host, order)
            rows = browser.screen(chosen, None if after is None else browser.visit(after), limit + 1)
        further = rows[limit - 1].seq if len(rows) > limit else None
        return Pages(pages=rows[:limit], next=further)

    @router.get("/explain", responses=problems(404, 422))
    def explain(url: Url) -> Explanation:
        """Why a URL was fetched, or why not yet: its path from the seed, its priority and its judgement."""
        with folder.open() as browser:
            return explanation(browser, find(browser, url))

    @router.get("/hosts", responses=problems(422))
    def hosts(start: Start = 0, limit: Limit = 100) -> list[HostDocument]:
        """Hosts, those with the most pages first."""
        return [HostDocument.of(host) for host in folder.overview().hosts[start : start + limit]]

    @router.get("/failures", responses=problems(422))
    def failures(kind: Kind = "", before: Before = None, limit: Limit = 50) -> list[FailureDocument]:
        """Failed attempts, latest first."""
        with folder.open() as browser:
            mishaps = browser.failures(kind=kind, before=before, limit=limit)
        return [FailureDocument.of(mishap) for mishap in mishaps]

    @router.get("/search", responses=problems(422))
    def search(query: Annotated[SearchQuery, Depends()], offset: Start = 0, limit: Limit = 10) -> Found:
        """Full-text search. The query is written as for homing search."""
        found = folder.index().search(query.q, query.filters(), sort=query.sort, offset=offset, limit=limit)
        return Found.of(found)

    @router.get("/similar", responses=problems(404, 422))
    def similar(url: Url, offset: Start = 0, limit: Limit = 10) -> Found:
        """Pages with a text similar to that of a page."""
        with unknown_is_not_found():
            return Found.of(folder.index().similar(url, offset=offset, limit=limit))

    @router.get("/text", responses=problems(404, 422))
    def text(url: Url) -> PageTextDocument:
        """The text of a page, as it was archived."""
        with unknown_is_not_found():
            return PageTextDocument.of(folder.index().page_text(url))

    @router.get("/frontier")
    def frontier() -> list[FrontierDocument] | None:
        """The head of the frontier, best first; null unless a running crawl has published it."""
        pulse = folder.watch().pulse
        return None if pulse is None else [FrontierDocument.of(url) for url in pulse.head]

    router.include_router(_changes(folder))
    return router


def _changes(folder: CrawlFolder) -> APIRouter:
    """Return the routes that steer the crawl."""
    router = APIRouter(tags=["steer"])

    @router.get("/commands", responses=problems(422))
    def commands(limit: Limit = 50) -> list[CommandDocument]:
        """The latest commands with their results, newest first."""
        return [CommandDocument.of(command) for command in folder.commands(limit)]

    @router.get("/commands/{number}", responses=problems(404, 422))
    def command(number: CommandNumber) -> CommandDocument:
        """A command with its result."""
        found = folder.find_command(number)
        if found is None:
            raise HTTPException(404, f"command {number} is unknown, or too old to be kept")
        return CommandDocument.of(found)

    @router.post("/commands", status_code=202, responses=problems(409, 413, 422), dependencies=[NEEDS_TOKEN])
    def send(sent: Annotated[steering.AnyCommand, Body(openapi_examples=_EXAMPLES)]) -> CommandDocument:
        """Send a command: pause, resume, stop, add_seeds, block, unblock, label, set_pace, relearn, snapshot.

        A running crawl answers within a second; relearning takes longer. Without a running crawl the command
        is queued for the next run, except pause, resume, stop and snapshot, which are refused.
        """
        return command(steering.send(folder, sent))

    @router.get("/labels")
    def labels() -> list[LabelDocument]:
        """The labels that people gave pages."""
        return [LabelDocument(url=url, relevant=relevant) for url, relevant in folder.labels().items()]

    @router.post("/labels", responses=problems(404, 409, 413, 422), dependencies=[NEEDS_TOKEN])
    def label(sent: LabelDocument) -> LabelDocument:
        """Label a page right or wrong. With a running crawl this is a command, whose number is returned."""
        url, number = steering.label(folder, sent.url, relevant=sent.relevant)
        return LabelDocument(url=url, relevant=sent.relevant, command=number)

    return router


_EXAMPLES = {name: Example(value=dict(value)) for name, value in steering.EXAMPLES.items()}
