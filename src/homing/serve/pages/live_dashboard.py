"""The panels of the dashboard that changed, once a second, as server-sent events.

A panel is HTML from the template that the page itself includes, so each thing is shown in one way and the
browser only replaces it. The curves are a panel as well, in JSON.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping

import msgspec
from fastapi.concurrency import run_in_threadpool
from jinja2 import Environment

from homing.errors import HomingError
from homing.serve.crawl.crawl_folder import FRESH, CrawlFolder
from homing.serve.crawl.overview import Overview
from homing.store.views.browsing import PageFilter
from homing.store.views.page_row import PageRow

PANELS = ("state", "about", "figures", "milestones", "latest", "failures", "hosts", "frontier", "disk")
"""The panels: ``templates/dashboard/NAME.html``, and the id of the element that holds it."""

LATEST = 10
"""Relevant pages shown."""
SHOWN = 10
"""Hosts shown, and URLs of the head of the frontier."""


class LiveDashboard:
    """The panels, rendered once for all viewers. Any thread may use it.

    Parameters
    ----------
    is_over
        Set when the app stops; it ends all streams of events.
    """

    def __init__(self, folder: CrawlFolder, environment: Environment, is_over: threading.Event) -> None:
        self._folder = folder
        self._templates = {name: environment.get_template(f"dashboard/{name}.html") for name in PANELS}
        self._one_at_a_time = threading.Lock()
        self._rendered: Overview | None = None
        self._panels: Mapping[str, str] = {}
        self._is_over = is_over

    def panels(self) -> Mapping[str, str]:
        """Return all panels as they are now."""
        with self._one_at_a_time:
            overview = self._folder.watch()
            if overview is not self._rendered:
                context = {"overview": overview, "latest": self._latest(), "shown": SHOWN}
                panels = {name: template.render(context) for name, template in self._templates.items()}
                self._panels, self._rendered = {**panels, "curves": _curves(overview)}, overview
            return self._panels

    async def events(self) -> AsyncIterator[str]:
        """Yield the panels that changed, until the viewer leaves or the app stops."""
        sent: Mapping[str, str] = {}
        while not self._is_over.is_set():
            try:
                panels = await run_in_threadpool(self.panels)
            except HomingError:
                return  # the folder cannot be read now; the browser shows that, and reconnects
            changed = {name: panel for name, panel in panels.items() if sent.get(name) != panel}
            # A comment line keeps the connection open, and detects a viewer who left.
            yield f"data: {msgspec.json.encode(changed).decode()}\n\n" if changed else ": nothing new\n\n"
            sent = panels
            await asyncio.sleep(FRESH)

    def _latest(self) -> list[PageRow]:
        with self._folder.open() as browser:
            return browser.screen(PageFilter(relevant=True), limit=LATEST)


def _curves(overview: Overview) -> str:
    """Return the curves as columns, as the chart library takes them."""
    columns = {
        "at": [point.at for point in overview.points],
        "fetched": [point.fetched for point in overview.points],
        "relevant": [point.relevant for point in overview.points],
        "harvest": [round(point.relevant / point.fetched, 4) for point in overview.points],
        "harvest_now": [round(point.harvest_now, 4) for point in overview.points],
    }
    return msgspec.json.encode(columns).decode()
