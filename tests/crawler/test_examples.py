"""Single pages from the web: as polite as a crawl, and soon over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from homing.config import Config
from homing.crawler.examples import fetch_pages
from homing.model import Failure, Reply
from homing.topic.sources import Fetched

if TYPE_CHECKING:
    from tests.crawler.conftest import Serve, SmallWeb

A = "http://a.example"


class ExampleFetch:
    """Fetches pages of a small web that is served meanwhile."""

    def __init__(self, small: SmallWeb, serve: Serve) -> None:
        self._small = small
        self._serve = serve

    def fetch(self, *urls: str, rest: bool = False, **sections: Mapping[str, object]) -> Fetched:
        async def run() -> Fetched:
            async with self._serve(self._small):
                base: dict[str, dict[str, object]] = {
                    "fetch": {"connect_to": self._small.address},
                    "pace": {"delay": 0.0},
                }
                config = Config.of(base).merged(sections)
                return await asyncio.wait_for(fetch_pages(urls, config, rest=rest), 20)

        return asyncio.run(run())

    def detail(self, url: str, **sections: Mapping[str, object]) -> tuple[str, str]:
        """Why a page did not come."""
        answer = self.fetch(url, rest=False, **sections)[url]
        assert isinstance(answer, Failure)
        return answer.kind, answer.detail


@pytest.fixture
def examples(small: SmallWeb, serve: Serve) -> ExampleFetch:
    return ExampleFetch(small, serve)


def test_robots_txt_is_asked_first_and_heeded(small: SmallWeb, examples: ExampleFetch) -> None:
    small.robots(A, "User-agent: *\nDisallow: /private")
    small.page(f"{A}/open", text="moths")
    small.page(f"{A}/private/x", text="secret")
    answers = examples.fetch(f"{A}/open", f"{A}/private/x")
    assert isinstance(answers[f"{A}/open"], Reply)
    refused = answers[f"{A}/private/x"]
    assert isinstance(refused, Failure)
    assert "robots.txt disallows it" in refused.detail
    assert [asked.url for asked in small.log] == [f"{A}/robots.txt", f"{A}/open"]


def test_a_host_has_its_delay_between_two_requests_and_hosts_do_not_wait_for_each_other(
    small: SmallWeb, examples: ExampleFetch
) -> None:
    small.robots("http://b.example", "User-agent: *\nCrawl-delay: 0.3")
    for url in (f"{A}/1", f"{A}/2", "http://b.example/1", "http://b.example/2"):
        small.page(url, seconds=0.05)
    examples.fetch(*small.answers.keys() - {"http://b.example/robots.txt"}, pace={"delay": 0.1})
    for host, delay in (("a.example", 0.1), ("b.example", 0.3)):
        moments = small.moments(host)
        assert len(moments) == 3
        assert min(later - sooner for sooner, later in pairwise(moments)) >= delay
    one, other = small.moments("a.example"), small.moments("b.example")
    assert other[0] < one[-1] < other[-1], "both at once, each at its own pace"


def test_whoever_asks_next_finds_the_hosts_rested(small: SmallWeb, examples: ExampleFetch) -> None:
    small.page(f"{A}/1")
    began = time.monotonic()
    examples.fetch(f"{A}/1", rest=True, pace={"delay": 0.2})
    assert time.monotonic() - began >= 0.4
    began = time.monotonic()
    examples.fetch(f"{A}/none", rest=True, pace={"delay": 0.6})
    assert time.monotonic() - began < 1.2, "after a failure nobody will ask"


def test_redirects_are_followed_under_the_rules_of_each_host(small: SmallWeb, examples: ExampleFetch) -> None:
    small.robots("http://b.example", "User-agent: *\nDisallow: /no")
    small.redirect(f"{A}/1", "http://b.example/2")
    small.redirect("http://b.example/2", "/3")
    small.page("http://b.example/3", text="moths")
    small.redirect(f"{A}/4", "http://b.example/no")
    answer = examples.fetch(f"{A}/1")[f"{A}/1"]
    assert isinstance(answer, Reply)
    assert answer.final_url == "http://b.example/3"
    assert examples.detail(f"{A}/4")[0] == "robots"


def test_a_redirect_that_leads_nowhere_is_given_up(small: SmallWeb, examples: ExampleFetch) -> None:
    small.redirect(f"{A}/loop", "/loop2")
    small.redirect(f"{A}/loop2", "/loop")
    small.redirect(f"{A}/file", "file:///etc/passwd")
    assert examples.detail(f"{A}/loop") == ("redirects", "they go round and round")
    assert examples.detail(f"{A}/file") == ("redirects", "leads to file:///etc/passwd")


def test_an_error_status_is_no_page(examples: ExampleFetch) -> None:
    assert examples.detail(f"{A}/none") == ("http", "the host answered 404")


def test_what_may_pass_is_tried_once_more(small: SmallWeb, examples: ExampleFetch) -> None:
    answers = iter([503, 200])

    async def recover(request: web.BaseRequest) -> web.Response:
        return web.Response(status=next(answers), text="moths")

    small.answers[f"{A}/1"] = recover
    again = {"retry_base_seconds": 0.05}
    assert isinstance(examples.fetch(f"{A}/1", fetch=again)[f"{A}/1"], Reply)
    small.page(f"{A}/2", status=503)
    assert examples.detail(f"{A}/2", fetch=again) == ("http", "the host answered 503")
    assert small.asked().count(f"{A}/2") == 2


def test_a_host_that_asks_for_an_hour_is_not_waited_for(small: SmallWeb, examples: ExampleFetch) -> None:
    for url in (f"{A}/1", f"{A}/2"):
        small.page(url, status=429, headers={"Retry-After": "3600"})
    answers = examples.fetch(f"{A}/1", f"{A}/2").values()
    kinds = sorted(answer.kind for answer in answers if isinstance(answer, Failure))
    assert kinds == ["busy", "http"]
    assert len(small.asked()) == 1


def test_private_addresses_are_refused_without_a_request(examples: ExampleFetch) -> None:
    kind, _ = examples.detail("http://127.0.0.1:9/", fetch={"connect_to": ""})
    assert kind == "address"


def test_a_url_is_fetched_once_however_often_it_is_named(small: SmallWeb, examples: ExampleFetch) -> None:
    small.page(f"{A}/1")
    assert len(examples.fetch(f"{A}/1", f"{A}/1")) == 1
    assert small.asked() == [f"{A}/1"]
