"""What brings nothing new is left alone; what does is not."""

from hashlib import sha1
from pathlib import Path

import pytest
from tests.crawler.conftest import Folder, SmallWeb

from homing.crawler.traps.detector import NEAR, PATTERN_ALLOWANCE, Traps, pattern_of, winding

SEED = "http://a.example/0"


def prints(number: int) -> int:
    """Fingerprints that differ in about half of their bits."""
    return (number * 0x9E3779B97F4A7C15) % (1 << 64)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://a.org/", "a.org/"),
        ("http://a.org/a", "a.org/*"),
        ("http://a.org/2026/05/", "a.org/#/#/"),
        ("http://a.org/s/9f86d081884c7d65/x", "a.org/s/#/*"),
        ("http://a.org/x.php?b=1&a=2&b=3", "a.org/x.php?a&b"),
        ("http://a.org/?p7=1", "a.org/?p#"),
        ("http://a.org:8080/a/", "a.org:8080/a/"),
    ],
)
def test_a_pattern_masks_what_varies(url: str, pattern: str) -> None:
    assert pattern_of(url) == pattern


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.org/" + "a/b/" * 3, "repeated folders"),
        ("http://a.org/x/a/y/a/z/a/w/a/v/a/", "repeated folders"),
        ("http://a.org/" + "".join(f"{letter}/" for letter in "abcdefghijklmnopqrstu"), "too many folders"),
        ("http://a.org/?" + "&".join(f"{letter}=1" for letter in "abcdefghijklm"), "too many parameters"),
        ("http://a.org/?a=1&b=1&a=1", "repeated parameters"),
        ("http://a.org/?a=1&a=2&a=3&a=4&a=5", "repeated parameters"),
        ("http://a.org/?tag[]=moth&tag[]=bee", ""),
        ("http://a.org/1/1/1/1/1/1", ""),
        ("http://a.org/en/moths/en/moths/list", ""),
        ("http://a.org/a/b/c/d/e/f/g/h/i/j", ""),
    ],
)
def test_urls_that_go_in_circles_are_told_by_their_spelling(url: str, reason: str) -> None:
    assert winding(url) == reason


def test_a_pattern_that_brings_new_pages_stays_open() -> None:
    traps = Traps()
    for number in range(500):  # every other page is like one before
        traps.meet(f"http://a.org/list/{number}", prints(number // 2))
    assert traps.refusal("http://a.org/list/501") == ""


def test_a_trap_on_a_large_good_site_is_closed_as_well() -> None:
    traps = Traps()
    for number in range(1_000):
        traps.meet(f"http://a.org/moths/{number}", prints(number))
    asked = 0
    while not traps.refusal("http://a.org/moths/new"):
        traps.meet(f"http://a.org/moths/again-{asked}", prints(0))
        asked += 1
    assert PATTERN_ALLOWANCE < asked < 50
    assert traps.refusal("http://a.org/bees/1") == ""


@pytest.mark.parametrize(("apart", "is_open"), [(NEAR, False), (NEAR + 1, True)])
def test_pages_are_near_duplicates_if_few_bits_differ(apart: int, is_open: bool) -> None:
    traps = Traps()
    traps.meet("http://a.org/first", 0)
    for number in range(14):  # each differs from the first in so many bits, from others in twice as many
        traps.meet(f"http://a.org/{number}", ((1 << apart) - 1) << apart * (number % 9))
    assert (traps.refusal("http://a.org/14") == "") is is_open


def test_a_pattern_met_again_and_again_is_not_forgotten_over_many_others() -> None:
    traps = Traps()
    for day in range(15):
        traps.meet(f"http://a.org/calendar/{day}", prints(0))
        for number in range(1_000):
            traps.meet(f"http://b{day}.org/{chr(97 + number // 26)}{chr(97 + number % 26)}/", prints(number))
    assert traps.refusal("http://a.org/calendar/15") == "near-duplicates under a.org/calendar/*"


def test_a_probe_that_is_new_opens_a_pattern_again() -> None:
    traps = Traps()
    for number in range(15):
        traps.meet(f"http://a.org/list/{number}", prints(0))
    refused = [traps.refusal(f"http://a.org/list/{number}") for number in range(15, 75)]
    assert [place for place, reason in enumerate(refused, start=1) if not reason] == [20, 60]
    assert not traps.lets_pass("http://a.org/list/99")
    traps.meet("http://a.org/list/34", prints(1))
    assert traps.reopened == ["a.org/list/*"]
    assert traps.lets_pass("http://a.org/list/99")
    assert traps.refusal("http://a.org/list/99") == ""


def test_what_was_refused_by_mistake_is_fetched_when_its_pattern_opens_again(
    small: SmallWeb, tmp_path: Path
) -> None:
    listed = [f"http://a.example/list/{number}" for number in range(60)]
    small.page(SEED, *listed)
    for number, url in enumerate(listed):  # the first ones are empty, as dates without an event are
        words = " ".join(sha1(f"{number} {place}".encode()).hexdigest() for place in range(30))
        small.page(url, text="No entries." if number < 20 else words)
    folder = Folder(small, tmp_path / "crawl")
    folder.run(SEED, scope={"avoid_traps": True})
    assert len(folder.pages()) == len({SEED, *listed})


def test_a_crawl_that_goes_on_remembers_what_was_a_trap(small: SmallWeb, tmp_path: Path) -> None:
    for number in range(40):
        small.page(f"http://a.example/{number}", f"http://a.example/{number + 1}", text="No entries yet.")
    folder = Folder(small, tmp_path / "crawl")
    for pages in (8, 12, 100):
        folder.run(SEED, scope={"avoid_traps": True}, stop={"pages": pages})
    in_one_go = Folder(small, tmp_path / "other")
    in_one_go.run(SEED, scope={"avoid_traps": True}, stop={"pages": 100})
    assert folder.pages() == in_one_go.pages()
    assert 12 < len(folder.pages()) < 20
    assert folder.figures()["cut"] == in_one_go.figures()["cut"] != {}
