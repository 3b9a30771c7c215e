"""A real browser, and a tab in it in which nothing may go wrong."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, ViewportSize

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


@contextmanager
def tab(
    browser: Browser,
    address: str,
    *,
    width: int = 1280,
    scheme: Literal["light", "dark"] = "light",
    errors: int = 0,
) -> Iterator[Page]:
    """A tab in which nothing may go wrong: no request elsewhere, no error in the console, no dialog.

    ``errors`` is how many pages with an error status it is shown: the console tells of each.
    """
    complaints, asked = list[str](), list[str]()

    def hear(line: ConsoleMessage) -> None:
        if line.type in ("error", "warning"):
            complaints.append(line.text)

    def dismiss(dialog: Dialog) -> None:
        complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    screen: ViewportSize = {"width": width, "height": 900}
    context = browser.new_context(base_url=address, viewport=screen, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", dismiss)
    yield page
    context.close()
    expected = [line for line in complaints if "the server responded with a status of 4" in line]
    assert len(expected) == errors
    assert [line for line in complaints if line not in expected] == []
    assert asked
    assert [url for url in asked if not url.startswith(f"{address}/")] == []


def complaints_of_axe(page: Page, paths: Iterable[str], **options: object) -> list[str]:
    found = list[str]()
    options["resultTypes"] = ["violations"]  # what is well is not worked out in detail
    for path in paths:
        page.goto(path)
        for violation in Axe().run(page, options=options).response["violations"]:
            nodes = [node["html"][:100] for node in violation["nodes"][:2]]
            found.append(f"{path}: {violation['impact']} {violation['id']}: {nodes}")
    return found
