"""Hostile pages: each would take seconds to hours, or gigabytes, without the guard.

Covers ``nesting_guard`` and ``tag_grammar``.
"""

import time
from collections.abc import Callable

import pytest

from homing.model import Page
from homing.parse.nesting_guard import MAX_DEPTH, simplify

Read = Callable[..., Page]

LINK = '<a href="/found">the link</a>'
MANY = 1_000_000


def _distinct_attributes(count: int) -> str:
    return " ".join(f"a{number}=1" for number in range(count))


HOSTILE: dict[str, Callable[[], str]] = {
    "a million nested tags": lambda: "<div>" * MANY + LINK,
    "a million nested tags, all closed": lambda: "<div>" * MANY + LINK + "</div>" * MANY,
    "nested tags of a hundred kinds": lambda: "".join(f"<x{n % 100}>" for n in range(400_000)) + LINK,
    "ten megabytes of one formatting tag": lambda: "<b>" * (10 * MANY // 3) + LINK,
    "ten megabytes of one block tag": lambda: "<p>" * (10 * MANY // 3) + LINK,
    "nested tables": lambda: "<table><tr><td>" * 100_000 + LINK,
    "items that do not close each other": lambda: "<dd><li>" * 150_000 + LINK,
    "end tags out of scope": lambda: "<div><table></div></table>" * 80_000 + LINK,
    "end tags in comments": lambda: "<div><!--</div>-->" * 100_000 + LINK,
    "end tags in text areas": lambda: "<div><textarea></div></textarea>" * 80_000 + LINK,
    "formatting tags opened again in every block": lambda: (
        "".join(f"<b id={n}>" for n in range(500)) + "<p>x" * 80_000 + LINK
    ),
    "the same, hidden by tables": lambda: (
        "".join(f"<b id={n}><table></b></table>" for n in range(3_000)) + "<p>x" * 3_000 + LINK
    ),
    "a million attributes": lambda: f"<a {_distinct_attributes(MANY)}>x</a>" + LINK,
    "a million attributes with tags in them": lambda: "<a " + "<b " * MANY + ">x</a>" + LINK,
    "attributes in a page of middle size": lambda: f"<a {_distinct_attributes(30_000)}>x</a>" + LINK,
    "an attribute of ten megabytes": lambda: f'<a title="{"x" * 10 * MANY}">x</a>' + LINK,
    "text below many blocks": lambda: "<h1><div>" * 400 + "x " * (2 * MANY) + LINK,
    "ninety thousand lines": lambda: ("word " * 20 + "<br>") * 90_000 + LINK,
    "links around blocks": lambda: LINK + "<a href=/x><div>" * 100_000,
    "nothing but opening brackets": lambda: LINK + "<" * 10 * MANY,
    "ten megabytes of zeros": lambda: "\0" * 10 * MANY + LINK,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_read_in_two_seconds_and_their_links_found(name: str, read: Read) -> None:
    body = HOSTILE[name]().encode()
    before = time.process_time()
    page = read(body)
    assert time.process_time() - before < 2.0
    assert "http://example.org/found" in {link.url for link in page.links}


@pytest.mark.parametrize(
    "body",
    [
        "<title>" * 100_000,
        "<script>" * 100_000,
        "<!--" * 500_000,
        "</x" * 500_000,
        "<a" * 500_000,
        "<a b='" * 200_000,
    ],
)
def test_what_never_ends_ends(body: str, read: Read) -> None:
    before = time.process_time()
    read(body)
    assert time.process_time() - before < 2.0


def test_ordinary_pages_are_left_as_they_are() -> None:
    page = "<!doctype html><p>Some <b>bold</b> words <a href=x>here</a>" * 200
    assert simplify(page) is page


def test_large_honest_pages_keep_their_structure(read: Read) -> None:
    items = "".join(
        f"<div class=item><h2>Item {n}</h2><p>About <b>number</b> {n}: <a href=/{n}>more</a></p></div>"
        for n in range(4_000)
    )
    page = read(f"<title>Items</title><body class=list>{items}")
    assert page.title == "Items"
    assert len(page.links) == 4_000
    last = page.links[-1]
    assert (last.url, last.anchor, last.block) == (
        "http://example.org/3999",
        "more",
        "About number 3999: more",
    )
    assert last.headings == ("Item 3999", "Items")
    assert last.path == "html/body.list/div.item/p/a"


def test_unclosed_items_and_paragraphs_are_not_taken_for_depth() -> None:
    page = "<ul>" + "<li><p>moth" * 6_000 + "</ul><p>end"
    assert simplify(page).count("<li>") == 6_000


def test_depth_is_cut_and_what_follows_is_right_again() -> None:
    page = simplify("<div>" * 20_000 + "deep" + "</div>" * 20_000 + "<section>flat</section>")
    assert page.count("<div>") == page.count("</div>") == MAX_DEPTH
    assert page.endswith("<section>flat</section>")
