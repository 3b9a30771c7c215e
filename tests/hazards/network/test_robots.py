"""robots.txt that fails, lies or floods, and hosts that complain of too many requests.

Expected, after RFC 9309: 5xx, a timeout and 429 close the host for now, other 4xx open it; a web page in
place of robots.txt forbids nothing; at least 500 KiB are parsed; rules are cached for a day at most;
Crawl-delay is respected up to a cap. After a 429 or 503 with Retry-After the host rests for that long, up to
a cap, and its delay is doubled. States one by one: tests/fetch/test_fetcher.py; groups and patterns:
tests/suites.
"""

import asyncio
import time
from itertools import pairwise

import pytest
from tests.hazards.hosts import Answer, Hosts, http, moved, page

from homing.store.views.reader import Reader

NO = "User-agent: *\nDisallow: /"


async def silence(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def flood(writer: asyncio.StreamWriter) -> None:
    """Write rules without end, the one that counts at 490 KiB."""
    writer.write(b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n" + b"# filling\n" * 49_000 + b"Disallow: /\n")
    while not writer.is_closing():
        writer.write(b"# filling\n" * 10_000)
        await writer.drain()


STATES: dict[str, tuple[Answer, str]] = {
    "error": (http(NO, 500), "robots"),
    "busy": (http(NO, 503), "robots"),
    "too-many": (http(NO, 429), "robots"),
    "silent": (silence, "timeout"),
    "missing": (http(NO, 404), ""),
    "forbidden": (http(NO, 403), ""),
    "gone": (http(NO, 410), ""),
    "web-page": (http(f"<!doctype html><p>{NO}</p>"), ""),
    "binary": (http(bytes(range(256)) * 100), ""),
    "mark": (http(b"\xef\xbb\xbf" + NO.encode(), kind="text/plain"), "robots"),
    "utf-16": (http(NO.encode("utf-16"), kind="text/plain"), "robots"),
    "moved": (moved("http://elsewhere.example/rules"), "robots"),
    "circle": (moved("/robots.txt"), ""),
    "flood": (flood, "robots"),
}


def test_the_state_of_robots_txt_decides_what_may_be_requested(hosts: Hosts) -> None:
    hosts["http://elsewhere.example/rules"] = http(NO, kind="text/plain")
    for name, (answer, _) in STATES.items():
        hosts[f"http://{name}.example/robots.txt"] = answer
        hosts[f"http://{name}.example/"] = page()
    urls = {name: f"http://{name}.example/" for name in STATES}
    hosts.crawl(*urls.values(), fetch={"first_byte_seconds": 1.0})
    assert {name: hosts.kind(url) for name, url in urls.items()} == {
        name: kind for name, (_, kind) in STATES.items()
    }
    allowed = {url for name, url in urls.items() if not STATES[name][1]}
    assert set(hosts.requested()) - {"http://elsewhere.example/rules"} == allowed


def test_a_host_whose_robots_txt_fails_is_requested_again_later(hosts: Hosts) -> None:
    answers = iter([http(status=503), http(status=500), http(status=404)])

    async def recover(writer: asyncio.StreamWriter) -> None:
        writer.write(next(answers))

    hosts["http://a.example/robots.txt"] = recover
    hosts["http://a.example/"] = page()
    hosts.crawl("http://a.example/", fetch={"retries": 2})
    assert list(hosts.pages()) == ["http://a.example/"]


def test_rules_are_kept_between_runs_for_a_day_at_most(hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    hosts["a.example"] = page()
    for number, day in enumerate([0, 0, 2]):
        with monkeypatch.context() as patch:
            if day:
                shift_clock(patch, day * 86_400.0)
            hosts.crawl(*(f"http://a.example/{seed}" for seed in range(number + 1)))
    assert hosts.requested(robots=True).count("http://a.example/robots.txt") == 2


def shift_clock(patch: pytest.MonkeyPatch, seconds: float) -> None:
    from homing.crawler.clock import WallClock

    patch.setattr(WallClock, "wall", lambda self: time.time() + seconds)


def test_a_crawl_delay_is_respected_up_to_the_cap(hosts: Hosts) -> None:
    hosts["http://slow.example/robots.txt"] = http("User-agent: *\nCrawl-delay: 86400", kind="text/plain")
    hosts["slow.example"] = page()
    hosts.crawl("http://slow.example/1", "http://slow.example/2", pace={"crawl_delay_cap": 0.3})
    gaps = [later.began - sooner.began for sooner, later in pairwise(hosts.requests("slow.example"))]
    assert len(gaps) == 2
    assert all(0.3 <= gap < 3 for gap in gaps)


@pytest.mark.parametrize(
    ("status", "retry_after", "rest"), [(429, "1", 1.0), (503, "1", 1.0), (429, "99999", 0.5)]
)
def test_a_host_that_complains_rests_as_long_as_it_says_and_its_delay_is_doubled(
    hosts: Hosts, status: int, retry_after: str, rest: float
) -> None:
    answers = iter([http(status=status, Retry_After=retry_after)])

    async def complain(writer: asyncio.StreamWriter) -> None:
        writer.write(next(answers, page()))

    hosts["http://a.example/1"] = complain
    hosts["a.example"] = page()
    cap = 0.5 if retry_after == "99999" else 3_600.0
    urls = [f"http://a.example/{number}" for number in range(1, 5)]
    hosts.crawl(*urls, pace={"delay": 0.1, "retry_after_cap": cap}, fetch={"retries": 1})
    moments = [request.began for request in hosts.requests("a.example")]
    robots, first, *later = moments
    assert first - robots >= 0.1
    assert later[0] - first >= rest
    assert min(after - before for before, after in pairwise(later)) >= 0.2
    assert len(hosts.pages()) == 4
    with Reader(hosts.folder) as reader:
        assert reader.figures()["failed"] == {}


def test_too_many_requests_without_a_date_rest_the_host_too(hosts: Hosts) -> None:
    answers = iter([http(status=429)])

    async def complain(writer: asyncio.StreamWriter) -> None:
        writer.write(next(answers, page()))

    hosts["http://a.example/1"] = complain
    hosts["http://a.example/2"] = page()
    hosts.crawl("http://a.example/1", "http://a.example/2", fetch={"retries": 1, "retry_base_seconds": 0.5})
    first, second = (request.began for request in hosts.requests("a.example")[1:3])
    assert second - first >= 0.5
