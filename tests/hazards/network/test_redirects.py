"""Redirects: to other schemes, in circles, without end, and with credentials or cookies.

Expected: file:, data:, ftp: and javascript: are recorded and not followed. There are at most 10 hops for a
page and 5 for robots.txt (tests/fetch/test_fetcher.py); each hop is guarded (test_addresses.py), scoped,
checked against robots.txt, and delayed. No cookies are kept. Headers are sent to the
origins that they were given for, whoever adds seeds later (tests/integration/test_credentials.py).
"""

from itertools import pairwise

import pytest
from tests.hazards.hosts import Hosts, http, moved, page


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "data:text/html,x", "javascript:alert(1)", "ftp://a/", "http://["]
)
def test_a_redirect_to_another_scheme_is_recorded_and_not_followed(hosts: Hosts, target: str) -> None:
    hosts["http://a.example/"] = moved(target)
    assert hosts.crawl("http://a.example/") == "frontier empty"
    failure = hosts.failure("http://a.example/")
    assert failure
    assert (failure.kind, failure.detail) == ("redirects", f"leads to {target}")


def test_redirects_in_a_circle_end(hosts: Hosts) -> None:
    hosts["http://a.example/loop"] = moved("/loop2")
    hosts["http://a.example/loop2"] = moved("/loop")
    hosts["http://a.example/self"] = moved("/self")
    assert hosts.crawl("http://a.example/loop", "http://a.example/self") == "frontier empty"
    assert sorted(hosts.requested()) == [f"http://a.example/{name}" for name in ("loop", "loop2", "self")]


def test_ten_redirects_in_a_row_are_followed_and_the_eleventh_is_not(hosts: Hosts) -> None:
    for number in range(20):
        hosts[f"http://a.example/chain/{number}"] = moved(f"/chain/{number + 1}")
    hosts["http://a.example/chain/20"] = page()
    hosts.crawl("http://a.example/chain/0")
    assert hosts.requested() == [f"http://a.example/chain/{number}" for number in range(11)]
    assert hosts.kind("http://a.example/chain/10") == "redirects"
    hosts.crawl("http://a.example/chain/0", "http://a.example/chain/11")
    assert list(hosts.pages()) == ["http://a.example/chain/20"]


def test_each_hop_is_scoped_checked_against_robots_txt_and_delayed(hosts: Hosts) -> None:
    hosts["http://no.example/robots.txt"] = http("User-agent: *\nDisallow: /private", kind="text/plain")
    hosts["http://a.example/"] = page("/robots-says-no", "/out-of-scope", "/1")
    hosts["http://a.example/robots-says-no"] = moved("http://no.example/private/x")
    hosts["http://a.example/out-of-scope"] = moved("http://blocked.example/")
    hosts["http://a.example/1"] = moved("/2")
    hosts["http://a.example/2"] = moved("/3")
    hosts["http://a.example/3"] = page()
    hosts.crawl("http://a.example/", pace={"delay": 0.15}, scope={"block": ["blocked.example"]})
    assert hosts.requested("no.example") == hosts.requested("blocked.example") == []
    assert hosts.kind("http://no.example/private/x") == "robots"
    moments = [request.began for request in hosts.requests("a.example")]
    assert len(moments) == 7
    assert min(later - sooner for sooner, later in pairwise(moments)) >= 0.149


def test_cookies_are_dropped_and_credentials_stay_with_the_origin_of_the_seed(hosts: Hosts) -> None:
    secrets = {"Authorization": "Basic c2VjcmV0", "Cookie": "session=secret", "Accept-Language": "de"}
    cookie = {"Set_Cookie": "taste=sweet; Path=/"}
    seed, other = "http://a.example/", "http://b.example/"
    other_port, other_name = "http://a.example:8080/", "http://www.a.example/"
    hosts[seed] = moved(other, **cookie)
    hosts[other] = moved(other_port, **cookie)
    hosts[other_port] = moved(other_name, **cookie)
    hosts[other_name] = moved("http://a.example/end", **cookie)
    hosts["http://a.example/end"] = page()
    hosts.crawl(seed, fetch={"headers": secrets})
    told = {request.url: request.headers for request in hosts.log}
    for url, headers in told.items():
        at_home = url.startswith("http://a.example/")
        assert headers["accept-language"] == "de"
        assert headers.get("authorization") == (secrets["Authorization"] if at_home else None), url
        assert headers.get("cookie") == (secrets["Cookie"] if at_home else None), url
    assert {seed, other, other_port, other_name, "http://a.example/end"} <= told.keys()
