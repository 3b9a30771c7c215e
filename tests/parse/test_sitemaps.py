"""Sitemaps, as XML, text and gzip. Covers ``sitemaps`` and ``gzip``."""

import gzip
import time
from collections.abc import Callable

import pytest

from homing.model import Page
from homing.parse.sitemaps import MAX_URLS

Read = Callable[..., Page]

URLSET = (
    '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:image="i" xmlns:news="n">'
    "<url><loc> http://example.org/butterfly-gardening-tips.html </loc><lastmod>2024-01-01</lastmod></url>"
    "<url><image:image><image:loc>http://example.org/moth.png</image:loc></image:image>"
    "<loc>http://example.org/a?b=1&amp;c=2</loc>"
    "<news:news><news:title>Moths in town</news:title></news:news></url>"
    "</urlset>"
)


def _urls(page: Page) -> list[str]:
    return [link.url for link in page.links]


def test_a_sitemap_has_links_with_the_words_of_their_addresses(read: Read) -> None:
    page = read(URLSET, "application/xml", kind="sitemap")
    assert [(link.url, link.anchor, link.around, link.rel) for link in page.links] == [
        ("http://example.org/butterfly-gardening-tips.html", *["butterfly gardening tips"] * 2, ""),
        ("http://example.org/a?b=1&c=2", "Moths in town", "Moths in town", ""),
    ]
    assert (page.title, page.text) == ("", "")


@pytest.mark.parametrize("content_type", ["text/xml", "text/html", "text/plain", "", "application/x-gzip"])
def test_a_sitemap_is_known_by_its_content_whatever_its_label(read: Read, content_type: str) -> None:
    assert len(read(URLSET, content_type, kind="sitemap").links) == 2
    assert len(read(gzip.compress(URLSET.encode()), content_type, kind="sitemap").links) == 2


def test_a_sitemap_met_as_a_page_gives_its_links_too(read: Read) -> None:
    assert len(read(URLSET, "application/xml").links) == 2


def test_an_index_names_other_sitemaps(read: Read) -> None:
    page = read(
        "<sitemapindex><sitemap><loc>http://example.org/s1.xml.gz</loc></sitemap>"
        "<sitemap>http://example.org/s2.xml</sitemap></sitemapindex>",
        "text/xml",
        kind="sitemap",
    )
    assert [(link.url, link.rel) for link in page.links] == [
        ("http://example.org/s1.xml.gz", "sitemap"),
        ("http://example.org/s2.xml", "sitemap"),
    ]


def test_plain_text_has_one_url_a_line(read: Read) -> None:
    body = "\ufeffhttp://example.org/a\r\nnonsense\nftp://example.org/b\n\nhttps://example.org/hawk-moths\n"
    page = read(body, "text/plain", kind="sitemap")
    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://example.org/a", ""),
        ("https://example.org/hawk-moths", "hawk moths"),
    ]
    assert _urls(read(gzip.compress(body.encode()), "", kind="sitemap")) == _urls(page)


def test_an_html_page_in_place_of_a_sitemap_has_no_links(read: Read) -> None:
    assert read("<!doctype html><h1>Not found</h1><a href=/x>Home</a>", kind="sitemap").links == ()


def test_broken_xml_gives_what_came_before(read: Read) -> None:
    page = read(
        "<urlset><url><loc>http://a.org/1</loc></url><url><loc>http://a.org/2</url>", "", kind="sitemap"
    )
    assert _urls(page) == ["http://a.org/1"]


def test_a_cut_gzip_file_gives_what_came_before(read: Read) -> None:
    urls = "".join(f"<url><loc>http://example.org/{number}</loc></url>" for number in range(20_000))
    packed = gzip.compress(f"<urlset>{urls}</urlset>".encode())
    assert 1_000 < len(read(packed[: len(packed) // 2], "", kind="sitemap").links) < 20_000


def test_no_more_urls_are_read_than_a_sitemap_may_have(read: Read) -> None:
    urls = "".join(f"<url><loc>http://example.org/{number}</loc></url>" for number in range(MAX_URLS + 5_000))
    page = read(f"<urlset>{urls}</urlset>", "text/xml", kind="sitemap")
    assert len(page.links) == MAX_URLS


def test_a_gzip_bomb_ends_early(read: Read) -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * 300_000_000, compresslevel=1)
    before = time.process_time()
    assert read(bomb, "", kind="sitemap").links == ()
    assert time.process_time() - before < 2.0


def test_an_entity_bomb_gives_nothing(read: Read) -> None:
    bomb = '<!DOCTYPE urlset [<!ENTITY a "http://a.org/">]><urlset><url><loc>&a;</loc></url></urlset>'
    assert read(bomb, "text/xml", kind="sitemap").links == ()
