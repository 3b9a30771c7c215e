"""Which links are followed, and how proposals reach the frontier."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from aiohttp import web

from homing.model import Entry, Priority, Proposal, Visit
from homing.store.memory import MemoryStore
from homing.strategies import Strategy

if TYPE_CHECKING:
    from tests.crawler.conftest import Build, Folder, Run, SmallWeb

SEED = "http://a.example/"


def test_links_of_a_nofollow_page_are_not_followed(small: SmallWeb, folder: Folder) -> None:
    small.page(SEED, "/closed", "/header")
    small.page("http://a.example/closed", "/x", head='<meta name="robots" content="nofollow">')
    small.page("http://a.example/header", "/y", headers={"X-Robots-Tag": "nofollow"})
    folder.run(SEED)
    assert sorted(small.asked()) == [f"http://a.example/{name}" for name in ("", "closed", "header")]


def test_a_link_with_rel_nofollow_is_followed_or_not_as_the_crawl_is_told(
    small: SmallWeb, folder: Folder
) -> None:
    small.page(SEED, html='<a href="/plain">a</a> <a rel="external nofollow" href="/shy">b</a>')
    folder.run(SEED, scope={"follow_nofollow": False})
    assert sorted(small.asked()) == ["http://a.example/", "http://a.example/plain"]
    folder.root = folder.root.with_name("other")
    folder.run(SEED, scope={"follow_nofollow": True})
    assert "http://a.example/shy" in small.asked()


def test_a_page_that_asks_not_to_be_indexed_is_kept_with_that_wish(small: SmallWeb, folder: Folder) -> None:
    small.page(SEED, "/hidden")
    small.page("http://a.example/hidden", "/x", head='<meta name="robots" content="noindex">')
    small.page("http://a.example/x")
    folder.run(SEED)
    with closing(sqlite3.connect(folder.root / "crawl.db")) as db:
        rows = db.execute("SELECT url, noindex FROM visits JOIN urls USING (seq) ORDER BY visits.id")
        assert dict(rows) == {SEED: 0, "http://a.example/hidden": 1, "http://a.example/x": 0}


def test_the_depth_of_a_page_is_its_shortest_way_from_a_seed(small: SmallWeb, folder: Folder) -> None:
    small.page(SEED, "/1")
    for number in range(1, 5):
        small.page(f"http://a.example/{number}", f"/{number + 1}")
    folder.run(SEED, scope={"max_depth": 3})
    assert small.asked() == [SEED, *(f"http://a.example/{number}" for number in (1, 2, 3))]


def test_known_binaries_and_what_is_excluded_are_not_asked(small: SmallWeb, folder: Folder) -> None:
    small.page(SEED, "/a.zip", "/photo.JPG", "/print/1", "/ok.html")
    folder.run(SEED, scope={"exclude": ["*/print/*"]})
    assert small.asked() == [SEED, "http://a.example/ok.html"]


class Cash(Strategy):
    """Hands each link one coin; coins add up."""

    name = "cash"

    additive = True

    def score(self, visit: Visit) -> Iterator[Proposal]:
        for link in visit.page.links:
            yield Proposal(url=link.url, priority=Priority(score=1.0))

    def merge(self, old: Entry, new: Proposal) -> Proposal:
        return Proposal(url=new.url, priority=Priority(score=old.priority.score + new.priority.score))


def test_coins_of_two_parents_add_up(small: SmallWeb, build: Build, run: Run) -> None:
    small.page(SEED, "/1", "/2", "/poor", "/rich")
    for number in (1, 2):
        small.page(f"http://a.example/{number}", "/rich")
    store = MemoryStore()
    run(lambda: build(Cash(), store, [SEED]))
    assert small.asked() == [f"http://a.example/{name}" for name in ("", "1", "rich", "2", "poor")]


def test_a_seed_gets_its_coin_once_however_often_the_crawl_is_gone_on_with(
    small: SmallWeb, build: Build, run: Run
) -> None:
    small.page(SEED)
    store = MemoryStore()
    run(lambda: build(Cash(), store, [SEED]))
    run(lambda: build(Cash(), store, [SEED]))
    assert store.entry(0).priority == Priority()
    assert small.asked() == [SEED]


class Again(Strategy):
    """Looks at the seed again once, when all else is done."""

    name = "again"

    def __init__(self, tier: int) -> None:
        self.tier = tier

    def score(self, visit: Visit) -> Iterator[Proposal]:
        if visit.step == 1:
            yield Proposal(url=visit.entry.url, priority=Priority(tier=self.tier), revisit=True)
        for link in visit.page.links:
            yield Proposal(url=link.url, priority=Priority(tier=1))


def test_a_revisit_waits_its_turn(small: SmallWeb, build: Build, run: Run) -> None:
    small.page(SEED, "/1", "/2")
    run(lambda: build(Again(tier=2), MemoryStore(), [SEED]))
    assert small.asked() == [SEED, "http://a.example/1", "http://a.example/2", SEED]


def test_a_page_that_has_not_changed_is_asked_for_conditionally_and_counts_once(
    small: SmallWeb, build: Build, run: Run
) -> None:
    async def answer(request: web.BaseRequest) -> web.Response:
        if request.headers.get("If-None-Match") == '"v1"':
            return web.Response(status=304, headers={"ETag": '"v1"'})
        return web.Response(text="<p>one</p>", content_type="text/html", headers={"ETag": '"v1"'})

    small.answers[SEED] = answer
    store = MemoryStore()
    run(lambda: build(Again(tier=0), store, [SEED]))
    assert [asked.headers.get("If-None-Match") for asked in small.log if asked.url == SEED] == [None, '"v1"']
    assert [kept.kind for kept in store.visits] == ["page", "unchanged"]
    assert store.tally().pages == 1
    assert [host.pages for host in store.hosts()] == [1]


def test_a_page_that_has_changed_is_a_page_again(small: SmallWeb, build: Build, run: Run) -> None:
    small.page(SEED, headers={"Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"})
    store = MemoryStore()
    run(lambda: build(Again(tier=0), store, [SEED]))
    since = [asked.headers.get("If-Modified-Since") for asked in small.log if asked.url == SEED]
    assert since == [None, "Mon, 01 Jan 2024 00:00:00 GMT"]
    assert [kept.step for kept in store.visits] == [1, 2]


class Failing(Strategy):
    """Gives the credit of a page that did not come to the page it was found on."""

    name = "failing"

    def score(self, visit: Visit) -> Iterator[Proposal]:
        for link in visit.page.links:
            yield Proposal(url=link.url, priority=Priority(score=0.5))

    def missed(self, entry: Entry, failure: object) -> Iterator[Proposal]:
        yield Proposal(url="http://a.example/2", priority=Priority(score=0.9))
        yield Proposal(url="http://never.example/", priority=Priority(score=9.0))


def test_credit_of_a_page_that_did_not_come_goes_to_known_urls_only(
    small: SmallWeb, build: Build, run: Run
) -> None:
    small.page(SEED, "/dead", "/1", "/2")
    for number in (1, 2):
        small.page(f"http://a.example/{number}")
    run(lambda: build(Failing(), MemoryStore(), [SEED]))
    assert small.asked() == [f"http://a.example/{name}" for name in ("", "dead", "2", "1")]
