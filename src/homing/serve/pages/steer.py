"""Steering a crawl: commands and labels from forms, and their results.

A form sends a command, and its result appears beside the form: a script polls for it every half second.
Without a script the whole page is returned, with a link to reload it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request, Response
from fastapi.responses import RedirectResponse

from homing.config import Config
from homing.errors import HomingError
from homing.serve import steering
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.pages.templating import Renderer
from homing.serve.query_parameters import CommandNumber

SHOWN = 20
"""Latest commands listed."""


async def _fields(request: Request) -> Mapping[str, str]:
    """Return the fields of a form, empty ones too: an empty rate is no limit."""
    form = await request.form(max_fields=10)
    return {name: text for name, text in form.items() if isinstance(text, str)}


def routes(renderer: Renderer, folder: CrawlFolder) -> APIRouter:
    """Return the routes of ``/steer``, ``/commands`` and ``/label``."""
    router = APIRouter(include_in_schema=False)

    def whole(request: Request, number: int | None, errors: dict[str, str], status: int = 200) -> Response:
        with folder.open() as browser:
            facts = browser.facts()
        labels = folder.labels().values()
        context = {
            "overview": folder.watch(),
            "running": folder.is_running(),
            "command": None if number is None else folder.find_command(number),
            "errors": errors,
            "commands": folder.commands(SHOWN),
            "blocks": facts.get("blocks", []),
            "right": sum(labels),
            "wrong": len(labels) - sum(labels),
            "relearnt": facts.get("relearnt"),
            "rate_limits": _rate_limits(folder),
        }
        return renderer.page(request, "steer.html", context, status)

    @router.get("/steer")
    def steer(request: Request, command: Annotated[int | None, Query(ge=0, le=2**53)] = None) -> Response:
        return whole(request, command, {})

    @router.post("/steer")
    def send(request: Request, fields: Annotated[Mapping[str, str], Depends(_fields)]) -> Response:
        try:
            number = steering.send(folder, steering.read_form(fields))
        except HTTPException as error:
            if _by_script(request):
                return renderer.page(request, "command.html", {"message": error.detail}, error.status_code)
            return whole(request, None, {fields.get("kind", ""): error.detail}, error.status_code)
        if _by_script(request):
            return result(request, number)
        return RedirectResponse(renderer.address("/steer", command=number), status_code=303)

    @router.get("/commands/{number}")
    def result(request: Request, number: CommandNumber) -> Response:
        command = folder.find_command(number)
        if command is None:
            raise HTTPException(404, f"command {number} is unknown, or too old to be kept")
        running = folder.is_running()
        reply = renderer.page(request, "command.html", {"command": command, "running": running})
        if command.note is not None or not running:
            reply.headers["HX-Trigger"] = "commands-changed"  # the list of commands reloads itself
        return reply

    @router.post("/label")
    def label(
        request: Request,
        url: Annotated[str, Form(max_length=10_000)],
        relevant: Annotated[bool, Form()],
        title: Annotated[str, Form(max_length=10_000)] = "",
    ) -> Response:
        try:
            known, number = steering.label(folder, url, relevant=relevant)
        except HTTPException as error:
            if not _by_script(request):
                raise
            return renderer.page(request, "command.html", {"message": error.detail}, error.status_code)
        if not _by_script(request):
            shown = renderer.address("/page", url=known)
            target = shown if number is None else renderer.address("/steer", command=number)
            return RedirectResponse(target, status_code=303)
        context = {
            "url": url,
            "title": title,
            "label": relevant,
            "command": None if number is None else folder.find_command(number),
            "running": number is not None,
        }
        return renderer.page(request, "label.html", context)

    return router


def _by_script(request: Request) -> bool:
    return request.headers.get("hx-request") == "true"


def _rate_limits(folder: CrawlFolder) -> dict[str, float | None]:
    """Return the rate limits in the configuration; later changes are among the commands."""
    try:
        pace = Config.load(folder.layout.config).pace
    except HomingError:
        return {"delay": None, "pages_per_second": None}
    return {"delay": pace.delay, "pages_per_second": pace.pages_per_second}
