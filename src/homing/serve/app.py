"""Puts the web app together: the crawl served, its neighbours, new crawls, and the runs of the lab."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.routing import Match

from homing.errors import FolderError, HomingError, StorageError, UsageError
from homing.serve.access import LOOPBACK, AccessControl
from homing.serve.api import metrics
from homing.serve.api import routes as api
from homing.serve.body_limit import BodyLimit
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.crawl.neighbours import NeighbourCrawls
from homing.serve.pages import browse, dashboard, lab, search, start, steer
from homing.serve.pages.live_dashboard import LiveDashboard
from homing.serve.pages.templating import HERE, Renderer


def create_app(
    root: Path,
    *,
    token: str,
    allowed_hosts: Collection[str] = LOOPBACK,
    open_to_read: bool = True,
    labs: Sequence[Path] = (),
) -> FastAPI:
    """Create the web app over a crawl folder.

    Parameters
    ----------
    root
        The crawl folder. New crawls get folders beside it.
    token
        Required for changes.
    allowed_hosts
        Host names that the app answers to.
    open_to_read
        Whether reading is allowed without the token.
    labs
        Folders of ``homing lab run``, in addition to those beside the crawl folder.
    """
    is_over = threading.Event()
    folder = CrawlFolder(root)
    renderer = Renderer(folder)
    app = _crawl_app(folder, renderer, is_over)
    app.state.is_over = is_over
    app.mount("/static", StaticFiles(directory=HERE / "static"))
    app.include_router(start.routes(renderer, folder))
    app.include_router(lab.routes(renderer, folder, labs))
    app.mount(
        "/crawls/{name}",
        NeighbourCrawls(
            folder.root.resolve().parent, lambda beside, at: _crawl_app(beside, Renderer(beside, at), is_over)
        ),
    )
    # Around the whole stack: its outermost layer answers 500, and those answers need the headers as well.
    app.middleware_stack = AccessControl(
        BodyLimit(app.build_middleware_stack()), token=token, hosts=allowed_hosts, open_to_read=open_to_read
    )
    return app


def _crawl_app(folder: CrawlFolder, renderer: Renderer, is_over: threading.Event) -> FastAPI:
    """Create the app of one crawl: its pages and its REST API."""
    live = LiveDashboard(folder, renderer.environment, is_over)
    app = FastAPI(
        title="Homing",
        version=version("homing"),
        description="Reads and steers a crawl. Changes need the token: `Authorization: Bearer TOKEN`.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # FastAPI's own pages fetch their scripts from elsewhere
        redoc_url=None,
    )
    app.include_router(dashboard.routes(renderer, live))
    app.include_router(browse.routes(renderer, folder))
    app.include_router(search.routes(renderer, folder))
    app.include_router(steer.routes(renderer, folder))
    app.include_router(api.routes(renderer, folder))
    app.include_router(metrics.routes(folder))

    def report(request: Request, status: int, message: str) -> Response:
        """Return an error as JSON or as a page, by the path requested."""
        if request.url.path.startswith(f"{renderer.root}/api/"):
            return JSONResponse({"detail": message}, status)
        return renderer.page(request, "error.html", {"status": status, "message": message}, status)

    @app.exception_handler(HTTPException)
    def http_error(request: Request, error: HTTPException) -> Response:
        response = report(request, error.status_code, str(error.detail))
        response.headers.update(error.headers or {})
        if error.status_code == 405:
            # Starlette names the methods of one route, but a path may have several.
            response.headers["Allow"] = ", ".join(_methods_taken(app, request))
        return response

    @app.exception_handler(RequestValidationError)
    def invalid_parameter(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        name = " ".join(str(part) for part in first["loc"][1:])
        return report(request, 422, f"{name}: {first['msg']}")

    @app.exception_handler(HomingError)
    def homing_error(request: Request, error: HomingError) -> Response:
        return report(request, _status(error), str(error))

    return app


def _methods_taken(app: FastAPI, request: Request) -> list[str]:
    """Return the methods that some route takes at the path requested."""
    scopes = {method: {**request.scope, "method": method} for method in ("GET", "HEAD", "POST")}
    return [
        method
        for method, scope in scopes.items()
        if any(route.matches(scope)[0] is Match.FULL for route in app.routes)
    ]


def _status(error: HomingError) -> int:
    """Return the status of an error: the client's fault, or the folder's present state."""
    match error:
        case UsageError():
            return 400
        case FolderError() | StorageError():
            return 503
        case _:
            return 500
