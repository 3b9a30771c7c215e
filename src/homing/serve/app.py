"""The app, put together: one crawl, those beside it, new ones, and what the lab has found."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from homing.errors import FolderError, HomingError, StorageError, UsageError
from homing.serve.api import metrics
from homing.serve.api import routes as api
from homing.serve.crawl.folder import CrawlFolder
from homing.serve.crawl.siblings import Siblings
from homing.serve.guard import LOOPBACK, Guard
from homing.serve.live import Live
from homing.serve.pages import dashboard, lab, search, start, steer, visits
from homing.serve.pages.templating import HERE, Screens


def create_app(
    root: Path,
    *,
    token: str,
    allowed_hosts: Collection[str] = LOOPBACK,
    open_to_read: bool = True,
    labs: Sequence[Path] = (),
    helps: Mapping[str, str] | None = None,
) -> FastAPI:
    """The web app over a crawl folder.

    Parameters
    ----------
    root
        The crawl folder. New crawls become folders beside it.
    token
        Whoever shows it may change things.
    allowed_hosts
        Names that the app may be called by.
    open_to_read
        Whether those without the token may look.
    labs
        Folders of ``homing lab run``; those beside the crawl folder are found.
    helps
        What the options of ``homing crawl`` mean, by name.
    """
    is_over = threading.Event()
    folder = CrawlFolder(root)
    screens = Screens(folder)
    app = _over(folder, screens, is_over)
    app.state.is_over = is_over
    app.add_middleware(Guard, token=token, hosts=allowed_hosts, open_to_read=open_to_read)
    app.mount("/static", StaticFiles(directory=HERE / "static"))
    app.include_router(start.routes(screens, folder, helps or {}))
    app.include_router(lab.routes(screens, folder, labs))
    app.mount(
        "/crawls/{name}",
        Siblings(
            folder.root.resolve().parent, lambda beside, at: _over(beside, Screens(beside, at), is_over)
        ),
    )
    return app


def _over(folder: CrawlFolder, screens: Screens, is_over: threading.Event) -> FastAPI:
    """The pages of one crawl."""
    live = Live(folder, screens.environment, is_over)
    app = FastAPI(
        title="Homing",
        version=version("homing"),
        description="A crawl to read and to steer. Changes need the token: `Authorization: Bearer TOKEN`.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # FastAPI's own pages fetch their scripts from elsewhere
        redoc_url=None,
    )
    app.include_router(dashboard.routes(screens, live))
    app.include_router(visits.routes(screens, folder))
    app.include_router(search.routes(screens, folder))
    app.include_router(steer.routes(screens, folder))
    app.include_router(api.routes(screens, folder))
    app.include_router(metrics.routes(folder))

    def tell(request: Request, status: int, message: str) -> Response:
        """What went wrong, in the form that was asked for."""
        if request.url.path.startswith(f"{screens.root}/api/"):
            return JSONResponse({"detail": message}, status)
        return screens.page(request, "trouble.html", {"status": status, "message": message}, status)

    @app.exception_handler(HTTPException)
    def not_so(request: Request, error: HTTPException) -> Response:
        return tell(request, error.status_code, str(error.detail))

    @app.exception_handler(RequestValidationError)
    def not_understood(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        name = " ".join(str(part) for part in first["loc"][1:])
        return tell(request, 422, f"{name}: {first['msg']}")

    @app.exception_handler(HomingError)
    def not_possible(request: Request, error: HomingError) -> Response:
        return tell(request, _status(error), str(error))

    return app


def _status(error: HomingError) -> int:
    """Whose fault it is: of who asked, or of the folder as it is now."""
    match error:
        case UsageError():
            return 400
        case FolderError() | StorageError():
            return 503
        case _:
            return 500
