"""The dashboard, live: the parts of the page that changed, once a second, as server-sent events.

A part is a piece of HTML that the same template makes for the page itself, so that there is one way to show a
thing, and the browser only puts it in its place. The curves are a part as well, in JSON.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping

import msgspec
from fastapi.concurrency import run_in_threadpool
from jinja2 import Environment

from homing.errors import HomingError
from homing.serve.crawl.folder import FRESH, CrawlFolder
from homing.serve.crawl.look import Look
from homing.store.views.browsing import PageFilter
from homing.store.views.page_row import PageRow

PARTS = ("state", "about", "figures", "milestones", "latest", "failures", "hosts", "frontier", "disk")
"""The parts of the dashboard: ``templates/parts/NAME.html``, and the id of the element that holds it."""

LATEST = 10
SHOWN = 10
"""Hosts, and URLs at the head of the frontier."""


class Live:
    """What everybody who watches gets to see. Any thread may use it.

    Parameters
    ----------
    is_over
        Set when the app is being stopped: who watches is let go.
    """

    def __init__(self, folder: CrawlFolder, environment: Environment, is_over: threading.Event) -> None:
        self._folder = folder
        self._templates = {name: environment.get_template(f"parts/{name}.html") for name in PARTS}
        self._one_at_a_time = threading.Lock()
        self._seen: Look | None = None
        self._parts: Mapping[str, str] = {}
        self._is_over = is_over

    def parts(self) -> Mapping[str, str]:
        """Every part as it is now; made once for all who watch."""
        with self._one_at_a_time:
            look = self._folder.watch()
            if look is not self._seen:
                context = {"look": look, "latest": self._latest(), "shown": SHOWN}
                parts = {name: template.render(context) for name, template in self._templates.items()}
                self._parts, self._seen = {**parts, "curves": _curves(look)}, look
            return self._parts

    async def events(self) -> AsyncIterator[str]:
        """The parts that changed, as long as somebody listens."""
        sent: Mapping[str, str] = {}
        while not self._is_over.is_set():
            try:
                parts = await run_in_threadpool(self.parts)
            except HomingError:
                return  # the folder cannot be read now; the browser says so, and comes again
            changed = {name: part for name, part in parts.items() if sent.get(name) != part}
            # A line that says nothing tells both sides that the other is still there.
            yield f"data: {msgspec.json.encode(changed).decode()}\n\n" if changed else ": nothing new\n\n"
            sent = parts
            await asyncio.sleep(FRESH)

    def _latest(self) -> list[PageRow]:
        with self._folder.open() as browser:
            return browser.screen(PageFilter(relevant=True), limit=LATEST)


def _curves(look: Look) -> str:
    """The curves as columns, the way they are drawn."""
    columns = {
        "at": [point.at for point in look.points],
        "fetched": [point.fetched for point in look.points],
        "relevant": [point.relevant for point in look.points],
        "harvest": [round(point.relevant / point.fetched, 4) for point in look.points],
        "harvest_now": [round(point.harvest_now, 4) for point in look.points],
    }
    return msgspec.json.encode(columns).decode()
