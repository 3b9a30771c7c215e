"""Two spellings of one address are one URL."""

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homing.urls import _PLAIN, MAX_LENGTH, canonical, host, key, origin, site, words_of


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("HTTP://EXAMPLE.org", "http://example.org/"),
        ("http://example.org:80/a", "http://example.org/a"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("https://example.org:8443/a", "https://example.org:8443/a"),
        ("http://example.org/a/../b/./c", "http://example.org/b/c"),
        ("http://example.org/a#part", "http://example.org/a"),
        ("http://user:secret@example.org/a", "http://example.org/a"),
        ("http://example.org./a", "http://example.org/a"),
        ("http://user@example.org.:81/a", "http://example.org:81/a"),
        ("http://[2001:db8::1]:81/a.:b", "http://[2001:db8::1]:81/a.:b"),
        ("http://example.org/%7euser/%c3%a9", "http://example.org/~user/%C3%A9"),
        ("http://example.org/?utm_source=x&q=1&gclid=7", "http://example.org/?q=1"),
        ("http://example.org/a?utm_source=x", "http://example.org/a"),
        ("http://example.org/a b", "http://example.org/a%20b"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://example.org/wp/%2528x%2529.htm", "http://example.org/wp/%2528x%2529.htm"),
        ("  http://example.org/a  ", "http://example.org/a"),
    ],
)
def test_an_address_has_one_spelling(written: str, meant: str) -> None:
    assert canonical(written) == meant
    assert canonical(meant) == meant


@pytest.mark.parametrize(
    "text",
    [
        "ftp://example.org/",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "mailto:a@b.org",
        "http://",
        "no url",
        "",
        "http://exa mple.org/",
        "http://./",
        f"http://example.org/{'a' * MAX_LENGTH}",
    ],
)
def test_what_is_no_web_address_is_none(text: str) -> None:
    assert canonical(text) is None


@pytest.mark.parametrize(
    ("href", "meant"),
    [
        ("b", "http://example.org/a/b"),
        ("/b", "http://example.org/b"),
        ("//other.example/b", "http://other.example/b"),
        ("?q=2", "http://example.org/a/page?q=2"),
        ("#top", "http://example.org/a/page"),
        ("https:b", "https://b/"),
        ("///host/x", "http://host/x"),
        ("mailto:x@y.z", None),
    ],
)
def test_links_are_joined_as_browsers_do(href: str, meant: str | None) -> None:
    assert canonical(href, "http://example.org/a/page") == meant


def test_a_key_is_64_bits_with_sign_and_tells_urls_apart() -> None:
    keys = {key(f"http://example.org/{number}") for number in range(1_000)}
    assert len(keys) == 1_000
    assert all(-(2**63) <= number < 2**63 for number in keys)


def test_host_and_origin_of_an_address() -> None:
    assert host("http://example.org/") == "example.org"
    assert origin("http://example.org:8080/a?b=http://c/") == "http://example.org:8080"


def test_a_site_is_what_one_owner_has_rented() -> None:
    assert site("a.b.example.co.uk") == "example.co.uk"
    assert site("someone.github.io") == "someone.github.io"
    assert site("10.0.0.1") == "10.0.0.1"


def test_the_words_of_a_path() -> None:
    assert words_of("http://example.org/News/2024/bees_and-wasps.html") == "News bees and wasps"
    assert words_of("http://example.org/") == ""


@given(st.from_regex(_PLAIN, fullmatch=True))
def test_what_looks_canonical_is_what_a_parser_would_make_of_it(url: str) -> None:
    if "xn--" not in url:
        assert ada_url.normalize_url(url) == url == canonical(url)


@given(
    st.lists(
        st.sampled_from(["http://", "a", "1", ".", "..", "/", "0x7f", ":80", ":443", "-", "_", "~", "A"])
    )
)
def test_the_short_cut_never_disagrees_with_the_parser(pieces: list[str]) -> None:
    url = "".join(pieces)
    if _PLAIN.fullmatch(url):
        assert ada_url.normalize_url(url) == url
