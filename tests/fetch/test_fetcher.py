"""The whole way of a URL. Covers ``fetcher``, ``robots``, ``redirects`` and ``settings``."""

import asyncio
import gzip
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from itertools import pairwise
from typing import Any

import pytest

from homing.crawler.clock import WallClock
from homing.fetch.fetcher import HttpFetcher
from homing.fetch.robots import Rules, rules_of
from homing.fetch.settings import Identity
from homing.model import Entry, Failure, Reply, RobotsRecord, Wait

Request = dict[str, str]
Serve = Callable[..., AbstractAsyncContextManager[tuple[int, list[Request]]]]
MakeFetcher = Callable[..., AbstractAsyncContextManager[HttpFetcher]]
MakeEntry = Callable[..., Entry]
Pages = Mapping[str, bytes]


def http(status: int = 200, body: bytes = b"page", **headers: str) -> bytes:
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = "\r\n".join([f"HTTP/1.1 {status} Some Reason", *lines, f"Content-Length: {len(body)}", "", ""])
    return head.encode() + body


def robots(text: str) -> dict[str, bytes]:
    return {"/robots.txt": http(body=text.encode(), Content_Type="text/plain")}


class Site:
    """One server with these pages, and a fetcher for it."""

    def __init__(self, serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry) -> None:
        self.serve, self.make_fetcher, self.entry = serve, make_fetcher, entry

    def fetch(
        self, pages: Pages, *wanted: str | tuple[str, dict[str, Any]], **options: Any
    ) -> tuple[list[Any], list[Request]]:
        """Fetch these paths one after the other; the outcomes, and the requests that the server got."""

        async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
            writer.write(pages.get(request["path"], http(404, b"")))

        async def go() -> tuple[list[Any], list[Request]]:
            outcomes = []
            async with self.serve(answer) as (port, requests), self.make_fetcher(**options) as fetcher:
                for it in wanted:
                    path, details = it if isinstance(it, tuple) else (it, {})
                    outcomes.append(
                        await fetcher.fetch(self.entry(f"http://127.0.0.1:{port}{path}", **details))
                    )
            return outcomes, requests

        return asyncio.run(go())


@pytest.fixture
def site(serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry) -> Site:
    return Site(serve, make_fetcher, entry)


def said(status: int, text: str = "", age: float = 60.0) -> Callable[[str], RobotsRecord]:
    """A catalog that remembers this robots.txt of every origin."""

    def load(origin: str) -> RobotsRecord:
        return RobotsRecord(origin=origin, status=status, text=text, fetched_at=time.time() - age)

    return load


FREE = {"load_robots": said(404)}


def paths(requests: list[Request]) -> list[str]:
    return [request["path"] for request in requests]


# --- robots.txt -------------------------------------------------------------------------------


def test_robots_txt_is_fetched_first_and_the_page_only_on_the_next_call(site: Site) -> None:
    text = "User-agent: *\nCrawl-delay: 3\nSitemap: /map.xml\n"
    (first, second), requests = site.fetch({**robots(text), "/a": http()}, "/a", "/a")
    assert isinstance(first, Wait)
    assert isinstance(second, Reply)
    assert paths(requests) == ["/robots.txt", "/a"]
    assert first.delay == 3.0
    assert first.robots is not None
    assert (first.robots.status, first.robots.text) == (200, text)
    assert first.sitemaps == (f"{first.robots.origin}/map.xml",)
    assert second.body == b"page"


def test_a_crawl_delay_is_capped_and_sitemaps_can_be_left_out(site: Site) -> None:
    text = "User-agent: *\nCrawl-delay: 86400\nSitemap: /map.xml\n"
    (wait,), _ = site.fetch(robots(text), "/", sitemaps=False)
    assert (wait.delay, wait.sitemaps) == (60.0, ())


def test_what_robots_txt_forbids_is_not_requested(site: Site) -> None:
    text = "User-agent: homing\nDisallow: /private\nUser-agent: *\nDisallow: /"
    outcomes, requests = site.fetch(robots(text) | {"/a": http()}, "/a", "/private/x", "/a")
    assert isinstance(outcomes[1], Failure)
    assert (outcomes[1].kind, outcomes[1].retry_in, outcomes[1].requested) == ("robots", None, False)
    assert isinstance(outcomes[2], Reply)
    assert paths(requests) == ["/robots.txt", "/a"]


