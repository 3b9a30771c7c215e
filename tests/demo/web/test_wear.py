"""Difficulties of the little web: ``wear``, ``wellknown``, ``extras``, ``traps``, and encodings."""

from __future__ import annotations

import gzip
import html
import xml.etree.ElementTree as ET
from urllib.parse import urlsplit

import pytest
from protego import Protego
from selectolax.lexbor import LexborHTMLParser

from homing.demo.web.answers import WebPage
from homing.demo.web.little_web import LittleWeb

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def ask(web: LittleWeb, url: str) -> WebPage:
    parts = urlsplit(url)
    assert parts.hostname
    return web.answer(parts.hostname, parts.path + (f"?{parts.query}" if parts.query else ""))


def robots(web: LittleWeb) -> dict[str, Protego]:
    answers = {host: web.answer(host, "/robots.txt") for host in web.hosts}
    return {host: Protego.parse(page.body.decode()) for host, page in answers.items() if page.status == 200}


def follow(web: LittleWeb, url: str) -> list[str]:
    way = [url]
    while (page := ask(web, way[-1])).status in (301, 302) and len(way) < 12:
        way.append(page.header("Location"))
    return way


def linked(web: LittleWeb) -> dict[str, str]:
    """Every address that some page links to, with one such page."""
    return {link: url for url in web.distances() for link in web.links(url)}


def test_one_host_has_no_robots_txt_and_one_wants_a_delay(web: LittleWeb) -> None:
    rules = robots(web)
    assert len(rules) == len(web.hosts) - 1
    delays = {host: delay for host, rule in rules.items() if (delay := rule.crawl_delay("homing"))}
    assert list(delays.values()) == [1.0]
    (slow,) = delays
    assert sum(urlsplit(url).hostname == slow for url in web.distances()) < 10


def test_private_pages_exist_and_are_linked_but_closed(web: LittleWeb) -> None:
    rules = robots(web)
    closed = [url for url in web.pages if "/private/" in url]
    assert len(closed) == 8
    assert set(closed) <= set(linked(web))
    for url in closed:
        host = urlsplit(url).hostname
        assert host
        assert ask(web, url).status == 200
        assert not rules[host].can_fetch(url, "homing")
        assert rules[host].can_fetch(f"http://{host}/", "homing")


@pytest.mark.parametrize("seed", range(2, 8))
def test_rules_and_sitemaps_are_never_on_the_host_without_robots_txt(seed: int) -> None:
    web = LittleWeb(seed)
    rules = robots(web)
    assert len([sitemap for rule in rules.values() for sitemap in rule.sitemaps]) == 2
    assert {urlsplit(url).hostname for url in web.pages if "/private/" in url} <= set(rules)


def test_sitemaps_are_named_by_robots_txt_and_list_pages(web: LittleWeb) -> None:
    named = [sitemap for rule in robots(web).values() for sitemap in rule.sitemaps]
    assert len(named) == 2
    listed: set[str] = set()
    kinds = []
    while named:
        page = ask(web, named.pop())
        body = gzip.decompress(page.body) if page.url.endswith(".gz") else page.body
        root = ET.fromstring(body)
        kinds.append((root.tag.removeprefix(SITEMAP), page.url.rpartition(".")[2]))
        places = [place.text or "" for place in root.iter(f"{SITEMAP}loc")]
        if root.tag == f"{SITEMAP}sitemapindex":
            named += places
        else:
            listed |= set(places)
    assert sorted(kinds) == [("sitemapindex", "xml"), ("urlset", "gz"), ("urlset", "xml"), ("urlset", "xml")]
    assert all(ask(web, url).status == 200 for url in listed)
    orphans = listed - set(web.distances())
    assert len(orphans) == 2
    assert not orphans & set(linked(web))


def test_moved_pages_redirect_and_are_still_linked_at_their_old_address(web: LittleWeb) -> None:
    used = linked(web)
    moved = [url for url in web.pages if "/old/" in url]
    assert len(moved) >= 15
    assert sum(url in used for url in moved) >= len(moved) / 2
    for url in moved:
        assert ask(web, url).status == 301
        end = follow(web, url)[-1]
        assert end in web.distances()
        assert ask(web, end).status == 200


def test_one_redirect_chain_ends_and_one_goes_round(web: LittleWeb) -> None:
    used = linked(web)
    chains = [follow(web, url) for url in used if "/go/" in url]
    assert [len(chain) for chain in chains] == [4]
    assert ask(web, chains[0][-1]).status == 200
    loops = [follow(web, url) for url in used if "/round/" in url]
    assert [len(loop) for loop in loops] == [12]
    assert len(set(loops[0])) == 2


