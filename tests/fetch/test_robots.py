import pytest
from hypothesis import given
from hypothesis import strategies as st

from homing.fetch.robots import MAX_AGE, Rules, is_fresh, is_unreachable, rules_of
from homing.fetch.robots_text import read
from homing.model import RobotsRecord

SITE = "https://example.org"


def rules(text: str | bytes, product: str = "homing") -> Rules:
    return Rules(read(text) if isinstance(text, bytes) else text, product)


def test_the_group_for_us_counts_and_not_the_one_for_all() -> None:
    said = rules("User-agent: *\nDisallow: /\n\nUser-agent: Homing\nDisallow: /x\n")
    assert said.allows(SITE + "/y")
    assert not said.allows(SITE + "/x")


def test_groups_for_us_in_several_places_are_one() -> None:
    said = rules(
        "User-agent: homing\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: homing\nDisallow: /b"
    )
    assert [said.allows(SITE + path) for path in ("/a", "/b", "/c")] == [False, False, True]


@pytest.mark.parametrize("name", ["hom", "ho", "h", "ming", "homingbot", "not-homing", "/", "**"])
def test_groups_for_names_that_are_only_like_ours_do_not_bind_us(name: str) -> None:
    assert rules(f"User-agent: {name}\nDisallow: /").allows(SITE + "/")


@pytest.mark.parametrize(
    "name", ["homing", "HOMING", "homing/1.0", "Homing crawler", "homing*", "homing # us"]
)
def test_groups_for_our_name_bind_us_however_they_spell_it(name: str) -> None:
    assert not rules(f"User-agent: {name}\nDisallow: /").allows(SITE + "/")


def test_a_user_agent_line_without_a_name_does_not_swallow_the_next_line() -> None:
    said = rules("User-agent: homing\nUser-agent\nDisallow: /x\n")
    assert not said.allows(SITE + "/x")


def test_the_longest_match_wins_and_wildcards_count() -> None:
    said = rules("User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\n")
    allowed = [said.allows(SITE + path) for path in ("/a", "/a/b", "/a/b.pdf", "/x.pdf?y")]
    assert allowed == [False, True, False, True]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_any_kind_of_line_end_will_do(end: str) -> None:
    said = rules(end.join(["User-agent: *", "Disallow: /", "User-agent: homing", "Disallow: /x"]))
    assert said.allows(SITE + "/y")
    assert not said.allows(SITE + "/x")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_byte_order_marks_and_encodings_do_not_hide_the_first_line(encoding: str) -> None:
    text = "User-agent: homing\nDisallow: /x\n# caf\u00e9\n"
    assert not rules(text.encode(encoding)).allows(SITE + "/x")


@given(st.binary(max_size=400))
def test_no_bytes_make_us_stumble(junk: bytes) -> None:
    said = rules(junk + b"\nUser-agent: *\n" + junk + b"\nSitemap: " + junk + b"\nCrawl-delay: " + junk)
    assert said.allows(SITE + "/") in (True, False)
    assert said.delay is None or said.delay >= 0
    assert all(url.startswith("http") for url in said.sitemaps(SITE))


def test_a_web_page_in_its_place_forbids_nothing() -> None:
    assert rules("<!DOCTYPE html><html><body><h1>Not found</h1>\n<p>Disallow: /</p></body></html>").allows(
        SITE + "/"
    )


def test_the_crawl_delay_of_our_group_is_the_one_that_counts() -> None:
    text = "User-agent: *\nCrawl-delay: 7\n\nUser-agent: homing\nCrawl-delay: 2.5\nDisallow: /x"
    assert rules(text).delay == 2.5
    assert rules(text, "other").delay == 7.0
    assert rules("User-agent: *\nCrawl-delay: much").delay is None


def test_sitemaps_are_absolute_canonical_and_named_once() -> None:
    text = "Sitemap: /map.xml\nSitemap: https://example.org/map.xml#x\nSitemap: ftp://a/b\nsitemap: http://b.org/m"
    assert rules(text).sitemaps(SITE) == ("https://example.org/map.xml", "http://b.org/m")


def test_no_robots_txt_allows_everything_whatever_the_reply_holds() -> None:
    record = RobotsRecord(origin=SITE, status=404, text="User-agent: *\nDisallow: /")
    assert rules_of(record, "homing").allows(SITE + "/")


def test_which_answers_mean_try_again_later() -> None:
    assert [
        status for status in (0, 200, 302, 401, 403, 404, 410, 429, 500, 503) if is_unreachable(status)
    ] == [
        0,
        429,
        500,
        503,
    ]


def test_answers_are_fresh_for_a_day_and_never_from_the_future() -> None:
    record = RobotsRecord(origin=SITE, status=200, fetched_at=1_000_000.0)
    assert is_fresh(record, 1_000_000.0 + MAX_AGE - 1)
    assert not is_fresh(record, 1_000_000.0 + MAX_AGE)
    assert not is_fresh(record, 990_000.0)
    assert not is_fresh(RobotsRecord(origin=SITE, status=503, fetched_at=1_000_000.0), 1_000_001.0)
