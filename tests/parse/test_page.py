import pickle
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homing.model import Kind, Page, Reply
from homing.parse import PageParser

Read = Callable[..., Page]

URL = "http://example.org/"
LABELS = ("text/html", "", "text/plain", "application/xml", "application/pdf")


def test_every_page_has_the_digest_of_its_body(read: Read) -> None:
    assert read(b"", "image/png").digest == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
    assert read("<p>x").digest != read("<p>y").digest


@pytest.mark.parametrize("content_type", ["image/png", "application/zip", "application/json", "video/mp4"])
def test_other_types_are_recorded_not_parsed(read: Read, content_type: str) -> None:
    page = read("<title>x</title><a href=/x>x</a>", content_type)
    assert page == Page(url=page.url, digest=page.digest)


def test_plain_text_has_its_first_line_as_title(read: Read) -> None:
    page = read("\n  Hawk moths \n\nThey fly by night and are attracted by light.\n", "text/plain")
    assert page.title == "Hawk moths"
    assert page.text.endswith("attracted by light.")
    assert page.language == "en"
    assert page.links == ()


def test_a_page_is_known_by_the_address_it_came_from() -> None:
    reply = Reply(url="http://a.org/", final_url="http://b.org/c/", status=200, body=b"<a href=d>x</a>")
    page = PageParser().read(reply)
    assert (page.url, page.links[0].url) == ("http://b.org/c/", "http://b.org/c/d")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0",
        b"\0" * 1_000 + b"<a href=/x>x</a>",
        b"<",
        b"</",
        b"<!",
        b"<!--",
        b"<a",
        b"<a href",
        b"<html></html>",
        b"<frameset></frameset>",
        b"<head><title>x",
        b"<title></title><meta><base><link><img><area><frame><iframe><a>",
        b"<meta http-equiv=refresh><meta name=robots><meta charset><link rel=canonical>",
        b"<h1></h1><ul></ul><table></table>",
        b"\xff\xfe<\x00p\x00>\x00x",
        bytes(range(256)) * 50,
        b"<p>&#0;&#xD800;&#x110000;&#xFFFF;</p>",
        b"<template><a href=/x>x</a></template><svg><a><math><mi><a href=/y>",
    ],
)
def test_no_body_makes_the_parser_raise(read: Read, body: bytes) -> None:
    for content_type in (*LABELS, "text/html; charset=utf-16"):
        for kind in ("page", "sitemap"):
            assert isinstance(read(body, content_type, kind=kind), Page)


PIECES = (
    "<p> </p> <a_href=/x> <a_href=' </a> <ul> <li> </ul> <h1> </h2> <table> <td> <br> <img_alt= <select> "
    "<svg> <math> <template> <frameset> <title> </title> <b> <script> </script> <!-- --> <![CDATA[ ]]> "
    "<?xml_?> <rss> <item> <link> <loc> <urlset> <url> &amp; & &# \0 _ word 蝴蝶 \x1f\x8b %PDF- ' \" >"
).split()
SOUP = st.lists(st.sampled_from(PIECES), max_size=30).map(lambda soup: "".join(soup).replace("_", " "))


@settings(max_examples=300)
@given(
    st.one_of(st.binary(max_size=200), SOUP.map(str.encode)),
    st.sampled_from([*LABELS, "text/html; charset=iso-2022-jp"]),
    st.sampled_from(["page", "sitemap"]),
)
def test_whatever_the_body_there_is_a_page(body: bytes, content_type: str, kind: Kind) -> None:
    reply = Reply(url=URL, final_url=URL, status=200, headers=(("content-type", content_type),), body=body)
    page = PageParser().read(reply, kind)
    assert page.digest
    page.text.encode()
    for place, link in enumerate(page.links):
        assert link.place == place
        assert link.url.startswith(("http://", "https://"))
        assert len(link.around.split()) <= 20


def test_the_parser_can_be_sent_to_another_process() -> None:
    parser = pickle.loads(pickle.dumps(PageParser(product="other")))
    reply = Reply(url=URL, final_url=URL, status=200, body=b"<meta name=other content=noindex>")
    assert parser.read(reply).noindex
