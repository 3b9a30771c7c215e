"""What is boilerplate, and the main text without it. Links and their spans: ``test_links``."""

from collections.abc import Callable

import pytest

from homing.model import Page

Read = Callable[..., Page]

STORY = "<p>Hawk moths hover in front of flowers and drink their nectar with a very long tongue.</p>"


@pytest.mark.parametrize(
    "apart",
    [
        "<nav>{}</nav>",
        "<footer>{}</footer>",
        "<aside>{}</aside>",
        "<div class=navbar>{}</div>",
        "<div class='wide dark site-footer'>{}</div>",
        "<ul class=breadcrumbs><li>{}</ul>",
        "<ol id=main-menu><li>{}</ol>",
        "<div role=Navigation>{}</div>",
        "<section class=cookie-banner>{}</section>",
        "<table id=left_sidebar><tr><td>{}</table>",
        "<form class=search-form>{}</form>",
        "<div hidden>{}</div>",
        "<nav><div><ul><li>{}</ul></div></nav>",
    ],
)
def test_what_says_that_it_is_apart_is_not_in_the_text(read: Read, apart: str) -> None:
    page = read(STORY + apart.format("Imprint and <a href=/contact>contact</a>"))
    assert page.text.startswith("Hawk moths hover")
    assert "Imprint" not in page.text
    assert [link.url for link in page.links] == ["http://example.org/contact"]


@pytest.mark.parametrize(
    "part",
    [
        "<div class=page-with-sidebar>{}</div>",
        "<div class=content id=navigable>{}</div>",
        "<article class=menu>{}</article>",
        "<body class=nav>{}</body>",
        "<main role=main>{}</main>",
        "<div class=shareholders>{}</div>",
        "<header>{}</header>",
    ],
)
def test_names_that_only_sound_alike_are_no_reason(read: Read, part: str) -> None:
    assert "night flyers" in read(part.format(STORY + "<p>They are night flyers.")).text


def test_a_page_that_puts_nearly_all_of_it_apart_is_read_whole(read: Read) -> None:
    assert "Hawk moths hover" in read(f"<p>Home</p><div class=menu>{STORY * 3}</div>").text


def test_lists_of_links_outside_of_menus_are_text(read: Read) -> None:
    hub = "".join(f"<li><a href=/{name}>{name} moths</a>" for name in ("hawk", "silk", "tiger"))
    assert read(f"<h1>Moths</h1><ul>{hub}</ul>").text == "Moths\nhawk moths\nsilk moths\ntiger moths"


def test_white_space_is_single_and_blocks_are_lines(read: Read) -> None:
    assert read("<p>one   two\n three<p> four <td>").text == "one two three\nfour"
