"""Browsing a crawl: the table of pages, one page with its explanation, hosts, failures."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from homing.model import Entry, Host, Standing
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.pages.neighbourhood import best, draw
from homing.serve.pages.templating import Renderer
from homing.serve.query_parameters import After, Answer, Before, HostName, Kind, OrderBy, Start, Url, Verdict
from homing.store.views.browsing import Browser, Order, PageFilter

SCREEN = 50
"""Rows of a table."""
_LISTED = 100
"""Maximum links of a page in the lists below the picture."""


def routes(renderer: Renderer, folder: CrawlFolder) -> APIRouter:
    """Return the routes of ``/pages``, ``/hosts`` and ``/failures``."""
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
        filters = {"verdict": verdict, "answer": answer, "host": host.strip(), "order": order}
        with folder.open() as browser:
            chosen = choice(browser, verdict, answer, host, order)
            last = None if after is None else browser.visit(after)
            rows = browser.screen(chosen, last, SCREEN + 1)
        further = rows[SCREEN - 1].seq if len(rows) > SCREEN else None
        context = {
            **filters,
            "labels": folder.labels(),
            "rows": rows[:SCREEN],
            "is_first": after is None,
            "first": renderer.address("/pages", **filters),
            "next": renderer.address("/pages", **filters, after=further) if further is not None else "",
        }
        return renderer.page(request, "pages.html", context)

    @router.get("/page")
    def by_url(url: Url) -> Response:
        with folder.open() as browser:
            return RedirectResponse(renderer.address(f"/pages/{find(browser, url).seq}"), status_code=303)

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
        return renderer.page(request, "page.html", context)

    @router.get("/hosts")
    def hosts(request: Request, start: Start = 0) -> Response:
        overview = folder.overview()
        further = start + SCREEN
        context = {
            "overview": overview,
            "shown": overview.hosts[start:further],
            "is_first": start == 0,
            "next": renderer.address("/hosts", start=further) if len(overview.hosts) > further else "",
        }
        return renderer.page(request, "host_list.html", context)

    @router.get("/hosts/{name}")
    def host(request: Request, name: str) -> Response:
        overview = folder.overview()
        with folder.open() as browser:
            known = host_of(browser, name)
            context = {
                "known": known,
                "labels": folder.labels(),
                "totals": next((each for each in overview.hosts if each.name == name), None),
                "overview": overview,
                "standings": browser.standings(known.number),
                "waiting": Standing.WAITING,
                "robots": browser.robots_of(name),
                "rows": browser.screen(PageFilter(host=known.number), limit=10),
                "mishaps": browser.failures(host=known.number, limit=10),
            }
        return renderer.page(request, "host.html", context)

    @router.get("/failures")
    def failures(request: Request, kind: Kind = "", before: Before = None) -> Response:
        with folder.open() as browser:
            mishaps = browser.failures(kind=kind, before=before, limit=SCREEN + 1)
        further = mishaps[SCREEN - 1].number if len(mishaps) > SCREEN else None
        context = {
            "kind": kind,
            "mishaps": mishaps[:SCREEN],
            "kinds": folder.overview().failed,
            "next": renderer.address("/failures", kind=kind, before=further) if further is not None else "",
        }
        return renderer.page(request, "failure_list.html", context)

    return router


def choice(browser: Browser, verdict: Verdict, answer: Answer, host: str, order: Order) -> PageFilter:
    """Return the choice of pages that a form or an address describes."""
    return PageFilter(
        relevant=None if not verdict else verdict == "relevant",
        ok=None if not answer else answer == "ok",
        host=host_of(browser, host.strip().lower()).number if host.strip() else None,
        order=order,
    )


def find(browser: Browser, url: str) -> Entry:
    """Return the entry of a URL; an unknown one is a 404."""
    entry = browser.find(url)
    if entry is None:
        raise HTTPException(404, f"{url} is unknown to this crawl: no page it has seen links there")
    return entry


def entry_of(browser: Browser, seq: int) -> Entry:
    """Return an entry by its number; an unknown one is a 404."""
    try:
        return browser.entry(seq)
    except (KeyError, OverflowError):  # the latter for numbers too large for SQLite
        raise HTTPException(404, f"this crawl has no page number {seq}") from None


def host_of(browser: Browser, name: str) -> Host:
    """Return a host by its name; an unknown one is a 404."""
    host = browser.host(name)
    if host is None:
        raise HTTPException(404, f"this crawl knows no host {name}")
    return host
