"""What was fetched: the table of pages, one page and why, hosts, failures."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from homing.model import Entry, Host, Standing
from homing.serve.crawl.folder import CrawlFolder
from homing.serve.pages.neighbourhood import best, draw
from homing.serve.pages.templating import Screens
from homing.serve.parameters import After, Answer, Before, HostName, Kind, OrderBy, Start, Url, Verdict
from homing.store.views.browsing import Browser, Order, PageFilter

SCREEN = 50
"""Rows of a table."""
_LISTED = 100
"""Links of a page that are named in words."""


def routes(screens: Screens, folder: CrawlFolder) -> APIRouter:
    """``/pages``, ``/hosts`` and ``/failures``."""
    router = APIRouter(include_in_schema=False)

    @router.get("/pages")
    def pages(
        request: Request,
        verdict: Verdict = "",
        answer: Answer = "",
        host: HostName = "",
        order: OrderBy = "newest",
        after: After = None,
    ) -> Response:
        asked = {"verdict": verdict, "answer": answer, "host": host.strip(), "order": order}
        with folder.open() as browser:
            chosen = choice(browser, verdict, answer, host, order)
            last = None if after is None else browser.visit(after)
            rows = browser.screen(chosen, last, SCREEN + 1)
        further = rows[SCREEN - 1].seq if len(rows) > SCREEN else None
        context = {
            **asked,
            "labels": folder.labels(),
            "rows": rows[:SCREEN],
            "is_first": after is None,
            "first": screens.address("/pages", **asked),
            "next": screens.address("/pages", **asked, after=further) if further is not None else "",
        }
        return screens.page(request, "pages.html", context)

    @router.get("/page")
    def by_url(url: Url) -> Response:
        with folder.open() as browser:
            return RedirectResponse(screens.address(f"/pages/{find(browser, url).seq}"), status_code=303)

    @router.get("/pages/{seq}")
    def page(request: Request, seq: int) -> Response:
        with folder.open() as browser:
            entry = entry_of(browser, seq)
            row = browser.visit(seq)
            before, after = browser.linking_to(seq), browser.linked_from(seq)
            context = {
                "entry": entry,
                "row": row,
                "labels": folder.labels(),
                "standing": browser.standing(seq),
                "failure": browser.failure(seq),
                "way": browser.way(seq),
                "picture": draw(browser.neighbour(seq), before, after),
                "before": best(before, seq, _LISTED),
                "after": best(after, seq, _LISTED),
                "before_count": len(before),
                "after_count": len(after),
            }
        return screens.page(request, "page.html", context)

    @router.get("/hosts")
    def hosts(request: Request, start: Start = 0) -> Response:
        look = folder.look()
        further = start + SCREEN
        context = {
            "look": look,
            "shown": look.hosts[start:further],
            "is_first": start == 0,
            "next": screens.address("/hosts", start=further) if len(look.hosts) > further else "",
        }
        return screens.page(request, "hosts.html", context)

    @router.get("/hosts/{name}")
    def host(request: Request, name: str) -> Response:
        look = folder.look()
        with folder.open() as browser:
            known = host_of(browser, name)
            context = {
                "known": known,
                "labels": folder.labels(),
                "totals": next((each for each in look.hosts if each.name == name), None),
                "look": look,
                "standings": browser.standings(known.number),
                "waiting": Standing.WAITING,
                "robots": browser.robots_of(name),
                "rows": browser.screen(PageFilter(host=known.number), limit=10),
                "mishaps": browser.failures(host=known.number, limit=10),
            }
        return screens.page(request, "host.html", context)

    @router.get("/failures")
    def failures(request: Request, kind: Kind = "", before: Before = None) -> Response:
        with folder.open() as browser:
            mishaps = browser.failures(kind=kind, before=before, limit=SCREEN + 1)
        further = mishaps[SCREEN - 1].number if len(mishaps) > SCREEN else None
        context = {
            "kind": kind,
            "mishaps": mishaps[:SCREEN],
            "kinds": folder.look().failed,
            "next": screens.address("/failures", kind=kind, before=further) if further is not None else "",
        }
        return screens.page(request, "failures.html", context)

    return router


def choice(browser: Browser, verdict: Verdict, answer: Answer, host: str, order: Order) -> PageFilter:
    """What was chosen in a form or an address."""
    return PageFilter(
        relevant=None if not verdict else verdict == "relevant",
        ok=None if not answer else answer == "ok",
        host=host_of(browser, host.strip().lower()).number if host.strip() else None,
        order=order,
    )


def find(browser: Browser, url: str) -> Entry:
    """A URL that the crawl knows."""
    entry = browser.find(url)
    if entry is None:
        raise HTTPException(404, f"{url} is unknown to this crawl: no page it has seen links there")
    return entry


def entry_of(browser: Browser, seq: int) -> Entry:
    """A URL by its number."""
    try:
        return browser.entry(seq)
    except (KeyError, OverflowError):  # the latter where SQLite has no such large numbers
        raise HTTPException(404, f"this crawl has no page number {seq}") from None


def host_of(browser: Browser, name: str) -> Host:
    """A host that the crawl knows."""
    host = browser.host(name)
    if host is None:
        raise HTTPException(404, f"this crawl knows no host {name}")
    return host
