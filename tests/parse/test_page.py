import pickle
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homing.model import Kind, Page, Reply
from homing.parse import PageParser
from homing.parse.page import directives

Read = Callable[..., Page]

URL = "http://example.org/"
LABELS = ("text/html", "", "text/plain", "application/xml", "application/pdf")

ARTICLE = (
    "<html lang=en-GB><head><title> Hawk\n moths </title>"
    "<meta name=Description content='All about hawk moths.'><meta name=keywords content='moths, night'>"
    "<link rel=canonical href=/moths></head><body>"
    "<nav><ul><li><a href=/>Home</a><li><a href=/about>About us</a></ul></nav>"
    "<main><h1>Hawk moths</h1><p>Hawk moths are among the fastest flying insects.</p>"
    "<p><img src=m.png alt='A hawk moth'> They hover in front of flowers, much like birds do.</p></main>"
    "<footer>Copyright, imprint, and cookies</footer></body></html>"
)


# -- any reply -------------------------------------------------------------------------------------


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


# -- HTML ------------------------------------------------------------------------------------------


def test_a_page_says_what_it_is(read: Read) -> None:
    page = read(ARTICLE)
    assert page.url == "http://example.org/dir/page.html"
    assert page.title == "Hawk moths"
    assert page.description == "All about hawk moths."
    assert page.keywords == "moths, night"
    assert page.alts == "A hawk moth"
    assert page.headings == ("Hawk moths",)
    assert page.canonical == "http://example.org/moths"
    assert page.language == "en"
    assert page.fingerprint != 0


def test_the_text_is_what_the_page_is_about(read: Read) -> None:
    text = read(ARTICLE).text
    assert "fastest flying insects" in text
    assert "hover in front of flowers" in text
    assert "imprint" not in text
    assert "About us" not in text


def test_where_no_main_content_is_found_all_text_is_taken(read: Read) -> None:
    page = read("<ul><li>hawk <b>moths</b><li>silk moths</ul><script>no()</script><style>no{}</style>")
    assert page.text == "hawk moths\nsilk moths"


@pytest.mark.parametrize(
    ("declared", "code"),
    [("lang=de", "de"), ("lang=PT-br", "pt"), ("lang=zh_TW", "zh"), ("xml:lang=fr", "fr"), ("lang=''", "en")],
)
def test_the_declared_language_counts_first(read: Read, declared: str, code: str) -> None:
    assert (
        read(f"<html {declared}><p>The moths are flying to the light in the middle of the night.").language
        == code
    )


def test_the_language_of_an_undeclared_page_is_guessed(read: Read) -> None:
    german = "Die Schwärmer fliegen in der Dämmerung und saugen im Schwirrflug den Nektar aus tiefen Blüten."
    assert read(f"<p>{german}").language == "de"


def test_too_little_text_has_no_language(read: Read) -> None:
    assert read("<p>404").language == ""


def test_the_title_of_a_drawing_is_not_that_of_the_page(read: Read) -> None:
    assert read("<svg><title>Icon</title></svg><p>x").title == ""


def test_open_graph_fills_the_gaps(read: Read) -> None:
    page = read("<meta property=og:title content=Moths><meta property=og:description content='About moths'>")
    assert (page.title, page.description) == ("Moths", "About moths")


def test_a_canonical_address_that_is_none_is_left_out(read: Read) -> None:
    assert read("<link rel=canonical href='javascript:1'>").canonical == ""


def test_the_encoding_of_the_page_is_heeded(read: Read) -> None:
    body = "<meta charset=windows-1251><title>Бабочки</title>".encode("windows-1251")
    assert read(body, "text/html").title == "Бабочки"


# -- robots directives -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "noindex", "nofollow"),
    [
        ("noindex", True, False),
        ("NOFOLLOW , noarchive", False, True),
        ("none", True, True),
        ("index, follow", False, False),
        ("nosnippet", False, False),
    ],
)
def test_meta_robots_says_what_not_to_do(read: Read, content: str, noindex: bool, nofollow: bool) -> None:
    page = read(f'<meta name="Robots" content="{content}"><p>x')
    assert (page.noindex, page.nofollow) == (noindex, nofollow)


def test_a_meta_element_for_us_counts_and_one_for_another_robot_does_not(read: Read) -> None:
    page = read("<meta name=homing content=nofollow><meta name=googlebot content=noindex>")
    assert (page.noindex, page.nofollow) == (False, True)


def test_the_header_counts_for_any_type(read: Read) -> None:
    page = read(b"\x89PNG\r\n", "image/png", headers=(("x-robots-tag", "none"),))
    assert page.noindex
    assert page.nofollow


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["noindex, nofollow"], {"noindex", "nofollow"}),
        (["googlebot: nofollow", "otherbot: noindex, nofollow"], set()),
        (["Homing: noindex"], {"noindex"}),
        (["googlebot: noindex, homing: nofollow"], {"nofollow"}),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST", "noindex"], {"noindex"}),
        (["max-snippet: 20, noindex"], {"noindex"}),
        ([""], set()),
    ],
)
def test_the_header_may_name_whom_it_means(values: list[str], expected: set[str]) -> None:
    headers = [("X-Robots-Tag", value) for value in values]
    assert directives((), headers, "homing") & {"noindex", "nofollow"} == expected


# -- anything at all -------------------------------------------------------------------------------


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
