"""Answers that bring no page: redirects, errors, silence, robots.txt, sitemaps, "not modified"."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING

from aiohttp import web

from homing.model import Standing
from homing.store.views.reader import Reader

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, SmallWeb

# -- redirects


def test_a_seed_that_moved_to_another_host_widens_the_borders(small: SmallWeb, folder: Folder) -> None:
    small.redirect("http://old.example/", "http://new.example/")
    small.page("http://new.example/", "/more", "http://elsewhere.example/")
    small.page("http://new.example/more")
    folder.run("http://old.example/", scope={"within": "host"})
    assert folder.pages() == ["http://new.example/", "http://new.example/more"]
    assert folder.figures()["redirects"] == 1
    assert not small.moments("elsewhere.example")


def test_the_wider_borders_hold_for_a_later_run_too(small: SmallWeb, folder: Folder) -> None:
    small.redirect("http://old.example/", "http://new.example/")
    small.page("http://new.example/", "/more")
    small.page("http://new.example/more")
    folder.run("http://old.example/", scope={"within": "host"}, stop={"pages": 1})
    folder.run("http://old.example/", scope={"within": "host"})
    assert folder.pages() == ["http://new.example/", "http://new.example/more"]


def test_a_redirect_out_of_scope_settles_the_url_and_its_target_is_not_asked(
    small: SmallWeb, folder: Folder
) -> None:
    small.page("http://a.example/", "/gone", "/logout")
    small.redirect("http://a.example/gone", "http://b.example/")
    small.redirect("http://a.example/logout", "http://a.example/login")
    small.page("http://b.example/")
    small.page("http://a.example/login")
    folder.run("http://a.example/", scope={"within": "host", "exclude": ["*/login"]})
    assert folder.pages() == ["http://a.example/"]
    assert set(small.asked()) == {"http://a.example/", "http://a.example/gone", "http://a.example/logout"}
    with Reader(folder.root) as reader:
        entry = reader.find("http://a.example/gone")
        assert entry is not None
        assert reader.standing(entry.seq) is Standing.REDIRECTED


def test_what_a_redirect_leads_to_has_its_place_depth_and_parent(small: SmallWeb, folder: Folder) -> None:
    small.page("http://a.example/", "/moved")
    small.redirect("http://a.example/moved", "/here")
    small.page("http://a.example/here", "/below")
    small.page("http://a.example/below")
    folder.run("http://a.example/", scope={"max_depth": 1})
    assert folder.pages() == ["http://a.example/", "http://a.example/here"]
    with Reader(folder.root) as reader:
        entry = reader.find("http://a.example/here")
        assert entry is not None
        assert (entry.depth, entry.parent, entry.anchor) == (1, 0, "/moved")


def test_a_redirect_status_without_a_location_is_a_failed_page_of_its_host(
    small: SmallWeb, folder: Folder
) -> None:
    async def nowhere(request: web.BaseRequest) -> web.Response:
        return web.Response(status=302)

    small.answers["http://a.example/1"] = nowhere
    small.page("http://a.example/2")
    folder.run("http://a.example/1", "http://a.example/2", scope={"pages_per_host": 1})
    assert folder.figures()["fetched"] == 1


# -- retries and rests


def busy_for(small: SmallWeb, url: str, times: int, headers: dict[str, str] | None = None) -> None:
    """Answers 503 so many times, then a page."""
    left = times

    async def answer(request: web.BaseRequest) -> web.Response:
        nonlocal left
        left -= 1
        if left >= 0:
            return web.Response(status=503, headers=headers)
        return web.Response(text="<p>here</p>", content_type="text/html")

    small.answers[url] = answer


def test_a_page_that_comes_at_the_third_attempt_counts_once(small: SmallWeb, folder: Folder) -> None:
    busy_for(small, "http://a.example/", 2)
    folder.run("http://a.example/", fetch={"retries": 2})
    assert small.asked() == ["http://a.example/"] * 3
    figures = folder.figures()
    assert (figures["fetched"], figures["failed"]) == (1, {})
    first, second, third = small.moments("a.example")[1:]
    assert second - first >= 0.05  # the base
    assert third - second >= 0.2  # four times that


def test_a_page_that_stays_away_is_one_page_with_its_status(small: SmallWeb, folder: Folder) -> None:
    busy_for(small, "http://a.example/", 99)
    folder.run("http://a.example/", fetch={"retries": 1})
    assert small.asked() == ["http://a.example/"] * 2
    assert folder.figures()["fetched"] == 1
    with Reader(folder.root) as reader:
        assert [row.status for row in reader.pages()] == [503]


def test_retry_after_makes_that_host_rest_and_no_other(small: SmallWeb, folder: Folder) -> None:
    busy_for(small, "http://busy.example/", 1, {"Retry-After": "2"})
    small.page("http://busy.example/other")
    for number in range(10):
        small.page(f"http://free.example/{number}", f"/{number + 1}", seconds=0.02)
    folder.run("http://busy.example/", "http://busy.example/other", "http://free.example/0")
    asked = [(each.url, each.began) for each in small.log]
    began = dict(asked[::-1])  # the first time of each
    busy = [moment for url, moment in asked if url == "http://busy.example/"]
    assert busy[1] - busy[0] >= 2.0
    assert began["http://busy.example/other"] - busy[0] >= 2.0
    assert began["http://free.example/9"] < busy[1]


def test_a_host_that_never_answers_is_a_failure_and_others_are_crawled_meanwhile(
    small: SmallWeb, folder: Folder
) -> None:
    async def silent(request: web.BaseRequest) -> web.Response:
        await asyncio.sleep(60)
        return web.Response()

    small.answers["http://silent.example/"] = silent
    for number in range(6):
        small.page(f"http://free.example/{number}", f"/{number + 1}", seconds=0.02)
    folder.run(
        "http://silent.example/",
        "http://free.example/0",
        fetch={"first_byte_seconds": 2.0, "retries": 0},
        scope={"max_depth": 5},
    )
    assert folder.pages() == [f"http://free.example/{number}" for number in range(6)]
    failure = folder.failure("http://silent.example/")
    assert failure is not None
    assert failure[0] == "timeout"
    assert folder.figures()["failed"] == {"timeout": 1}
    asked_at = next(asked.began for asked in small.log if asked.url == "http://silent.example/")
    assert max(small.moments("free.example")) < asked_at + 2.0


# -- robots.txt and sitemaps


SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>"""


