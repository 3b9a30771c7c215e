"""Starting a crawl: candidates to label, the form of a new crawl, and the result of its start."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request, Response, UploadFile
from fastapi.responses import RedirectResponse

from homing.errors import UsageError
from homing.serve.crawl.candidates import MOST, Candidates, Lists
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.crawl.launch import Launcher
from homing.serve.crawl.neighbours import address_of, crawls_in
from homing.serve.crawl.new_crawl import SETTINGS, NewCrawl, base_of, judges, strategies
from homing.serve.pages.templating import Renderer
from homing.serve.steering import lines_of

_LONGEST_LIST = 1_000_000
"""Maximum bytes of an uploaded list of URLs."""


def routes(renderer: Renderer, folder: CrawlFolder) -> APIRouter:
    """Return the routes of ``/new`` and below."""
    router = APIRouter(prefix="/new", include_in_schema=False)
    parent = folder.root.resolve().parent
    launcher, lists = Launcher(parent), Lists()

    def form(request: Request, filled: NewCrawl, message: str = "", status: int = 200) -> Response:
        context = {
            "filled": filled,
            "message": message,
            "settings": SETTINGS,
            "strategies": strategies(),
            "judges": judges(),
            "labelled": lists.find(filled.candidates),
            "crawls": [
                (name, "/" if name == folder.name else f"{address_of(name)}/") for name in crawls_in(parent)
            ],
            "most": MOST,
        }
        return renderer.page(request, "new.html", context, status)

    @router.get("")
    def new(request: Request, candidates: str = "") -> Response:
        return form(request, NewCrawl(candidates=candidates, contact=base_of(folder).fetch.contact))

    @router.post("")
    def begin(request: Request, filled: Annotated[NewCrawl, Form()]) -> Response:
        candidates = lists.find(filled.candidates)
        try:
            if filled.candidates and candidates is None:
                raise UsageError("the labelled pages are no longer in memory; fetch and label them again")
            seeds = candidates.labelled(right=True) if candidates and filled.begin_at_right else []
            config = filled.config(base_of(folder), seeds)
            pages = {
                "examples": candidates.records(right=True) if candidates else [],
                "negatives": candidates.records(right=False) if candidates else [],
            }
            launch = launcher.start(config, pages, lines_of(filled.settings))
        except UsageError as error:
            return form(request, filled, str(error), 400)
        return RedirectResponse(f"/new/started/{launch.name}", status_code=303)

    @router.get("/started/{name}")
    def started(request: Request, name: str) -> Response:
        launch = launcher.find(name)
        if launch is None:
            raise HTTPException(404, f"no crawl {name} was started here")
        has_failed = launch.is_over and launch.process.returncode != 0
        target = f"{address_of(name)}/"
        if launch.has_begun and not has_failed:
            if request.headers.get("hx-request") == "true":
                return Response(headers={"HX-Redirect": target})
            return RedirectResponse(target, status_code=303)
        context = {
            "launch": launch,
            "errors": launch.errors() if has_failed else [],
            "target": target if launch.has_begun else "",
        }
        return renderer.page(request, "started.html", context)

    @router.post("/candidates")
    async def fetch(
        request: Request,
        urls: Annotated[str, Form(max_length=_LONGEST_LIST)] = "",
        file: UploadFile | None = None,
    ) -> Response:
        pasted = (await file.read(_LONGEST_LIST)).decode("utf-8-sig", "replace") if file else ""
        wanted = list(dict.fromkeys([*lines_of(urls), *lines_of(pasted)]))
        wrong = [url for url in wanted if not url.lower().startswith(("http://", "https://"))]
        if not wanted or wrong or len(wanted) > MOST:
            message = f'"{wrong[0]}" is no URL' if wrong else f"give some URLs, at most {MOST}"
            return form(request, NewCrawl(), f"candidates: {message}; one a line, https://...", 400)
        begun = lists.begin(wanted, base_of(folder))
        return RedirectResponse(f"/new/candidates/{begun.name}", status_code=303)

    @router.get("/candidates/{name}")
    def show_candidates(request: Request, name: str) -> Response:
        return renderer.page(request, "candidates.html", {"candidates": known(name)})

    @router.post("/candidates/{name}")
    async def label(request: Request, name: str) -> Response:
        candidates = known(name)
        sent = await request.form(max_fields=MOST + 1)
        numbered = enumerate(candidates.urls)
        marks = {url: sent.get(f"mark-{number}") for number, url in numbered if url in candidates.samples}
        candidates.labels = {
            url: mark == "right" for url, mark in marks.items() if mark in ("right", "wrong")
        }
        return RedirectResponse(f"/new?candidates={name}", status_code=303)

    def known(name: str) -> Candidates:
        candidates = lists.find(name)
        if candidates is None:
            raise HTTPException(404, "this list of candidates is no longer in memory; paste it again")
        return candidates

    return router
