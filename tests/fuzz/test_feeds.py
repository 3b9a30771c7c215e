"""Sitemaps and feeds, cut anywhere and packed anyhow: what was read before the damage counts."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from homing.model import Link
from homing.parse import gzip as chunks
from homing.parse.feeds import read_feed
from homing.parse.sitemaps import read_sitemap

BASE = "http://a.example/map.xml"
WORDS = st.text(st.sampled_from("aé蝶 &<>]\"';#%/?"), max_size=12)
ENTITIES = st.sampled_from(["&amp;", "&", "&eacute;", "&#233;", "&#xE9;", "&#x110000;", "&nbsp", "&lt;b&gt;"])
TEXTS = st.lists(st.one_of(WORDS.map(lambda word: word.replace("<", "")), ENTITIES), max_size=4).map("".join)
LOCS = TEXTS.map(lambda text: f"<url><loc>http://a.example/{text}</loc></url>")
ITEMS = st.tuples(TEXTS, TEXTS, TEXTS).map(
    lambda item: "<item><title>{}</title><link>/{}</link><description>{}</description></item>".format(*item)
)
NOISE = st.sampled_from(
    ["", "<!-- x -->", "<![CDATA[ <loc> ]]>", "<a:loc/>", "<image><loc>/i</loc></image>", "\n"]
)
SITEMAPS = st.lists(st.one_of(LOCS, NOISE), max_size=8).map(
    lambda parts: f"<urlset>{''.join(parts)}</urlset>"
)
FEEDS = st.lists(st.one_of(ITEMS, NOISE), max_size=6).map(
    lambda parts: f"<?xml version='1.0'?><rss><channel><title>t</title>{''.join(parts)}</channel></rss>"
)
DOCUMENTS = st.one_of(SITEMAPS, FEEDS)


def links_of(body: bytes, content_type: str = "") -> tuple[Link, ...]:
    if b"<rss>" in body[:100] or (body.startswith(b"\x1f\x8b") and b"<rss>" in gzip.decompress(body)[:100]):
        return read_feed(body, content_type, BASE).links
    return read_sitemap(body, content_type, BASE)


@settings(max_examples=50)
@given(DOCUMENTS, st.integers(0, 800))
def test_of_a_document_that_is_cut_all_links_before_the_cut_are_there(document: str, cut: int) -> None:
    body = document.encode()
    whole = links_of(body)
    found = links_of(body[:cut]) if b"<rss>" in body[:cut] or b"<rss>" not in body else ()
    assert found == whole[: len(found)]


@settings(max_examples=50)
@given(DOCUMENTS)
def test_a_packed_document_has_the_same_links(document: str) -> None:
    assert links_of(gzip.compress(document.encode())) == links_of(document.encode())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DOCUMENTS, st.integers(40, 200))
@example("<urlset>" + "<url><loc>http://a.example/&eacute;&amp;x</loc></url>" * 9 + "</urlset>", 63)
def test_where_a_document_is_parted_on_its_way_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, document: str, size: int
) -> None:
    monkeypatch.setattr(chunks, "_CHUNK", 1 << 16)
    whole = links_of(document.encode(), "text/xml; charset=utf-8")
    monkeypatch.setattr(chunks, "_CHUNK", size)
    assert links_of(document.encode(), "text/xml; charset=utf-8") == whole


@settings(max_examples=50)
@given(
    DOCUMENTS, st.sampled_from(["", "[<!ENTITY a 'b'>]", "[<!ENTITY % a SYSTEM 'file:///etc/passwd'> %a;]"])
)
def test_a_document_type_changes_nothing_unless_it_declares_an_entity(document: str, subset: str) -> None:
    body = document.removeprefix("<?xml version='1.0'?>")
    declared = f"<!DOCTYPE x {subset}>{body}".encode()
    read = (lambda data: read_feed(data, "", BASE).links) if "<rss>" in body else links_of
    assert read(declared) == (() if subset else read(body.encode()))