def test_we_go_by_our_own_name_in_robots_txt(site: Site) -> None:
    text = "User-agent: plantbot\nDisallow: /\n"
    identity = Identity(user_agent="PlantBot/2.0", contact="https://plants.example/")
    outcomes, requests = site.fetch(robots(text), "/", "/", identity=identity)
    assert outcomes[1].kind == "robots"
    assert requests[0]["user-agent"] == "PlantBot/2.0 (+https://plants.example/)"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_no_robots_txt_allows_everything(site: Site, status: int) -> None:
    pages = {"/robots.txt": http(status, b"User-agent: *\nDisallow: /"), "/a": http()}
    (wait, reply), _ = site.fetch(pages, "/a", "/a")
    assert isinstance(wait, Wait)
    assert wait.robots is not None
    assert (wait.robots.status, wait.robots.text) == (status, "")
    assert isinstance(reply, Reply)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_robots_txt_that_cannot_be_had_now_closes_the_host_for_now(site: Site, status: int) -> None:
    outcomes, requests = site.fetch(
        {"/robots.txt": http(status)}, "/a", ("/a", {"tries": 1}), ("/a", {"tries": 2})
    )
    assert [(outcome.kind, outcome.retry_in, outcome.rest) for outcome in outcomes] == [
        ("robots", 30.0, 30.0),
        ("robots", 120.0, 120.0),
        ("robots", None, 480.0),
    ]
    assert paths(requests) == ["/robots.txt"] * 3


def test_a_robots_txt_may_say_when_to_come_back(site: Site) -> None:
    (failure,), _ = site.fetch({"/robots.txt": http(503, Retry_After="7200")}, "/a")
    assert (failure.kind, failure.retry_in, failure.rest) == ("robots", 3600.0, 3600.0)


def test_a_host_that_cannot_be_reached_for_robots_txt_says_why(site: Site) -> None:
    half = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Length: 90\r\n\r\n"
    (failure,), _ = site.fetch({"/robots.txt": half}, "/a")
    assert failure.kind == "protocol"
    assert failure.detail.startswith("robots.txt: ")


def redirects_to(count: int) -> dict[str, bytes]:
    """A robots.txt behind this number of redirects."""
    hops = ["/robots.txt", *(f"/hop/{number}" for number in range(1, count + 1))]
    return {here: http(302, b"", Location=there) for here, there in pairwise(hops)} | {
        hops[-1]: http(body=b"User-agent: *\nDisallow: /"),
    }


def test_robots_txt_is_found_behind_five_redirects_and_not_behind_six(site: Site) -> None:
    (_, found), requests = site.fetch(redirects_to(5), "/a", "/a")
    assert found.kind == "robots"
    assert len(requests) == 6
    (wait, free), requests = site.fetch({**redirects_to(6), "/a": http()}, "/a", "/a")
    assert isinstance(wait, Wait)
    assert isinstance(free, Reply)
    assert len(requests) == 7


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "data:text/plain,x", "javascript:x", "ftp://a/", "http://["]
)
def test_robots_txt_is_not_looked_for_where_no_request_can_be_sent(site: Site, location: str) -> None:
    (wait, reply), requests = site.fetch(
        {"/robots.txt": http(301, b"", Location=location), "/a": http()}, "/a", "/a"
    )
    assert isinstance(wait, Wait)
    assert isinstance(reply, Reply)
    assert len(requests) == 2


def test_the_delay_holds_between_the_redirects_of_robots_txt(site: Site) -> None:
    began = time.monotonic()
    site.fetch(redirects_to(2), "/a", limits={"delay": 0.1})
    assert time.monotonic() - began >= 0.2