def test_dead_links_are_404_and_410_and_one_host_fails_now_and_then(web: LittleWeb) -> None:
    statuses: dict[int, list[str]] = {}
    for url in linked(web):
        statuses.setdefault(ask(web, url).status, []).append(url)
    assert len(statuses[404]) >= 20
    assert len(statuses[410]) >= 5
    failing = statuses[500]
    assert len({urlsplit(url).hostname for url in failing}) == 1
    assert [ask(web, url).status for url in failing] == [500] * len(failing)
    assert any("/gallery/" in url for url in statuses[200])


def test_the_calendar_never_ends_and_the_shop_knows_nobody_twice(web: LittleWeb) -> None:
    used = linked(web)
    (calendar,) = (url for url in used if "/calendar/" in url)
    (shop,) = (url for url in used if url.endswith("/shop/"))
    month = calendar
    for _ in range(30):
        page = ask(web, month)
        assert page.status == 200
        tree = LexborHTMLParser(page.body)
        (further,) = (link for link in tree.css("a") if link.text() == "next month")
        month = month.partition("/calendar/")[0] + "/calendar/" + (further.attributes["href"] or "")[-7:]
    assert month.endswith("/calendar/2028/07")
    root = shop.removesuffix("/shop/")
    seen = {shop}
    waiting = [shop]
    for _ in range(20):
        page = ask(web, waiting.pop(0))
        assert page.status == 200
        for link in LexborHTMLParser(page.body).css("a[href*=sid]"):
            waiting.append(root + "/shop/" + (link.attributes["href"] or "").rpartition("/")[2])
        assert not set(waiting[-8:]) & seen
        seen |= set(waiting)
    assert ask(web, root + "/shop/item-9?sid=ab").status == 404


def test_some_pages_ask_not_to_be_indexed_or_followed(web: LittleWeb) -> None:
    asked = []
    for url in web.distances():
        meta = LexborHTMLParser(web.pages[url].body).css_first('meta[name="robots"]')
        if meta:
            asked.append(meta.attributes["content"] or "")
            assert url not in web.targets
    assert sum("noindex" in directives for directives in asked) >= 5
    assert sum("nofollow" in directives for directives in asked) >= 3
    tagged = [page for page in web.pages.values() if page.header("X-Robots-Tag")]
    assert [page.header("X-Robots-Tag") for page in tagged] == ["noindex, nofollow"]
    (page,) = tagged
    source = LexborHTMLParser(web.pages[linked(web)[page.url]].body)
    assert [link.text() for link in source.css('a[rel="nofollow"]')] == ["log in"]


def test_hosts_use_different_charsets_and_say_so_in_different_ways(web: LittleWeb) -> None:
    ways = set()
    for host in web.hosts:
        home = web.answer(host, "/")
        header = home.header("Content-Type").partition("charset=")[2]
        meta = LexborHTMLParser(home.body).css_first("meta[charset]")
        mark = home.body.startswith(b"\xef\xbb\xbf")
        inside = (meta.attributes["charset"] or "") if meta else ""
        ways.add((header, inside, mark))
        about = web.answer(host, "/about").body.decode(header or inside or "utf-8-sig")
        assert " – " in html.unescape(about)
    assert ways == {
        ("utf-8", "utf-8", False),
        ("iso-8859-1", "iso-8859-1", False),
        ("", "windows-1252", False),
        ("", "", True),
    }


def test_feeds_an_image_and_one_large_page(web: LittleWeb) -> None:
    pages = list(web.pages.values())
    feeds = [page for page in pages if page.header("Content-Type").endswith(("rss+xml", "atom+xml"))]
    assert {page.url.rpartition("/")[2] for page in feeds} == {"feed.xml", "atom.xml"}
    for page in feeds:
        links = [node for node in ET.fromstring(page.body).iter() if node.tag.endswith("link")]
        assert {node.text or node.get("href") for node in links} <= set(web.distances())
        assert len(links) >= 12
    image = next(page for page in pages if page.header("Content-Type") == "image/png")
    assert image.body.startswith(b"\x89PNG\r\n\x1a\n")
    large = [page for page in pages if len(page.body) > 256 * 1024]
    assert len(large) == 1
    assert large[0].url in linked(web)