def sitemap(*urls: str) -> str:
    return SITEMAP.format("".join(f"<url><loc>{url}</loc></url>" for url in urls))


def test_a_sitemap_is_asked_before_the_pages_of_its_host_and_is_no_page(
    small: SmallWeb, folder: Folder
) -> None:
    small.robots("http://a.example", "Sitemap: http://a.example/map.xml")
    small.text(
        "http://a.example/map.xml", sitemap("http://a.example/deep", "http://b.example/"), "application/xml"
    )
    small.page("http://a.example/", "/linked")
    small.page("http://a.example/deep")
    small.page("http://a.example/linked")
    folder.run("http://a.example/", fetch={"concurrency": 1})
    assert small.asked()[:2] == ["http://a.example/map.xml", "http://a.example/"]
    assert set(folder.pages()) == {f"http://a.example/{name}" for name in ("", "deep", "linked")}
    assert folder.figures()["fetched"] == 3
    assert not small.moments("b.example")  # a sitemap speaks for its own site only


def test_a_sitemap_takes_nothing_from_the_pages_of_its_host(small: SmallWeb, folder: Folder) -> None:
    small.robots("http://a.example", "Sitemap: http://a.example/map.xml")
    small.text("http://a.example/map.xml", sitemap("http://a.example/1"), "application/xml")
    small.page("http://a.example/", "/1", "/2")
    for number in (1, 2):
        small.page(f"http://a.example/{number}")
    assert folder.run("http://a.example/", scope={"pages_per_host": 2}) == "hosts full"
    assert folder.figures()["fetched"] == 2


def test_a_sitemap_index_leads_to_sitemaps_and_a_circle_of_them_ends(small: SmallWeb, folder: Folder) -> None:
    index = SITEMAP.replace("urlset", "sitemapindex").format(
        "<sitemap><loc>http://a.example/index.xml</loc></sitemap>"
        "<sitemap><loc>http://a.example/map.xml</loc></sitemap>"
    )
    small.robots("http://a.example", "Sitemap: http://a.example/index.xml")
    small.text("http://a.example/index.xml", index, "application/xml")
    small.text("http://a.example/map.xml", sitemap("http://a.example/deep"), "application/xml")
    small.page("http://a.example/")
    small.page("http://a.example/deep")
    folder.run("http://a.example/")
    assert sorted(small.asked()) == [
        f"http://a.example/{name}" for name in ("", "deep", "index.xml", "map.xml")
    ]


def test_without_sitemaps_none_is_asked(small: SmallWeb, folder: Folder) -> None:
    small.robots("http://a.example", "Sitemap: http://a.example/map.xml")
    small.text("http://a.example/map.xml", sitemap("http://a.example/deep"), "application/xml")
    small.page("http://a.example/")
    folder.run("http://a.example/", fetch={"sitemaps": False})
    assert small.asked() == ["http://a.example/"]


def test_what_robots_txt_forbids_is_refused_and_never_asked(small: SmallWeb, folder: Folder) -> None:
    small.robots("http://a.example", "User-agent: *\nDisallow: /private")
    small.page("http://a.example/", "/private/x", "/open")
    small.page("http://a.example/open")
    folder.run("http://a.example/")
    assert sorted(small.asked()) == ["http://a.example/", "http://a.example/open"]
    assert folder.figures()["failed"] == {"robots": 1}


def test_the_hosts_own_crawl_delay_is_kept_and_remembered(small: SmallWeb, folder: Folder) -> None:
    small.robots("http://a.example", "User-agent: *\nCrawl-delay: 0.3")
    small.page("http://a.example/", "/1")
    small.page("http://a.example/1")
    small.page("http://a.example/2")
    folder.run("http://a.example/", stop={"pages": 2})
    folder.run("http://a.example/", "http://a.example/2", stop={"pages": 3})
    moments = small.moments("a.example")
    assert len(moments) == 4
    assert min(later - sooner for sooner, later in pairwise(moments)) >= 0.29
