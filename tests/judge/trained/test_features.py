"""Pages as vectors of terms."""

from __future__ import annotations

import math

import pytest

from homing.judge.trained.features import SHORT, TITLE, Reader, damped, plain, surface_forms
from homing.model import Page
from homing.text.words import bag

ENGLISH = Reader(("en",))


def page(text: str = "", language: str = "", title: str = "") -> Page:
    return Page(url="http://a.example/", text=text, language=language, title=title)


def test_title_headings_and_description_count_beside_the_text() -> None:
    whole = Page(
        url="", title="Moths", headings=("Wings", "Eggs"), description="All of moths", text="moths eat"
    )
    counts = ENGLISH.counts(whole)
    assert counts["moth"] == TITLE + 2
    assert counts["wing"] == counts["egg"] == counts["eat"] == 1


def test_a_vector_is_one_long_and_repetition_matters_less_and_less() -> None:
    vector = ENGLISH.vector(page("moth " * 10 + "wing"))
    assert math.hypot(*vector.values()) == pytest.approx(1)
    assert vector["moth"] / vector["wing"] == pytest.approx(1 + math.log(10))


def test_counts_beyond_the_table_are_damped_alike() -> None:
    some, more = (damped(bag("moth " * count + "wing"))["wing"] for count in (900, 5000))
    assert 0 < more < some < 0.2


def test_plain_vectors_keep_the_proportions_of_the_counts() -> None:
    vector = plain(bag("moth moth moth wing wing wing wing"))
    assert vector == pytest.approx({"moth": 0.6, "wing": 0.8})
    assert Reader(("en",), plainly=True).vector(page("moth moth moth wing wing wing wing")) == vector


def test_a_page_without_words_is_an_empty_vector() -> None:
    assert ENGLISH.vector(page("of the")) == plain(bag("")) == ENGLISH.short("") == {}


def test_one_word_alone_does_not_look_like_a_whole_window() -> None:
    assert ENGLISH.short("moths") == {"moth": 1 / math.sqrt(SHORT)}
    long = ENGLISH.short("moth wing egg leaf silk larva pupa nectar pollen antenna")
    assert long["moth"] == pytest.approx(1 / math.sqrt(10))


def test_windows_come_from_all_over_the_page() -> None:
    text = " ".join(f"word{number}" for number in range(1000))
    windows = ENGLISH.windows(page(text))
    assert 15 <= len(windows) <= 25
    assert "word0" in windows[0]
    assert max(int(term.removeprefix("word")) for term in windows[-1]) > 900
    assert {len(window) for window in windows} == {11, 2}


def test_a_page_with_nothing_but_a_title_has_a_window_too() -> None:
    assert ENGLISH.windows(page(title="Moths")) == [{"moth": 1 / math.sqrt(SHORT)}]
    assert ENGLISH.windows(page()) == []


def test_the_languages_are_those_of_the_examples_without_stray_guesses() -> None:
    pages = [page("x", "en")] * 7 + [page("x", "lb")]
    assert Reader.of(pages).languages == ("en",)
    assert Reader.of([page("x", "en-GB"), page("x", "de")]).languages == ("en", "de")
    assert Reader.of(pages, "fr").languages == ("fr", "en")


def test_the_language_is_guessed_from_the_words_where_no_page_names_one() -> None:
    assert Reader.of([page("Die Schmetterlinge trinken im Garten den Nektar der Blumen")]).languages == (
        "de",
    )


def test_a_page_is_read_in_its_own_language_if_that_is_one_of_the_topics() -> None:
    both = Reader(("en", "de"))
    assert [both.language_of(page("", code)) for code in ("de-AT", "en", "sv", "")] == [
        "de",
        "en",
        "en",
        "en",
    ]


def test_terms_are_spelt_as_the_pages_spell_them_most_often() -> None:
    pages = [page("butterfly butterflies"), page("Butterflies and gardens, a garden, the garden")]
    assert surface_forms(["butterfli", "garden", "moth"], pages, ENGLISH) == {"butterfli": "butterflies"}
