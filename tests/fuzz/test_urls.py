"""Any text at all as a URL."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from homing.urls import MAX_LENGTH, canonical, host, key, origin, site, words_of

PIECES = (
    "http://", "https://", "//", "/", "\\", "?", "#", "@", ":", ":80", ":443", ":8080", ".", "..", "%",
    "%2e", "%2F", "%41", "%3a", "%25", "%34", "4", "a", "B", "xn--", "xn--bcher-kva", "ü", "İ", "%C3%BC",
    "1", "0x7f", "127.0.0.1", "[::1]", "[", "]", "&", "=", "utm_source=x", "gclid", "+", " ", "\t", "\n",
    ";jsessionid=1", ";JSESSIONID=", "phpsessid=1", "\x00", ";", "~",
    "\ud800", "\u3002", "mailto:", "javascript:", "example.org",
)  # fmt: skip
URLS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=10).map(lambda pieces: "http://a.org" + "".join(pieces)),
    st.text(max_size=40),
)
BASES = st.one_of(st.none(), URLS.map(canonical))


@settings(max_examples=300)
@given(URLS, BASES)
@example("http://a../", None)  # two dots are no host name; once taken for one with a dot at its end
@example("http://1../", None)  # which then was the address 0.0.0.1
@example(
    "http://a.org/%%341", None
)  # "%" and "4", that together with what follows would spell another letter
@example("http://a.org/%4%31", None)
@example("http://a.org/?%75tm_source=x", None)
@example("http://;jsessionid=1", None)  # a host name, which is none without it
@example("http://a.org/b/..;jsessionid=1/", None)  # two dots that are a step up without it
@example("http://a.org/%2e;jsessionid=1/b", None)
def test_what_is_canonical_stays_as_it_is(url: str, base: str | None) -> None:
    found = canonical(url, base)
    if found is None:
        return
    assert canonical(found) == found
    assert found.startswith(("http://", "https://"))
    assert found.isascii()
    assert len(found) <= MAX_LENGTH
    assert not set(found) & set(' #\t\r\n\x00<>"')


@given(URLS)
def test_the_parts_of_a_url_belong_to_it(url: str) -> None:
    found = canonical(url)
    if found is None:
        return
    assert found.startswith(origin(found) + "/")
    assert host(found)
    assert host(found) in origin(found)
    assert host(found).endswith(site(host(found)))
    assert -(2**63) <= key(found) < 2**63
    assert "@" not in origin(found)
    words_of(found).encode()


@given(URLS, URLS.map(canonical))
def test_joining_in_one_step_or_in_two_is_the_same(url: str, base: str | None) -> None:
    joined = canonical(url, base)
    if base and joined:
        assert canonical(joined, base) == joined
