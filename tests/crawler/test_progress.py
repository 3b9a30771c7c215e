"""When a crawl is over, and that it does not overshoot with many requests in flight."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from aiohttp.web import BaseRequest, Response, StreamResponse

from homing.crawler.events import Answered, Event, Noted, Redirected, Visited
from homing.crawler.progress import Counters, Limits
from homing.demo.web.little_web import LittleWeb
from homing.demo.web_server import Request, serve
from homing.frontier.frontier import Frontier
from homing.model import Entry, Priority, Proposal, Reply
from homing.steps import KeepBetter
from homing.store.memory import MemoryStore
from homing.urls import key

if TYPE_CHECKING:
    from tests.crawler.conftest import Answer, Folder, Serve, SmallWeb


@pytest.fixture(scope="module")
def web() -> LittleWeb:
    return LittleWeb(1, pages=400, hosts=20)


def crawl_of(
    web: LittleWeb, folder: Folder, *, latency: float = 0.0, **sections: dict[str, object]
) -> tuple[str, list[Request], Counters]:
    """Crawl the little web with many requests in flight: why it stopped, and what the server saw."""

    async def crawl() -> tuple[str, list[Request], Counters]:
        async with serve(web, latency=latency) as server:
            folder.small.address = server.address
            opened = folder.open(*web.seeds, **sections)
            try:
                reason = await opened.run()
            finally:
                opened.close()
            return reason, server.log, opened.counters

    return asyncio.run(crawl())


def answered(log: list[Request]) -> list[Request]:
    """Requests that came to a page: no robots.txt, no sitemap, no redirect, no busy server."""
    return [
        request
        for request in log
        if request.path != "/robots.txt"
        and "sitemap" not in request.path
        and not 300 <= request.status < 400
        and request.status < 500
    ]


def test_no_more_pages_than_asked_for_with_many_in_flight(web: LittleWeb, folder: Folder) -> None:
    reason, log, counters = crawl_of(web, folder, stop={"pages": 37}, fetch={"concurrency": 32})
    assert (reason, counters.pages, len(answered(log))) == ("pages", 37, 37)


def test_no_more_pages_of_a_host_than_asked_for(web: LittleWeb, folder: Folder) -> None:
    reason, log, counters = crawl_of(
        web,
        folder,
        scope={"pages_per_host": 3},
        fetch={"concurrency": 32},
        strategy={"name": "breadth-first"},
    )
    by_host = Counter(request.host for request in answered(log))
    assert reason == "hosts full"
    assert max(by_host.values()) == 3
    assert sum(by_host.values()) == counters.pages


def test_no_page_deeper_than_asked_for(web: LittleWeb, folder: Folder) -> None:
    reason, log, _ = crawl_of(
        web, folder, scope={"max_depth": 2}, fetch={"concurrency": 32, "sitemaps": False}
    )
    assert reason == "frontier empty"
    depth = web.distances()
    asked = [f"http://{request.host}{request.path}" for request in answered(log)]
    assert {depth[url] for url in asked if url in depth} == {0, 1, 2}


def test_once_enough_pages_are_relevant_nothing_more_is_asked(web: LittleWeb, folder: Folder) -> None:
    concurrency = 8
    reason, log, counters = crawl_of(
        web,
        folder,
        latency=0.01,
        stop={"relevant": 5},
        fetch={"concurrency": concurrency},
        strategy={"name": "link-context"},
    )
    assert reason == "relevant"
    assert 5 <= counters.relevant < 5 + concurrency  # what was in flight is taken in
    with_page = [event for event in log if event.status == 200 and event in answered(log)]
    assert len(with_page) <= counters.pages


def test_it_stops_when_little_more_is_to_be_expected_and_little_more_there_is(
    web: LittleWeb, folder: Folder
) -> None:
    reason, _, counters = crawl_of(
        web, folder, stop={"yield_below": 8}, fetch={"concurrency": 8}, strategy={"name": "link-context"}
    )
    assert reason == "yield"
    assert counters.expected_yield is not None
    assert counters.expected_yield < 8
    left = len(web.targets) - counters.relevant
    assert 100 * left / (len(web.pages) - counters.pages) < 12


def test_a_crawl_that_is_young_or_has_found_nothing_does_not_stop_for_its_yield() -> None:
    counters = Counters()
    counters.relevant = 1
    limits, frontier = Limits(yield_below=100), Frontier()
    frontier.offer([(1, Proposal(url="http://a.example/"))], KeepBetter(), MemoryStore().entry)
    assert limits.reached(counters, frontier, 0.0) == ""
    url = "http://a.example/gone"
    entry, reply = Entry(key=2, url=url, priority=Priority()), Reply(url=url, final_url=url, status=404)
    for step in range(300):
        counters(Answered(entry=entry, reply=reply, step=step))
    assert limits.reached(counters, frontier, 0.0) == "yield"
    counters.relevant = 0
    assert limits.reached(counters, frontier, 0.0) == ""


def test_a_crawl_that_has_reached_its_limit_asks_nothing_when_run_again(
    small: SmallWeb, folder: Folder
) -> None:
    small.page("http://a.example/", "/1")
    small.page("http://a.example/1")
    assert folder.run("http://a.example/", stop={"pages": 1}) == "pages"
    asked = small.asked()
    assert folder.run("http://a.example/", stop={"pages": 1}) == "pages"
    assert small.asked() == asked
    assert folder.run("http://a.example/", stop={"pages": 2}) == "pages"
    assert small.asked() == [*asked, "http://a.example/1"]


def test_the_minutes_of_all_runs_add_up(small: SmallWeb, folder: Folder) -> None:
    for number in range(100):
        small.page(f"http://a.example/{number}", f"/{number + 1}", seconds=0.05)
    limit = {"minutes": 0.5 / 60}
    assert folder.run("http://a.example/0", stop=limit) == "minutes"
    pages = folder.pages()
    assert 2 < len(pages) < 40
    assert folder.run("http://a.example/0", stop=limit) == "minutes"
    assert len(folder.pages()) <= len(pages) + 1


def frontier_of(*urls: str) -> Frontier:
    frontier = Frontier(delay=0.0, pages_per_host=1)
    store = MemoryStore()
    proposals = [(key(url), Proposal(url=url, priority=Priority())) for url in urls]
    frontier.offer(proposals, KeepBetter(), store.entry)
    return frontier


def test_the_reasons_in_their_order() -> None:
    busy, empty = frontier_of("http://a.example/"), frontier_of()
    limits = Limits(pages=2, relevant=1, seconds=10.0)
    assert limits.reached(Counters(), busy, 0.0) == ""
    assert limits.reached(Counters(), empty, 0.0) == "frontier empty"
    assert limits.reached(Counters(seconds_before=10.0), empty, 0.0) == "minutes"
    assert limits.reached(Counters(seconds_before=10.0, relevant=1), empty, 0.0) == "relevant"
    assert limits.reached(Counters(seconds_before=10.0, relevant=1, steps=2), empty, 0.0) == "pages"


def test_a_frontier_is_not_empty_while_something_is_in_flight() -> None:
    frontier = frontier_of("http://a.example/1", "http://a.example/2")
    lease = frontier.lease(0.0)
    assert lease is not None
    assert Limits().reached(Counters(), frontier, 0.0) == ""
    frontier.release(lease.seq, 0.0, counted=True)
    frontier.put_back(lease.seq)
    assert frontier.lease(0.0) is None
    assert Limits().reached(Counters(), frontier, 0.0) == "hosts full"


def test_what_is_in_flight_may_all_become_pages() -> None:
    limits = Limits(pages=10, concurrency=64)
    assert limits.room(Counters(steps=7), 2)
    assert not limits.room(Counters(steps=7), 3)
    assert not limits.room(Counters(stop_reason="stop command"), 0)
    assert not Limits(concurrency=4).room(Counters(), 4)


def test_stragglers_leave_their_places_to_others_but_are_no_crowd() -> None:
    limits = Limits(concurrency=4)
    assert limits.room(Counters(), in_flight=7, stragglers=4)
    assert not limits.room(Counters(), in_flight=8, stragglers=4)
    assert not limits.room(Counters(), in_flight=16, stragglers=16)
    assert not Limits(concurrency=1).room(Counters(), in_flight=1, stragglers=1)
    assert not Limits(concurrency=4, pages=7).room(Counters(), in_flight=7, stragglers=7)


def test_counters_add_up_what_they_are_told(web: LittleWeb, folder: Folder) -> None:
    events: list[Event] = []

    async def crawl() -> Counters:
        async with serve(web) as server:
            folder.small.address = server.address
            opened = folder.open(*web.seeds, stop={"pages": 60}, strategy={"name": "link-context"})
            opened._engine.listeners.append(events.append)
            try:
                await opened.run()
            finally:
                opened.close()
            return opened.counters

    counters = asyncio.run(crawl())
    judged = [event.visit.judgement.relevant for event in events if isinstance(event, Visited)]
    others = [event for event in events if isinstance(event, Answered)]
    assert counters.pages == len(judged) + len(others) == 60
    assert counters.relevant == sum(judged) > 0
    assert counters.harvest_rate == counters.relevant / 60 == counters.harvest_now
    assert counters.pages_per_second > 0
    figures = folder.figures()
    assert (figures["fetched"], figures["relevant"]) == (60, counters.relevant)
    assert (figures["redirects"], figures["failed"]) == (counters.redirects, dict(counters.failed))


RING = [f"http://a.example/{number}" for number in range(4)]
"""Four pages that lead to each other: with ``recrawl = "fetch"`` cash moves on by revisits alone."""
RECRAWL = {"name": "otie", "recrawl": "fetch", "recrawl_every": 1}


def ring(small: SmallWeb, *, validated: bool) -> None:
    for url in RING:
        small.page(url, *RING, text="Butterfly gardening: butterflies love gardens. " * 10)
        if validated:
            small.answers[url] = _validated(small.answers[url])


def _validated(answer: Answer) -> Answer:
    """The same page from a host that can tell that it has not changed."""

    async def conditional(request: BaseRequest) -> StreamResponse:
        if request.headers.get("If-None-Match") == '"one"':
            return Response(status=304)
        reply = await answer(request)
        reply.headers["ETag"] = '"one"'
        return reply

    return conditional


@pytest.mark.parametrize("validated", [False, True])
def test_a_page_counts_once_and_each_of_its_fetches_costs_the_budget(
    small: SmallWeb, folder: Folder, serve: Serve, validated: bool
) -> None:
    ring(small, validated=validated)
    sections: dict[str, dict[str, object]] = {"strategy": RECRAWL, "fetch": {"concurrency": 1}}

    async def crawl(pages: int) -> Counters:
        async with serve(small):
            opened = folder.open(RING[0], stop={"pages": pages}, **sections)
            try:
                await asyncio.wait_for(opened.run(), 20)
                return opened.counters
            finally:
                opened.close()

    for pages in (9, 12):  # of the second run the counts come from the folder
        counters = asyncio.run(crawl(pages))
        different = len(set(small.asked()))
        assert 1 < different < len(small.asked()) == counters.fetches
        assert (counters.unchanged > 0) is validated
        assert counters.stop_reason == ("frontier empty" if validated else "pages")
        assert (counters.pages, counters.relevant, counters.harvest_rate) == (different, different, 1.0)
        figures = folder.figures()
        assert (figures["fetched"], figures["relevant"], figures["harvest_rate"]) == (
            different,
            different,
            1.0,
        )
        assert len(folder.pages()) == different


def test_a_revisit_costs_the_budget_whether_or_not_it_brings_the_page_again() -> None:
    entry = Entry(key=1, url=RING[0], priority=Priority(), relevant=False)
    events: list[Event] = [
        Answered(entry=entry, reply=Reply(url=RING[0], final_url=RING[0], status=404), step=1),
        Noted(name="unchanged", detail=RING[0]),
    ]
    for event in events:
        counters = Counters(pages=1, steps=1)
        counters(event)
        assert (counters.pages, counters.spent) == (1, 2)
        assert Limits(pages=2).reached(counters, frontier_of(RING[1]), 0.0) == "pages"


def test_revisits_do_not_reach_the_limit_on_relevant_pages(small: SmallWeb, folder: Folder) -> None:
    ring(small, validated=False)
    stop = {"relevant": 5, "pages": 20}
    assert folder.run(RING[0], stop=stop, strategy=RECRAWL, fetch={"concurrency": 1}) == "pages"


def test_a_page_that_changes_its_verdict_or_moves_is_counted_as_what_it_is_now() -> None:
    counters = Counters()
    url = "http://a.example/"

    def answer(relevant: bool | None, **fields: object) -> Event:
        entry = Entry(key=1, url=url, priority=Priority(), relevant=relevant)
        if fields:
            return Redirected(entry=entry, status=301, target=f"{url}1")
        return Answered(entry=entry, reply=Reply(url=url, final_url=url, status=404), step=1)

    counters.pages = counters.relevant = counters.steps = 1
    counters(answer(True))
    assert (counters.pages, counters.relevant, counters.fetches) == (1, 0, 2)
    counters(answer(False, moved=True))
    assert (counters.pages, counters.relevant, counters.fetches) == (0, 0, 2)
