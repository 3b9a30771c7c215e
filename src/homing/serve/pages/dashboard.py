"""The dashboard: the state of the crawl, kept up to date by server-sent events."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from markupsafe import Markup

from homing.serve.pages.live_dashboard import LiveDashboard
from homing.serve.pages.templating import Renderer


def routes(renderer: Renderer, live: LiveDashboard) -> APIRouter:
    """Return the routes of ``/`` and ``/events``."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    def dashboard(request: Request) -> Response:
        # Rendered by our own templates, which escape every value.
        panels = {name: Markup(panel) for name, panel in live.panels().items()}  # noqa: S704
        return renderer.page(request, "dashboard.html", {"panels": panels})

    @router.get("/events")
    async def events() -> Response:
        return StreamingResponse(
            live.events(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
        )

    return router
