"""Which URLs a crawl may fetch."""

import pytest

from homing.scope import Glob, Scope, Within


@pytest.mark.parametrize(
    ("within", "inside", "outside"),
    [
        ("any", "http://elsewhere.example/", None),
        ("domain", "http://news.example.co.uk/x", "http://other.co.uk/"),
        ("host", "http://www.example.co.uk/x", "http://news.example.co.uk/"),
        ("prefix", "http://www.example.co.uk/garden/x/y", "http://www.example.co.uk/kitchen/"),
    ],
)
def test_a_crawl_stays_within_its_seeds(within: Within, inside: str, outside: str | None) -> None:
    scope = Scope(within=within)
    scope.root("http://www.example.co.uk/garden/index.html")
    assert scope.refusal(inside, 1) == ""
    if outside:
        assert within in scope.refusal(outside, 1)


def test_include_and_exclude_are_globs_over_the_whole_url() -> None:
    scope = Scope(include=["*/garden/*", "http://a.example/*"], exclude=["*print=1*"])
    assert scope.refusal("http://b.example/garden/x", 1) == ""
    assert scope.refusal("http://a.example/kitchen", 1) == ""
    assert scope.refusal("http://b.example/kitchen", 1) == "matches no include"
    assert scope.refusal("http://a.example/x?print=1", 1) == "exclude *print=1*"


def test_a_blocked_host_is_blocked_with_its_subdomains() -> None:
    scope = Scope(block=["ads.example"])
    assert scope.blocked("http://ads.example/x")
    assert scope.blocked("http://eu.ads.example/x")
    assert not scope.blocked("http://noads.example/x")


def test_a_block_can_be_added_while_the_crawl_runs() -> None:
    scope = Scope()
    assert scope.refusal("http://a.example/private/x", 1) == ""
    scope.block("*/private/*")
    assert scope.refusal("http://a.example/private/x", 1) == "block */private/*"


def test_depth_and_files_that_are_no_pages_are_refused() -> None:
    scope = Scope(max_depth=2)
    assert scope.refusal("http://a.example/x", 2) == ""
    assert scope.refusal("http://a.example/x", 3) == "deeper than 2"
    assert scope.refusal("http://a.example/photo.JPG", 1) == "a .jpg file"
    assert scope.refusal("http://a.example/x?file=photo.jpg", 1) == ""


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("abc", "abc", True),
        ("abc", "abcd", False),
        ("a?c", "abc", True),
        ("a?c", "ac", False),
        ("*", "", True),
        ("a*", "a", True),
        ("*a*b*", "xxaxxbxx", True),
        ("*a*b*", "xxbxxa", False),
        ("ab*ba", "aba", False),
        ("?*?", "ab", True),
        ("*.html", "x.html.html", True),
        ("*a?c*", "xxabcxx", True),
        ("[a]*", "[a]x", True),
    ],
)
def test_a_glob_matches_as_people_expect(pattern: str, text: str, fits: bool) -> None:
    assert Glob(pattern).matches(text) is fits


def test_a_hostile_text_does_not_slow_a_glob_down() -> None:
    assert not Glob("*a" * 20 + "*b").matches("a" * 50_000 + "!")
