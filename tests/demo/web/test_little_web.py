"""The little web: its contents, the same every time. Covers ``vocabulary`` to ``page_html``."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from homing.demo.web.answers import WebPage
from homing.demo.web.little_web import LittleWeb
from homing.demo.web.vocabulary import TOPICS


def is_html(page: WebPage) -> bool:
    return page.status == 200 and page.header("Content-Type").startswith("text/html")


def parse(page: WebPage) -> LexborHTMLParser:
    return LexborHTMLParser(page.body)


def links_in(page: WebPage) -> set[str]:
    """Where the links of a page lead, read from its HTML as a browser would."""
    tree = parse(page)
    base = tree.css_first("base")
    start = (base.attributes["href"] if base else None) or page.url
    found = set()
    for link in tree.css("a[href]"):
        url, _ = urldefrag(urljoin(start, link.attributes["href"] or ""))
        parts = urlsplit(url)
        assert parts.hostname
        found.add(parts._replace(netloc=parts.hostname).geturl())
    return found


def digest(web: LittleWeb) -> str:
    whole = hashlib.sha256()
    for url, page in web.pages.items():
        whole.update(f"{url} {page.status} {page.headers} {page.topic} {page.is_target}\n".encode())
        whole.update(page.body)
    return whole.hexdigest()


def test_the_same_seed_gives_the_same_bytes(web: LittleWeb) -> None:
    assert digest(LittleWeb(seed=1)) == digest(web)


def test_pages_are_the_same_in_whatever_order_they_are_asked_for(web: LittleWeb) -> None:
    urls = list(web.pages)[::-7]
    other = LittleWeb(seed=1)
    assert [other.pages[url].body for url in urls] == [web.pages[url].body for url in urls]


def test_another_seed_gives_another_web(web: LittleWeb) -> None:
    assert not LittleWeb(seed=2).targets & web.targets


def test_it_has_the_promised_size(web: LittleWeb) -> None:
    planned = [web.pages[url] for url in web.distances()]
    assert len(planned) == 1500
    assert len(web.hosts) == 40
    assert all(host.endswith(".example") for host in web.hosts)
    assert len(web.targets) == 90
    assert {page.topic for page in planned} - {""} == set(TOPICS)


def test_targets_are_the_pages_that_say_so(web: LittleWeb) -> None:
    assert {page.url for page in web.pages.values() if page.is_target} == web.targets
    assert all(web.pages[url].topic == web.topic == "butterfly gardening" for url in web.targets)


@pytest.mark.parametrize("seed", range(1, 9))
def test_every_page_can_be_reached_and_targets_are_three_to_seven_hops_away(seed: int) -> None:
    web = LittleWeb(seed)
    hops = web.distances()
    assert len(hops) == 1500
    assert hops[web.seeds[0]] == 0
    assert {hops[url] for url in web.targets} <= {3, 4, 5, 6, 7}
    deep = sum(hops[url] >= 5 for url in web.targets)
    assert deep >= len(web.targets) / 3


def test_targets_are_on_sites_of_their_own_and_strewn_over_others(web: LittleWeb) -> None:
    hosts = [urlsplit(url).hostname for url in web.targets]
    own = [host for host in set(hosts) if hosts.count(host) >= 10]
    assert len(own) == 3
    assert len(set(hosts)) >= 12
    assert 0.4 < sum(host in own for host in hosts) / len(hosts) < 0.6


def test_the_directory_names_no_site_on_the_topic(web: LittleWeb) -> None:
    portal = urlsplit(web.seeds[0]).hostname
    shelves = [url for url in web.links(web.seeds[0]) if urlsplit(url).hostname == portal]
    named = {link for shelf in shelves for link in web.links(shelf)}
    assert named
    assert all(web.pages[url].topic != web.topic for url in named)


def test_links_are_those_of_the_html(web: LittleWeb) -> None:
    for url in web.distances():
        assert links_in(web.pages[url]) == set(web.links(url)), url


def test_a_page_is_whole_html(web: LittleWeb) -> None:
    for url in web.distances():
        page = web.pages[url]
        tree = parse(page)
        assert page.body.removeprefix(b"\xef\xbb\xbf").startswith(b"<!DOCTYPE html>")
        assert tree.css_matches('html[lang="en"]')
        assert len(tree.css("h1")) == len(tree.css("title")) == len(tree.css('meta[name="description"]')) == 1
        assert tree.css("p")
        assert 1_500 < len(page.body) < 16_000


def test_articles_are_long_enough_to_be_read(web: LittleWeb) -> None:
    for url in web.targets:
        text = " ".join(node.text() for node in parse(web.pages[url]).css("p"))
        assert text.lower().count("butterfl") >= 2
        assert len(text.split()) > 200


def test_some_pages_mention_the_topic_and_are_about_something_else(web: LittleWeb) -> None:
    misleading = [
        url
        for url, page in web.pages.items()
        if page.topic in ("astronomy", "bicycles", "bread baking") and b"utterfly" in page.body
    ]
    assert len(misleading) >= 10
    assert any("butterfly" in url for url in misleading)


def test_most_anchors_tell_where_they_lead_but_not_all(web: LittleWeb) -> None:
    anchors = [
        (link.text().strip(), link.css_first("img"))
        for url in web.targets
        for link in parse(web.pages[next(iter(web.links(url)))]).css("a")
    ]
    vague = sum(
        words in ("read more", "more …", "continue", "go on reading", "details") for words, _ in anchors
    )
    pictures = sum(image is not None for _, image in anchors)
    assert 0 < vague < len(anchors) / 5
    assert 0 < pictures < len(anchors) / 3


def test_unknown_addresses_and_hosts_get_a_404(web: LittleWeb) -> None:
    assert web.answer(web.hosts[3], "/no/such/page").status == 404
    assert web.answer("nowhere.example", "/").status == 404
    assert f"http://{web.hosts[3]}/no/such/page" not in web.pages


def test_a_large_web_is_cheap_until_it_is_read() -> None:
    large = LittleWeb(seed=3, pages=20_000, hosts=600)
    assert len(set(large.hosts)) == 600
    assert len(large.targets) == 1200
    page = large.pages[max(large.targets)]
    assert page.is_target
    assert links_in(page) == set(large.links(page.url))


def test_a_small_web_is_whole_too() -> None:
    small = LittleWeb(seed=5, pages=120, hosts=8)
    hops = small.distances()
    assert len(hops) == 120
    assert small.targets <= set(hops)


def test_another_topic_can_be_the_one_to_look_for() -> None:
    web = LittleWeb(seed=1, topics=("chess", "astronomy", "sailing", "local history"), pages=400, hosts=12)
    assert web.topic == "chess"
    assert all(web.pages[url].topic == "chess" for url in web.targets)
    assert min(web.distances()[url] for url in web.targets) >= 3


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"pages": 100, "hosts": 40}, "100 pages are too few for 40 hosts"),
        ({"hosts": 3}, "at least 6 hosts"),
        ({"topics": ("chess",)}, "2 topics"),
        ({"topics": ("chess", "knitting")}, 'no words for the topic "knitting"'),
    ],
)
def test_a_web_that_cannot_be_is_refused(arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        LittleWeb(**arguments)
