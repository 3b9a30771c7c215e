from collections.abc import Callable

import pytest

from homing.model import Page
from homing.parse.directives import header_directives

Read = Callable[..., Page]


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
    assert header_directives(values, "homing") & {"noindex", "nofollow"} == expected
