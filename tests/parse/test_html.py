from collections.abc import Callable

import pytest

from homing.model import Page

Read = Callable[..., Page]

ARTICLE = (
    "<html lang=en-GB><head><title> Hawk\n moths </title>"
    "<meta name=Description content='All about hawk moths.'><meta name=keywords content='moths, night'>"
    "<link rel=canonical href=/moths></head><body>"
    "<nav><ul><li><a href=/>Home</a><li><a href=/about>About us</a></ul></nav>"
    "<main><h1>Hawk moths</h1><p>Hawk moths are among the fastest flying insects.</p>"
    "<p><img src=m.png alt='A hawk moth'> They hover in front of flowers, much like birds do.</p></main>"
    "<footer>Copyright, imprint, and cookies</footer></body></html>"
)


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
