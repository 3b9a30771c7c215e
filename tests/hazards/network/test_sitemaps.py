"""Sitemaps and feeds as weapons: entity bombs, external entities, index loops, a million entries, gzip bombs.

Expected: entities are refused and no request is made for them; sitemaps of an index are read, but none that
these name; at most 50,000 URLs and 50 MB are read of a file, and there is a cap for each site. The XML
itself: tests/parse/test_xml.py, tests/parse/test_sitemaps.py.
"""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hazards.hosts import INSIDE, Hosts, http, page

from homing.crawler.traps import sitemap_quota as quota
from homing.parse.sitemaps import MAX_URLS

ORIGIN = "http://a.example"

IS_ALONE = "PYTEST_XDIST_WORKER" not in os.environ
"""The process runs this test and no others."""


def name_sitemaps(hosts: Hosts, *paths: str) -> None:
    hosts[f"{ORIGIN}/robots.txt"] = http("".join(f"Sitemap: {path}\n" for path in paths), kind="text/plain")
    hosts[f"{ORIGIN}/"] = page()


def urlset(*urls: str, doctype: str = "") -> bytes:
    return f"{doctype}<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


def index(*urls: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return http(f"<sitemapindex>{entries}</sitemapindex>", kind="application/xml")


def test_entities_are_refused_and_nothing_is_requested_for_them(hosts: Hosts) -> None:
    outside = f"http://{INSIDE}:{hosts.port}/x"
    lols = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    doctypes = [
        f'<!DOCTYPE x [<!ENTITY l0 "http://a.example/lol">{lols}]>',
        '<!DOCTYPE x [<!ENTITY l11 SYSTEM "file:///etc/passwd">]>',
        f'<!DOCTYPE x [<!ENTITY l11 SYSTEM "{outside}">]>',
        f'<!DOCTYPE x [<!ENTITY % p SYSTEM "{outside}"> %p;]>',
        f'<!DOCTYPE x SYSTEM "{outside}" [<!ENTITY l11 "x">]>',
    ]
    names = [f"/{number}.xml" for number in range(len(doctypes))]
    name_sitemaps(hosts, *names)
    feeds = [f"{ORIGIN}/feed{number}" for number in range(len(doctypes))]
    for name, feed, doctype in zip(names, feeds, doctypes, strict=True):
        hosts[ORIGIN + name] = http(urlset("http://a.example/&l11;", doctype=doctype), kind="text/xml")
        item = "<item><title>&l11;</title><link>http://a.example/&l11;</link></item>"
        body = f"{doctype}<rss><channel>{item}</channel></rss>"
        hosts[feed] = http(body, kind="application/rss+xml")
    hosts.crawl(f"{ORIGIN}/", *feeds)
    assert set(hosts.requested()) == {f"{ORIGIN}/", *feeds, *(ORIGIN + name for name in names)}
    assert {hosts.pages()[feed].title for feed in feeds} == {""}


def test_an_index_leads_to_what_it_lists_and_no_further(hosts: Hosts) -> None:
    name_sitemaps(hosts, "/index.xml")
    hosts[f"{ORIGIN}/index.xml"] = index(
        *(f"{ORIGIN}/{name}" for name in ("index.xml", "map.xml", "second.xml"))
    )
    hosts[f"{ORIGIN}/second.xml"] = index(f"{ORIGIN}/index.xml", f"{ORIGIN}/third.xml")
    hosts[f"{ORIGIN}/map.xml"] = http(urlset(f"{ORIGIN}/deep"), kind="text/xml")
    assert hosts.crawl(f"{ORIGIN}/") == "frontier empty"
    assert sorted(hosts.requested()) == [
        f"{ORIGIN}/{name}" for name in ("", "deep", "index.xml", "map.xml", "second.xml")
    ]


def test_robots_txt_of_one_host_after_another_is_no_way_around_it(hosts: Hosts) -> None:
    for number in range(10):
        line = f"Sitemap: http://h{number + 1}.a.example/map.xml"
        hosts[f"http://h{number}.a.example/robots.txt"] = http(line, kind="text/plain")
    hosts.crawl("http://h0.a.example/")
    assert len(hosts.requested()) == 3


def test_a_site_may_name_a_hundred_sitemaps(hosts: Hosts) -> None:
    name_sitemaps(hosts, "/index.xml")
    hosts[f"{ORIGIN}/index.xml"] = index(*(f"{ORIGIN}/{number}.xml" for number in range(1_000)))
    hosts.crawl(f"{ORIGIN}/")
    assert len(hosts.requested()) == 1 + quota.MAX_FILES


def test_a_million_entries_are_cut_at_the_limit_of_a_file(hosts: Hosts) -> None:
    name_sitemaps(hosts, "/map.xml")
    entries = b"".join(b"<url><loc>http://a.example/%d</loc></url>" % number for number in range(1_000_000))
    hosts[f"{ORIGIN}/map.xml"] = http(gzip.compress(b"<urlset>" + entries, 1), kind="text/xml")
    hosts.crawl(f"{ORIGIN}/", stop={"pages": 1})
    assert hosts.known() == MAX_URLS + 2
    assert hosts.longest_stall < 0.1 or not IS_ALONE


def test_a_million_entries_stall_no_crawl_in_a_process_of_its_own() -> None:
    """The heap that thousands of other tests leave makes the same work take five times as long."""
    test = f"{__file__}::{test_a_million_entries_are_cut_at_the_limit_of_a_file.__name__}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", test]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[3], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout


def test_all_sitemaps_of_a_site_together_have_a_limit(hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quota.SitemapQuota.__init__, "__kwdefaults__", {"max_files": 100, "max_urls": 25})
    name_sitemaps(hosts, "/1.xml", "/2.xml", "/3.xml")
    for name in "123":
        urls = (f"{ORIGIN}/{name}/{number}" for number in range(10))
        hosts[f"{ORIGIN}/{name}.xml"] = http(urlset(*urls), kind="text/xml")
    hosts.crawl(f"{ORIGIN}/")
    assert hosts.known() == 1 + 3 + 25


def test_a_packed_bomb_in_place_of_a_sitemap_is_cut(hosts: Hosts) -> None:
    name_sitemaps(hosts, "/map.xml.gz")
    bomb = gzip.compress(b"<urlset>" + b" " * 100_000_000, 1)
    hosts[f"{ORIGIN}/map.xml.gz"] = http(bomb, kind="application/gzip")
    assert hosts.crawl(f"{ORIGIN}/") == "frontier empty"
    assert hosts.known() == 2
    assert hosts.longest_stall < 0.1
