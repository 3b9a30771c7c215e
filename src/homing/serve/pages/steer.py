"""Steering: what a person asks of the crawl, and what became of it.

A form sends a wish, and the answer appears beside it: a script asks for it every half second; without one,
the page comes back and has a link that looks again.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Query, Request, Response
from fastapi.responses import RedirectResponse

from homing.config import Config
from homing.errors import HomingError
from homing.serve import commands as wishing
from homing.serve.crawl.folder import CrawlFolder
from homing.serve.pages.templating import Screens
from homing.serve.parameters import WishNumber

SHOWN = 20
"""Of the last wishes."""
_LONGEST = 1_000_000

Text = Annotated[str, Form(max_length=_LONGEST)]


def routes(screens: Screens, folder: CrawlFolder) -> APIRouter:
    """``/steer``, ``/wishes`` and ``/label``."""
    router = APIRouter(include_in_schema=False)

    def whole(request: Request, wish: int | None, trouble: dict[str, str], status: int = 200) -> Response:
        with folder.open() as browser:
            facts = browser.facts()
        said = folder.labels().values()
        context = {
            "look": folder.watch(),
            "running": folder.is_running(),
            "wish": None if wish is None else folder.found_wish(wish),
            "trouble": trouble,
            "wishes": folder.wishes(SHOWN),
            "blocks": facts.get("blocks", []),
            "right": sum(said),
            "wrong": len(said) - sum(said),
            "relearnt": facts.get("relearnt"),
            "pace": _pace(folder),
        }
        return screens.page(request, "steer.html", context, status)

    @router.get("/steer")
    def steer(request: Request, wish: Annotated[int | None, Query(ge=0, le=2**53)] = None) -> Response:
        return whole(request, wish, {})

    @router.post("/steer")
    def ask(
        request: Request,
        kind: Annotated[str, Form()],
        urls: Text = "",
        pattern: Text = "",
        seconds: Text = "",
        pages: Text = "",
    ) -> Response:
        try:
            number = wishing.send(folder, wishing.read_form(kind, urls, pattern, seconds, pages))
        except HTTPException as error:
            if _by_script(request):
                return screens.page(request, "answer.html", {"message": error.detail}, error.status_code)
            return whole(request, None, {kind: error.detail}, error.status_code)
        if _by_script(request):
            return answer(request, number)
        return RedirectResponse(screens.address("/steer", wish=number), status_code=303)

    @router.get("/wishes/{number}")
    def answer(request: Request, number: WishNumber) -> Response:
        wish = folder.found_wish(number)
        if wish is None:
            raise HTTPException(404, f"nobody remembers wish {number}")
        running = folder.is_running()
        reply = screens.page(request, "answer.html", {"wish": wish, "running": running})
        if wish.note is not None or not running:
            reply.headers["HX-Trigger"] = "asked"  # the list of what was asked brings itself up to date
        return reply

    @router.post("/label")
    def label(
        request: Request,
        url: Annotated[str, Form(max_length=10_000)],
        relevant: Annotated[bool, Form()],
        title: Annotated[str, Form(max_length=10_000)] = "",
    ) -> Response:
        try:
            known, number = wishing.label(folder, url, relevant=relevant)
        except HTTPException as error:
            if not _by_script(request):
                raise
            return screens.page(request, "answer.html", {"message": error.detail}, error.status_code)
        if not _by_script(request):
            shown = screens.address("/page", url=known)
            target = shown if number is None else screens.address("/steer", wish=number)
            return RedirectResponse(target, status_code=303)
        context = {
            "url": url,
            "title": title,
            "said": relevant,
            "wish": None if number is None else folder.found_wish(number),
            "running": number is not None,
        }
        return screens.page(request, "label.html", context)

    return router


def _by_script(request: Request) -> bool:
    return request.headers.get("hx-request") == "true"


def _pace(folder: CrawlFolder) -> dict[str, float | None]:
    """The pace that the crawl began with; what it was told since is among the wishes."""
    try:
        pace = Config.load(folder.layout.config).pace
    except HomingError:
        return {"delay": None, "pages_per_second": None}
    return {"delay": pace.delay, "pages_per_second": pace.pages_per_second}
