"""Addresses that are not public, wherever they come from, and names that change after the check.

Expected: one guarded connector for every connection. It resolves, unmaps, checks, and connects to exactly the
address it has checked; a refused address is a failure, and ``--allow-network`` opens a range. The fixture
asserts after every test that nothing connected to the canary at 127.0.0.1. Every kind of address:
tests/fetch/test_address_guard.py.
"""

import pytest
from tests.hazards.hosts import INSIDE, Hosts, http, moved, page

SPELLINGS = (
    "127.0.0.1 0x7f.1 2130706433 017700000001 127.1 0.0.0.0 [::ffff:127.0.0.1] [::127.0.0.1] inside.example"
).split()
NEVER = "169.254.169.254 [fd00:ec2::254] 100.64.0.1 10.0.0.1 192.168.0.1 [fe80::1] metadata.example".split()


@pytest.fixture
def inside(hosts: Hosts) -> list[str]:
    """URLs of the canary, and of addresses that are on no network of ours."""
    hosts.names.elsewhere |= {"inside.example": [INSIDE], "metadata.example": ["169.254.169.254"]}
    return [f"http://{host}:{hosts.port}/" for host in SPELLINGS + NEVER]


def test_seeds_inside_are_refused(hosts: Hosts, inside: list[str]) -> None:
    hosts["http://good.example/"] = page()
    assert hosts.crawl(*inside, "http://good.example/") == "frontier empty"
    assert {hosts.kind(url) for url in inside} == {"address"}
    assert list(hosts.pages()) == ["http://good.example/"]


def test_links_to_the_inside_are_refused(hosts: Hosts, inside: list[str]) -> None:
    hosts["http://bad.example/"] = page(*inside)
    hosts.crawl("http://bad.example/")
    assert {hosts.kind(url) for url in inside} == {"address"}


def test_redirects_to_the_inside_are_refused(hosts: Hosts, inside: list[str]) -> None:
    ways = [f"http://bad.example/{number}" for number in range(len(inside))]
    for way, target in zip(ways, inside, strict=True):
        hosts[way] = moved(target)
    hosts.crawl(*ways)
    assert {hosts.kind(url) for url in inside} == {"address"}
    assert hosts.requested("bad.example") == ways


def test_a_robots_txt_that_redirects_to_the_inside_closes_its_host(hosts: Hosts, inside: list[str]) -> None:
    for number, target in enumerate(inside):
        hosts[f"http://bad{number}.example/robots.txt"] = moved(target)
    seeds = [f"http://bad{number}.example/" for number in range(len(inside))]
    hosts.crawl(*seeds)
    assert {hosts.kind(url) for url in seeds} == {"address"}
    assert hosts.requested() == []


def test_sitemaps_that_lie_inside_or_lead_there_are_not_requested(hosts: Hosts, inside: list[str]) -> None:
    ours = [f"http://bad.example/{number}.xml" for number in range(len(inside))]
    lines = "".join(f"Sitemap: {url}\n" for url in [*inside, *ours])
    hosts["http://bad.example/robots.txt"] = http(lines, kind="text/plain")
    for url, target in zip(ours, inside, strict=True):
        hosts[url] = moved(target)
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in inside)
    hosts["http://bad.example/"] = http(f"<urlset>{entries}</urlset>", kind="application/xml")
    hosts.crawl("http://bad.example/")
    assert set(hosts.requested()) == {"http://bad.example/", *ours}


def test_the_inside_is_not_requested_from_a_proxy(hosts: Hosts) -> None:
    hosts["http://good.example/"] = page(f"http://{INSIDE}:{hosts.port}/", "http://localhost/")
    hosts.crawl("http://good.example/", fetch={"proxy": f"http://127.0.0.2:{hosts.port}"})
    assert hosts.requested() == ["http://good.example/"]
    assert hosts.kind(f"http://{INSIDE}:{hosts.port}/") == hosts.kind("http://localhost/") == "address"


def test_a_name_that_moves_inside_after_the_check_gains_nothing(hosts: Hosts) -> None:
    hosts.names.elsewhere["rebind.example"] = ["127.0.0.2", INSIDE]
    hosts["rebind.example"] = http("<title>x</title>", Connection="close")
    hosts.crawl("http://rebind.example/1", "http://rebind.example/2")
    assert hosts.requested() == ["http://rebind.example/1", "http://rebind.example/2"]


def test_a_name_that_moves_inside_is_refused_once_it_is_resolved_again(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homing.fetch.exchange._DNS_TTL", 0)
    hosts.names.elsewhere["rebind.example"] = ["127.0.0.2", "127.0.0.2", INSIDE]
    hosts["rebind.example"] = http("<title>x</title>", Connection="close")
    hosts.crawl("http://rebind.example/1", "http://rebind.example/2")
    assert hosts.requested() == ["http://rebind.example/1"]
    assert hosts.kind("http://rebind.example/2") == "address"