def test_a_robots_txt_of_a_hundred_megabytes_is_cut(
    serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    async def endless(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /a\n")
        while not writer.is_closing():
            writer.write(b"# filling\n" * 10_000)
            await writer.drain()

    async def go() -> tuple[Any, Any]:
        async with serve(endless) as (port, _), make_fetcher() as fetcher:
            url = f"http://127.0.0.1:{port}/a"
            return await fetcher.fetch(entry(url)), await fetcher.fetch(entry(url))

    wait, refused = asyncio.run(go())
    assert isinstance(wait, Wait)
    assert wait.robots is not None
    assert 500 * 1024 <= len(wait.robots.text) <= 512 * 1024
    assert refused.kind == "robots"


@pytest.mark.parametrize(("count", "on_the_loop"), [(10, True), (15_000, False)])
def test_half_a_megabyte_of_rules_is_not_parsed_on_the_loop(
    site: Site, monkeypatch: pytest.MonkeyPatch, count: int, on_the_loop: bool
) -> None:
    threads = []

    def watched(record: RobotsRecord, product: str) -> Rules:
        threads.append(threading.current_thread())
        return rules_of(record, product)

    monkeypatch.setattr("homing.fetch.robots.rules_of", watched)
    text = "User-agent: *\n" + "".join(f"Disallow: /p{number}/*.html\n" for number in range(count))
    (wait,), _ = site.fetch(robots(text), "/")
    assert isinstance(wait, Wait)
    assert [thread is threading.main_thread() for thread in threads] == [on_the_loop]


def test_what_the_catalog_remembers_is_not_fetched_again(site: Site) -> None:
    load = said(200, "User-agent: *\nDisallow: /x")
    (reply, refused), requests = site.fetch({"/a": http()}, "/a", "/x", load_robots=load)
    assert isinstance(reply, Reply)
    assert refused.kind == "robots"
    assert paths(requests) == ["/a"]


@pytest.mark.parametrize("load", [said(404, age=25 * 3600), said(503), said(0)])
def test_what_the_catalog_remembers_of_yesterday_or_of_a_failure_does_not_count(
    site: Site, load: Any
) -> None:
    (wait,), requests = site.fetch({}, "/a", load_robots=load)
    assert isinstance(wait, Wait)
    assert paths(requests) == ["/robots.txt"]


class Sundial(WallClock):
    """A clock whose hands can be set, and hours that can be let pass."""

    passed = 0.0
    set_by = 0.0

    def now(self) -> float:
        return super().now() + self.passed

    def wall(self) -> float:
        return super().wall() + self.passed + self.set_by


@pytest.mark.parametrize("set_by", [0.0, -86_400.0, 3_600.0])
def test_rules_are_kept_for_a_day_at_most_whatever_the_clock_is_set_to(site: Site, set_by: float) -> None:
    clock = Sundial()
    hours = [0, 0, 22, 25, 25]

    async def go() -> list[type]:
        async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
            writer.write(http())

        async with site.serve(answer) as (port, _), site.make_fetcher(clock=clock) as fetcher:
            came = []
            for hour in hours:
                clock.passed = hour * 3600.0
                came.append(type(await fetcher.fetch(site.entry(f"http://127.0.0.1:{port}/"))))
                clock.set_by = set_by
            return came

    assert asyncio.run(go()) == [Wait, Reply, Reply, Wait, Reply]


# --- the request --------------------------------------------------------------------------------


def test_a_reply_tells_all_about_the_exchange(site: Site) -> None:
    before = time.time()
    (reply,), requests = site.fetch({"/a?b=c": http(X_One="1")}, "/a?b=c", **FREE)
    assert reply.url == reply.final_url
    assert (reply.status, reply.body, reply.truncated, reply.rest) == (200, b"page", "", None)
    assert reply.headers == (("X-One", "1"), ("Content-Length", "4"))
    assert before <= reply.requested_at <= time.time()
    assert 0 < reply.took < 5
    assert reply.address == "127.0.0.1"
    assert {name.lower(): value for name, value in reply.request} == {
        name: value for name, value in requests[0].items() if name not in ("path", "connection-number")
    }


def test_one_connection_serves_all_pages_of_a_host(site: Site) -> None:
    pages = {f"/{number}": http(body=bytes(30_000)) for number in range(20)}
    _, requests = site.fetch(pages, *pages, **FREE)
    assert {request["connection-number"] for request in requests} == {"1"}


def test_who_we_are_is_in_every_request(site: Site) -> None:
    identity = Identity(contact="me@example.org", headers={"Accept-Language": "de"})
    _, requests = site.fetch({}, "/a", "/a", identity=identity)
    for request in requests:
        assert request["user-agent"].startswith("homing/")
        assert request["user-agent"].endswith("(+me@example.org)")
        assert request["from"] == "me@example.org"
        assert request["accept-language"] == "de"


def test_cookies_are_never_sent_back(site: Site) -> None:
    _, requests = site.fetch({"/a": http(Set_Cookie="a=b; Path=/")}, "/a", "/a", **FREE)
    assert not any("cookie" in request for request in requests)


def test_credentials_go_to_trusted_origins_alone(
    serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(http())

    headers = {"Authorization": "Bearer x", "Cookie": "a=b", "X-Api-Key": "k", "Accept-Language": "de"}

    async def go() -> tuple[list[Request], list[Request]]:
        async with serve(answer) as (one, seen), serve(answer) as (two, unseen):
            identity = Identity(headers=headers, trusted=frozenset({f"http://127.0.0.1:{one}"}))
            async with make_fetcher(identity=identity, **FREE) as fetcher:
                for port in (one, two):
                    await fetcher.fetch(entry(f"http://127.0.0.1:{port}/"))
            return seen, unseen

    seen, unseen = asyncio.run(go())
    assert {name.lower(): value for name, value in headers.items()}.items() <= seen[0].items()
    assert not {"authorization", "cookie", "x-api-key"} & unseen[0].keys()
    assert unseen[0]["accept-language"] == "de"


def test_urls_are_sent_as_they_are_spelled(site: Site) -> None:
    odd = ["/a%2Fb", "/%7Cx|y", "/a;b=c?d=e+f%20g&h=%C3%A9", "/a//b", "/?a[]=1", "/'()*!$,:@"]
    _, requests = site.fetch({}, *odd, **FREE)
    assert paths(requests) == odd


def test_a_known_page_is_requested_conditionally(site: Site) -> None:
    validators = ('"abc"', "Mon, 01 Jan 2024 00:00:00 GMT")
    (reply,), requests = site.fetch({"/a": http(304, b"")}, ("/a", {"validators": validators}), **FREE)
    assert (requests[0]["if-none-match"], requests[0]["if-modified-since"]) == validators
    assert (reply.status, reply.body) == (304, b"")


def test_an_encoded_body_comes_decoded(site: Site) -> None:
    page = b"<p>page</p>" * 1_000
    answer = http(body=gzip.compress(page), Content_Encoding="gzip")
    (reply,), requests = site.fetch({"/a": answer}, "/a", **FREE)
    assert requests[0]["accept-encoding"] == "gzip, deflate, br, zstd"
    assert reply.body == page


def test_a_packed_sitemap_is_unpacked_and_a_packed_page_is_not(site: Site) -> None:
    packed = gzip.compress(b"<urlset/>")
    wanted = [("/map.xml.gz", {"kind": "sitemap"}), ("/map.xml.gz", {"kind": "page"})]
    (sitemap, page), _ = site.fetch({"/map.xml.gz": http(body=packed)}, *wanted, **FREE)
    assert sitemap.body == b"<urlset/>"
    assert page.body == packed


def test_a_cap_on_bytes_slows_us_and_is_not_held_against_the_host(site: Site) -> None:
    options = FREE | {"bytes_per_second": 1_000_000, "limits": {"total_seconds": 0.25, "grace_seconds": 0.1}}
    began = time.monotonic()
    replies, _ = site.fetch({"/a": http(body=bytes(300_000))}, "/a", "/a", "/a", **options)
    assert [len(reply.body) for reply in replies] == [300_000] * 3
    # The last page is paid for by the next request.
    assert time.monotonic() - began >= 0.6


# --- what a status means ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "location",
    ["/b", "http://elsewhere.example/", "file:///etc/passwd", "javascript:x", "data:,x", "ftp://a/b", ""],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_reply_and_not_followed(site: Site, status: int, location: str) -> None:
    (reply,), requests = site.fetch({"/a": http(status, b"", Location=location), "/b": http()}, "/a", **FREE)
    assert (reply.status, reply.header("location")) == (status, location)
    assert paths(requests) == ["/a"]


def test_a_redirect_to_another_spelling_of_the_same_url_is_followed(site: Site) -> None:
    pages = {"/~x": http(302, b"", Location="/%7Ex?utm_source=us#top"), "/%7Ex?utm_source=us": http()}
    (reply,), requests = site.fetch(pages, "/~x", **FREE)
    assert (reply.status, reply.url.endswith("/~x")) == (200, True)
    assert reply.final_url.endswith("/%7Ex?utm_source=us")
    assert len(requests) == 2


def test_a_redirect_to_the_very_same_url_is_not_followed_round_and_round(site: Site) -> None:
    pages = {
        "/a": http(302, b"", Location="/a#top"),
        "/b": http(302, b"", Location="http://me:pw@127.0.0.1/b"),
    }
    outcomes, requests = site.fetch(pages, "/a", "/b", **FREE)
    assert [outcome.status for outcome in outcomes] == [302, 302]
    assert paths(requests) == ["/a", "/b"]


def test_spellings_that_lead_to_each_other_are_left_after_a_few(site: Site) -> None:
    pages = {"/~a": http(302, b"", Location="/%7Ea"), "/%7Ea": http(302, b"", Location="/~a")}
    (reply,), requests = site.fetch(pages, "/~a", **FREE)
    assert reply.status == 302
    assert len(requests) <= 5


@pytest.mark.parametrize("status", [200, 204, 206, 400, 403, 404, 410, 418, 501, 505])
def test_most_statuses_are_final(site: Site, status: int) -> None:
    (reply,), _ = site.fetch({"/a": http(status, b"" if status == 204 else b"x")}, "/a", **FREE)
    assert reply.status == status
    assert reply.rest is None


def test_a_host_that_sends_too_much_rests_as_after_a_failure(site: Site) -> None:
    (reply,), _ = site.fetch({"/a": http(200, b"x" * 5_000)}, "/a", **FREE, limits={"max_bytes": 1_024})
    assert (reply.truncated, reply.rest) == ("length", 30.0)


def outcomes_by_tries(site: Site, answer: bytes) -> list[Any]:
    outcomes, _ = site.fetch({"/a": answer}, *(("/a", {"tries": tries}) for tries in range(3)), **FREE)
    return outcomes


@pytest.mark.parametrize("status", [500, 502, 503, 504, 520])
def test_errors_of_the_server_are_tried_again_with_growing_rests_and_then_taken(
    site: Site, status: int
) -> None:
    *early, last = outcomes_by_tries(site, http(status))
    assert [(it.kind, it.detail, it.retry_in, it.rest) for it in early] == [
        ("http", str(status), 30.0, None),
        ("http", str(status), 120.0, None),
    ]
    assert (last.status, last.body, last.rest) == (status, b"page", None)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("header", "rest"), [("90", 90.0), ("999999", 3600.0), ("0", 0.0)])
def test_a_host_that_says_when_to_come_back_is_left_alone_that_long(
    site: Site, status: int, header: str, rest: float
) -> None:
    *early, last = outcomes_by_tries(site, http(status, Retry_After=header))
    assert [(it.kind, it.detail, it.retry_in, it.rest) for it in early] == [
        ("http", str(status), rest, rest)
    ] * 2
    assert (last.status, last.rest) == (status, rest)


def test_too_many_requests_without_a_date_rest_the_host_anyway(site: Site) -> None:
    *early, last = outcomes_by_tries(site, http(429))
    assert [(it.retry_in, it.rest) for it in early] == [(30.0, 30.0), (120.0, 120.0)]
    assert (last.status, last.rest) == (429, 480.0)


def test_how_often_is_a_setting(site: Site) -> None:
    (reply,), _ = site.fetch({"/a": http(500)}, "/a", **FREE, limits={"retries": 0})
    assert reply.status == 500
    often = {"retries": 1, "retry_base_seconds": 2.0}
    (failure,), _ = site.fetch({"/a": http(500)}, "/a", **FREE, limits=often)
    assert failure.retry_in == 2.0
