"""A wall clock that jumps by a day, forth and back, while a crawl runs or between two runs.

Expected: delays, rests and retries follow the monotonic clock and are not affected. What is stored by the
wall clock stays sane: robots.txt may be fetched again, but is not kept for longer than a day
(tests/fetch/test_fetcher.py); a retry is not delayed for longer than was planned when the URL failed.
"""

import asyncio
import time
from itertools import count, pairwise

import pytest
from tests.hazards.hosts import Hosts, http, page

from homing.crawler.clock import WallClock

DAY = 86_400.0


def jump(patch: pytest.MonkeyPatch, *, every: float) -> None:
    """Let the wall clock be a day fast, right, and a day slow in turn, for ``every`` seconds each."""
    began = time.monotonic()

    def wall(clock: WallClock) -> float:
        turns = int((time.monotonic() - began) / every)
        return time.time() + (DAY, 0.0, -DAY, 0.0)[turns % 4]

    patch.setattr(WallClock, "wall", wall)


def test_delays_and_retries_do_not_notice_that_the_clock_jumps(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = [f"http://{name}.example/" for name in "ab"]
    for seed in seeds:
        hosts[seed] = page(*(f"/{number}" for number in range(8)))
        for number in range(8):
            hosts[f"{seed}{number}"] = page(title=f"{seed} {number}")
    hosts["http://b.example/robots.txt"] = http("User-agent: *\nCrawl-delay: 0.25", kind="text/plain")
    failures = count()

    async def stumble(writer: asyncio.StreamWriter) -> None:
        writer.write(http(status=503) if next(failures) < 2 else page())

    hosts["http://c.example/"] = stumble
    jump(monkeypatch, every=0.4)
    began = time.monotonic()
    again = {"retries": 2, "retry_base_seconds": 0.1, "allow_network": ["127.0.0.2"]}
    reason = hosts.crawl(*seeds, "http://c.example/", pace={"delay": 0.15}, fetch=again)
    assert reason == "frontier empty"
    assert time.monotonic() - began < 15  # a delay by the wall clock would have been a day
    assert len(hosts.pages()) == 2 * 9 + 1
    for host, delay in (("a.example", 0.15), ("b.example", 0.25), ("c.example", 0.15)):
        moments = [request.began for request in hosts.requests(host)]
        assert all(later - sooner >= delay for sooner, later in pairwise(moments))
    first, second, third = [each.began for each in hosts.requests("c.example") if "robots" not in each.url]
    assert 0.1 <= second - first < 2
    assert 0.4 <= third - second < 4


@pytest.mark.parametrize("shift", [DAY, -DAY])
def test_a_clock_that_was_set_between_two_runs_makes_nothing_wait_for_a_day(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch, shift: float
) -> None:
    answers = iter([http(status=503)])

    async def stumble(writer: asyncio.StreamWriter) -> None:
        writer.write(next(answers, page()))

    hosts["http://a.example/"] = stumble
    hosts["http://b.example/"] = page()
    seeds = ("http://a.example/", "http://b.example/")
    again = {"retries": 2, "retry_base_seconds": 0.6, "allow_network": ["127.0.0.2"], "concurrency": 1}
    assert hosts.crawl(*seeds, fetch=again, stop={"pages": 1}) == "pages"
    assert hosts.kind("http://a.example/") == "http"
    hosts.log.clear()
    monkeypatch.setattr(WallClock, "wall", lambda clock: time.time() + shift)
    began = time.monotonic()
    assert hosts.crawl(*seeds, fetch=again, seconds=10) == "frontier empty"
    assert hosts.requested() == ["http://a.example/"]
    waited = hosts.log[-1].began - began
    assert waited >= 0.6 if shift < 0 else waited < 5


def test_a_retry_after_date_is_capped_whatever_the_clock_says(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([http(status=503, Retry_After="Fri, 01 Jan 2100 00:00:00 GMT")])

    async def stumble(writer: asyncio.StreamWriter) -> None:
        writer.write(next(answers, page()))

    hosts["http://a.example/"] = stumble
    jump(monkeypatch, every=0.1)
    again = {"retries": 1, "allow_network": ["127.0.0.2"]}
    assert hosts.crawl("http://a.example/", fetch=again, pace={"retry_after_cap": 0.5}) == "frontier empty"
    assert list(hosts.pages()) == ["http://a.example/"]
