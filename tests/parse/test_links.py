"""Links and their context. Covers ``links``, ``tree`` and ``outline``."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homing.model import Link, Page
from homing.parse.links import MAX_LINKS, links_of
from homing.parse.tree import outline
from homing.urls import canonical

Read = Callable[..., Page]

NUMBERS = [f"n{number}" for number in range(40)]


def _only(page: Page) -> Link:
    (link,) = page.links
    return link


# -- which links -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "rel"),
    [
        ("<a href=/x>x</a>", ""),
        ("<a href=/x rel='Nofollow  UGC'>x</a>", "nofollow ugc"),
        ("<map><area href=/x alt=x></map>", ""),
        ("<iframe src=/x></iframe>", "frame"),
        ("<meta http-equiv=refresh content='5; url=/x'>", "refresh"),
        ("<meta http-equiv=Refresh content=\"0;URL='/x' \">", "refresh"),
        ("<link rel=next href=/x>", "next"),
        ("<link rel='prev' href=/x>", "prev"),
        ("<svg><a xlink:href=/x><text>x</text></a></svg>", ""),
        ("<noscript><a href=/x>x</a></noscript>", ""),
        ("<a href=' /x\n'>x</a>", ""),
        ("<a href='//example.org/x#part'>x</a>", ""),
        ("<A HREF=/x>x", ""),
    ],
)
def test_links_come_in_many_forms(read: Read, markup: str, rel: str) -> None:
    link = _only(read(markup))
    assert (link.url, link.rel) == ("http://example.org/x", rel)


def test_frames_of_a_frameset_are_links(read: Read) -> None:
    page = read("<frameset cols=20,80><frame src=menu.html title=Menu><frame src=main.html></frameset>")
    assert [(link.url, link.anchor, link.rel) for link in page.links] == [
        ("http://example.org/dir/menu.html", "Menu", "frame"),
        ("http://example.org/dir/main.html", "", "frame"),
    ]


@pytest.mark.parametrize(
    "markup",
    [
        "<a href=#top>x</a>",
        "<a href=''>x</a>",
        "<a name=x>x</a>",
        "<a href=mailto:a@example.org>x</a>",
        "<a href=javascript:void(0)>x</a>",
        "<a href=/dir/page.html#part>the page itself</a>",
        "<a href='http://'>x</a>",
        "<link rel=stylesheet href=/x><link rel=icon href=/y>",
        "<img src=/x>",
        "<!-- <a href=/x>x</a> -->",
        "<script>'<a href=/x>x</a>'</script>",
        "<meta http-equiv=refresh content=5>",
    ],
)
def test_what_leads_nowhere_is_no_link(read: Read, markup: str) -> None:
    assert read(markup).links == ()


def test_links_are_joined_to_the_first_base(read: Read) -> None:
    page = read("<base href=/other/><base href=/third/><a href=x.html>x</a><a href=../y>y</a>")
    assert [link.url for link in page.links] == ["http://example.org/other/x.html", "http://example.org/y"]


def test_a_base_that_is_no_web_address_is_passed_over(read: Read) -> None:
    assert _only(read("<base href='data:text/html,x'><a href=x>x</a>")).url == "http://example.org/dir/x"


def test_one_link_is_kept_for_a_target_the_one_that_says_most(read: Read) -> None:
    page = read(
        "<a href=/m>more</a> <a href=/n>other</a> <a href=/m#part>hawk moths of Europe</a> <a href=/m>x</a>"
    )
    assert [(link.place, link.anchor) for link in page.links] == [(0, "hawk moths of Europe"), (1, "other")]


def test_a_page_has_so_many_links_and_no_more(read: Read) -> None:
    page = read("".join(f"<a href=/{number}>x</a>" for number in range(MAX_LINKS + 10)))
    assert len(page.links) == MAX_LINKS


@given(
    st.from_regex(r"(/|(\.\./){0,4})[A-Za-z0-9_-]{1,5}([./][A-Za-z0-9_.-]{1,5}){0,3}/?", fullmatch=True),
    st.sampled_from(
        [
            "http://a.org/",
            "https://a.org:8080/b/c.html?d=/e",
            "http://a.org/b/",
            "http://a.org/b//c/%25/d/e?f",
        ]
    ),
)
def test_plain_links_are_joined_as_all_others_are(href: str, base: str) -> None:
    (link,) = links_of(outline(f"<a href={href}>x</a>"), base) or (None,)
    target = canonical(href, base)
    assert (link.url if link else None) == (None if target == canonical(base) else target)


# -- the anchor ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "anchor"),
    [
        ("<a href=/x> hawk\n <b>moths</b></a>", "hawk moths"),
        ("<a href=/x>un<b>believ</b>able</a>", "unbelievable"),
        ("<a href=/x><img alt='a hawk  moth'></a>", "a hawk moth"),
        ("<a href=/x><img alt=picture> words</a>", "words"),
        ("<a href=/x title='The title'><i class=icon></i></a>", "The title"),
        ("<a href=/x aria-label='The label'></a>", "The label"),
        ("<a href=/x><div>Block</div><p>in a link</p></a>", "Block in a link"),
        ("<a href=/x><script>no()</script>words</a>", "words"),
        ("<a href=/x></a>", ""),
        ("<a href=/x>Fran&ccedil;ois &amp; co</a>", "François & co"),
    ],
)
def test_the_anchor_is_what_a_reader_clicks_on(read: Read, markup: str, anchor: str) -> None:
    assert _only(read(f"<div>before {markup} after</div>")).anchor == anchor


def test_an_anchor_cut_after_a_space_ends_with_a_word(read: Read) -> None:
    word = "x" * 499
    link = _only(read(f"<p>left <a href=/x>{word} more</a> right"))
    assert link.anchor == word
    assert link.around == f"left {word} right"


# -- the window ------------------------------------------------------------------------------------


def test_the_window_has_an_equal_share_on_each_side(read: Read) -> None:
    before, after = " ".join(NUMBERS[:20]), " ".join(NUMBERS[20:])
    link = _only(read(f"<p>{before} <a href=/x>two words</a> {after}"))
    assert link.around.split() == [*NUMBERS[11:20], "two", "words", *NUMBERS[20:29]]


def test_where_one_side_ends_the_other_fills_up(read: Read) -> None:
    rest = " ".join(NUMBERS)
    assert _only(read(f"<p>n <a href=/x>a b</a> {rest}")).around.split() == ["n", "a", "b", *NUMBERS[:17]]
    assert _only(read(f"<p>{rest} <a href=/x>a b</a> n")).around.split() == [*NUMBERS[-17:], "a", "b", "n"]


def test_a_long_anchor_is_cut_to_the_window(read: Read) -> None:
    assert _only(read(f"<p>n <a href=/x>{' '.join(NUMBERS)}</a>")).around.split() == NUMBERS[:20]


def test_the_window_crosses_one_border_and_not_two(read: Read) -> None:
    page = read("<p>far</p><p>near</p><p>left <a href=/x>here</a> right</p><p>near</p><p>far</p>")
    assert _only(page).around == "near left here right near"


def test_an_image_link_has_its_alt_text_in_the_window(read: Read) -> None:
    assert _only(read("<p>left <a href=/x><img alt='a moth'></a> right")).around == "left a moth right"


def test_links_without_words_still_have_a_window(read: Read) -> None:
    assert _only(read("<p>left <a href=/x></a> right")).around == "left right"


def test_two_line_breaks_are_a_border_and_one_is_a_space(read: Read) -> None:
    page = read("far<br><br>near<br> <br>left<br>side <a href=/x>here</a>")
    assert _only(page).around == "near left side here"
    assert _only(page).block == "left side here"


def test_scripts_without_spaces_have_a_bounded_window(read: Read) -> None:
    text = "蝴蝶在花园里飞舞" * 100
    link = _only(read(f"<p>{text}<a href=/x>天蛾</a>{text}"))
    assert "飞舞 天蛾 蝴蝶" in link.around
    assert len(link.around) < 100


# -- block, headings, path -------------------------------------------------------------------------


def test_the_block_is_the_paragraph(read: Read) -> None:
    page = read("<div>intro<p>The <a href=/x>hawk</a>\n moth <b>flies</b>.</p>outro</div>")
    assert _only(page).block == "The hawk moth flies."


def test_in_a_list_the_block_is_the_whole_list(read: Read) -> None:
    page = read("<p>no<ul>head<li>one <ul><li>inner</ul><li><p>two <a href=/x>x</a></ul><p>no")
    assert _only(page).block == "head one inner two x"
    page = read("<ul><li>one <ol><li>inner <a href=/x>x</a><li>last</ol></ul>")
    assert _only(page).block == "inner x last"


def test_a_long_block_is_cut_around_the_link(read: Read) -> None:
    link = _only(read(f"<p>{'before ' * 1_000}<a href=/x>here</a>{' after' * 1_000}"))
    assert len(link.block) <= 2_000
    assert "before here after" in link.block


def test_headings_are_those_of_the_outline_nearest_first(read: Read) -> None:
    page = read(
        "<title>T</title><h1>One</h1><h2>Old</h2><h3>Older</h3><h2>Two</h2><p>x<div><h3>Three</h3></div>"
        "<h4>Four</h4><a href=/x>x</a>"
    )
    assert _only(page).headings == ("Four", "Three", "Two", "One")
    assert page.headings == ("One", "Old", "Older", "Two", "Three", "Four")


def test_the_title_stands_in_for_a_missing_main_heading(read: Read) -> None:
    assert _only(read("<title>T</title><h2>Two</h2><a href=/x>x</a>")).headings == ("Two", "T")
    assert _only(read("<a href=/x>x</a>")).headings == ()


def test_a_link_before_the_main_heading_stands_under_it_too(read: Read) -> None:
    assert _only(read("<nav><a href=/x>x</a></nav><h1>One</h1>")).headings == ("One",)


def test_a_heading_that_is_a_picture_has_its_alt_text(read: Read) -> None:
    assert read("<h1><img alt='Hawk moths'></h1>").headings == ("Hawk moths",)


def test_the_path_names_classes_and_ids(read: Read) -> None:
    page = read('<body><div class="nav top" id=n><ul class=menu><li id=one><a href=/x>x</a>')
    assert _only(page).path == "html/body/div.nav/ul.menu/li#one/a"
