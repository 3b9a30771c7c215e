"""The dashboard: how the crawl is doing."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from markupsafe import Markup

from homing.serve.live import Live
from homing.serve.pages.templating import Screens


def routes(screens: Screens, live: Live) -> APIRouter:
    """``/`` and the events that keep it up to date."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    def dashboard(request: Request) -> Response:
        # Rendered by our own templates, which have escaped what needs it.
        parts = {name: Markup(part) for name, part in live.parts().items()}  # noqa: S704
        return screens.page(request, "dashboard.html", {"parts": parts})

    @router.get("/events")
    async def events() -> Response:
        return StreamingResponse(
            live.events(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
        )

    return router
