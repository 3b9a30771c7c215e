"""Pages are fetched again: those that are due, politely, and nothing else."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from homing.crawler.index.catch_up import catch_up
from homing.crawler.live.freshness import DAY, Due, chance_of_change, due, rate_of_change
from homing.model import Standing
from homing.store.index import Search
from homing.store.views.histories import Histories, History
from homing.store.views.reader import Reader

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, Serve, SmallWeb

SEED = "http://a.example/"
NOW = 1_700_000_000.0


def page(name: str) -> str:
    return f"http://a.example/{name}"


def validated(small: SmallWeb, url: str, tag: str, text: str) -> None:
    """A page whose host can tell that it has not changed."""

    async def answer(request: web.BaseRequest) -> web.Response:
        headers = {"ETag": f'"{tag}"'}
        if request.headers.get("If-None-Match") == headers["ETag"]:
            return web.Response(status=304, headers=headers)
        return web.Response(text=f"<p>{text}</p>", content_type="text/html", headers=headers)

    small.answers[url] = answer


@pytest.fixture
def crawled(small: SmallWeb, folder: Folder) -> Folder:
    names = ("same", "tagged", "changed", "gone", "moved", "broken")
    small.page(SEED, *map(page, names), page("unseen"), text="butterfly gardening begins here")
    for name in names:
        small.page(page(name), text=f"butterfly gardening says {name}")
    validated(small, page("tagged"), "one", "butterfly gardening by tag")
    assert folder.run(SEED, stop={"pages": 7}, fetch={"concurrency": 1}) == "pages"
    assert page("unseen") not in folder.pages()
    return folder


def days_later(folder: Folder, days: float) -> None:
    """Date every visit back by this many seconds."""
    with closing(sqlite3.connect(folder.root / "crawl.db")) as db, db:
        db.execute("UPDATE visits SET asked_at = asked_at - ?", (days * DAY,))


def refresh(
    folder: Folder, serve: Serve, *, older_than: float | None = None, **sections: dict[str, object]
) -> dict[str, int]:
    """Refresh as the command does."""

    async def run() -> dict[str, int]:
        async with serve(folder.small):
            folder.small.log.clear()
            opened = folder.open(SEED, **({"stop": {"pages": 7}} | sections))
            try:
                refreshed = opened.refresh(pages_due(folder, older_than=older_than))
                assert await asyncio.wait_for(opened.run(), 20) == "refreshed"
                return refreshed.figures()
            finally:
                opened.close()

    return asyncio.run(run())


def pages_due(folder: Folder, *, older_than: float | None = None) -> list[Due]:
    with Histories(folder.root) as histories:
        return due(histories.of_pages(), time.time(), typical=7 * DAY, older_than=older_than)


def test_changed_unchanged_gone_and_moved_pages_are_distinguished(
    small: SmallWeb, crawled: Folder, serve: Serve
) -> None:
    days_later(crawled, 8)
    small.page(page("changed"), page("found-later"), text="butterfly gardening says something else")
    small.page(page("gone"), status=410)
    small.redirect(page("moved"), page("here-now"), status=301)
    small.page(page("here-now"), text="butterfly gardening has moved")
    small.page(page("broken"), status=500)
    refreshed = refresh(crawled, serve, fetch={"retries": 0})
    assert refreshed == {
        "due": 7,
        "changed": 1,
        "unchanged": 3,  # the seed, one with the same body, one by its tag
        "gone": 1,
        "moved": 1,
        "failed": 1,
        "new": 1,
    }
    asked = small.asked()
    assert sorted(asked) == sorted(
        [SEED, *map(page, ("same", "tagged", "changed", "gone", "moved", "broken", "here-now"))]
    )
    tagged = next(each for each in small.log if each.url == page("tagged"))
    assert tagged.headers["If-None-Match"] == '"one"'
    with Reader(crawled.root) as reader:
        standings = {
            name: reader.standing(entry.seq)
            for name in ("same", "gone", "moved", "here-now", "found-later", "unseen")
            if (entry := reader.find(page(name)))
        }
    assert standings == {
        "same": Standing.DONE,
        "gone": Standing.FAILED,
        "moved": Standing.REDIRECTED,
        "here-now": Standing.DONE,
        "found-later": Standing.WAITING,
        "unseen": Standing.WAITING,
    }


def test_what_is_gone_or_moved_leaves_the_index(small: SmallWeb, crawled: Folder, serve: Serve) -> None:
    def found(words: str) -> set[str]:
        catch_up(crawled.root, command="a test")
        return {hit.url for hit in Search(crawled.root).search(words).hits}

    assert page("gone") in found("gone")
    assert page("changed") in found("changed")
    days_later(crawled, 8)
    small.page(page("gone"), status=404)
    small.redirect(page("moved"), page("here-now"))
    small.page(page("here-now"), text="butterfly gardening at a better address")
    small.page(page("changed"), text="butterfly gardening with swallowtails")
    refresh(crawled, serve)
    assert found("gardening") == {
        SEED,
        *map(page, ("same", "tagged", "changed", "broken", "here-now")),
    }
    assert found("swallowtails") == {page("changed")}
    assert found("address") >= {page("here-now")}


def test_fresh_pages_are_left_alone_and_what_is_gone_is_not_asked_for_again(
    small: SmallWeb, crawled: Folder, serve: Serve
) -> None:
    assert refresh(crawled, serve)["due"] == 0
    assert small.asked() == []
    small.page(page("gone"), status=404)
    assert refresh(crawled, serve, older_than=0.0)["gone"] == 1
    assert refresh(crawled, serve, older_than=0.0)["due"] == 6
    assert page("gone") not in small.asked()


def test_a_page_that_changes_often_is_due_sooner_than_one_that_does_not(
    small: SmallWeb, crawled: Folder, serve: Serve
) -> None:
    for look in range(3):
        small.page(page("changed"), text=f"butterfly gardening, look {look}")
        days_later(crawled, 2)
        refresh(crawled, serve, older_than=0.0)
    days_later(crawled, 2)
    assert [each.history.url for each in pages_due(crawled)] == [page("changed")]
    with Histories(crawled.root) as histories:
        told = {each.url: (each.looks, each.changes) for each in histories.of_pages()}
    assert told[page("changed")] == (3, 3)
    assert told[page("tagged")] == told[page("same")] == (3, 0)


def test_a_refresh_is_polite_and_a_crawl_continues_after_it(
    small: SmallWeb, crawled: Folder, serve: Serve
) -> None:
    small.robots("http://a.example", "User-agent: *\nDisallow: /same")
    days_later(crawled, 8)
    refreshed = refresh(crawled, serve, pace={"delay": 0.1}, scope={"avoid_traps": False})
    moments = small.moments("a.example")
    assert len(moments) >= 7
    assert min(after - before for before, after in pairwise(moments)) > 0.09
    assert refreshed["due"] == 7
    small.page(page("unseen"), text="butterfly gardening at last")
    small.log.clear()
    assert crawled.run(SEED, stop={"pages": 100}) == "frontier empty"
    assert small.asked() == [page("unseen")]


def test_pages_of_full_hosts_and_of_other_strategies_are_refreshed_too(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    for strategy in ("otie", "navigational-rank", "q-learning"):
        folder.root = folder.root.with_name(strategy)
        small.page(SEED, page("one"), page("two"), text="butterfly gardening")
        for name in ("one", "two"):
            small.page(page(name), text=f"butterfly gardening {name}")
        sections: dict[str, dict[str, object]] = {
            "strategy": {"name": strategy},
            "scope": {"pages_per_host": 2, "pages_per_domain": 2},
        }
        folder.run(SEED, **sections)
        assert len(folder.pages()) == 2
        small.page(SEED, page("one"), page("two"), text="butterfly gardening again")
        refreshed = refresh(folder, serve, older_than=0.0, **sections)
        assert (refreshed["changed"], refreshed["unchanged"]) == (1, 1)


def test_unchanged_pages_are_no_trap(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    words = "moth wing nectar petal stem leaf root soil seed bloom hedge pond stone path wall gate".split()
    names = [f"plants/{number}" for number in range(12)]
    small.page(SEED, *map(page, names), text="butterfly gardening")
    for number, name in enumerate(names):
        own = " ".join(f"{word}{number}" for word in words)
        small.page(page(name), text=f"butterfly gardening {own} {own[::-1]}")
    sections: dict[str, dict[str, object]] = {"scope": {"avoid_traps": True}, "stop": {"pages": 13}}
    folder.run(SEED, **sections)
    for _ in range(3):
        assert refresh(folder, serve, older_than=0.0, **sections)["unchanged"] == 13
    small.page(SEED, page("plants/99"), text="butterfly gardening")
    small.page(page("plants/99"), text="butterfly gardening with something else altogether")
    refresh(folder, serve, older_than=0.0, **sections)
    folder.run(SEED, **(sections | {"stop": {"pages": 500}}))
    assert page("plants/99") in folder.pages()


def history(looks: int, changes: int, days: float) -> History:
    return History(seq=0, url=SEED, digest="x", seen_at=NOW, looks=looks, changes=changes, span=days * DAY)


def rates() -> Iterator[tuple[float, float]]:
    """(true, estimated) changes a day of pages looked at daily, as far as a look can tell."""
    for per_day in (0.05, 0.2, 1.0):
        seen = 1 - 2.718281828 ** (-per_day)
        yield per_day, rate_of_change(history(400, round(400 * seen), 400.0), typical=7 * DAY) * DAY


def test_many_looks_find_the_true_rate_of_change() -> None:
    for true, estimated in rates():
        assert estimated == pytest.approx(true, rel=0.1)


def test_the_chance_of_change_grows_with_age_and_the_limit_takes_the_likeliest() -> None:
    lively, sleepy = history(5, 5, 10.0), history(5, 0, 50.0)
    chances = [chance_of_change(sleepy, NOW + days * DAY, typical=7 * DAY) for days in (0, 10, 100, 1000)]
    assert chances == sorted(chances)
    assert (chances[0], chances[-1] > 0.9) == (0.0, True)
    later = NOW + 100 * DAY
    assert [each.history for each in due([sleepy, lively], later, typical=7 * DAY, limit=1)] == [lively]
    assert len(due([sleepy, lively], later, typical=7 * DAY, older_than=101 * DAY)) == 0


def test_what_could_not_be_had_is_tried_by_the_next_refresh(
    small: SmallWeb, crawled: Folder, serve: Serve
) -> None:
    days_later(crawled, 8)
    small.page(page("broken"), status=503, headers={"Retry-After": "0"})
    # It is put off for longer than the refresh lasts, which does not wait for it.
    assert refresh(crawled, serve, fetch={"retries": 1, "retry_base_seconds": 1.0})["failed"] == 1
    small.page(page("broken"), text="butterfly gardening says broken")
    time.sleep(1.1)
    again = refresh(crawled, serve)
    assert (again["due"], again["unchanged"], again["new"]) == (1, 1, 0)
    assert small.asked() == [page("broken")]


def test_a_refresh_costs_none_of_the_crawls_budget(small: SmallWeb, crawled: Folder, serve: Serve) -> None:
    days_later(crawled, 8)
    small.page(page("changed"), text="butterfly gardening says something else")
    refresh(crawled, serve)
    figures = crawled.figures()
    assert figures["fetched"] == 7
    small.log.clear()
    assert crawled.run(SEED, stop={"pages": 8}, fetch={"concurrency": 1}) == "pages"
    assert small.asked() == [page("unseen")]
