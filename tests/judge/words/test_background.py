"""What ordinary text looks like."""

from __future__ import annotations

import pytest

from homing.judge.words.background import RAREST, guess_language, usage


def test_all_forms_of_a_stem_count_together() -> None:
    garden = usage(frozenset({"garden"}), "en")["garden"]
    assert {"garden", "gardens", "gardening"} <= set(garden.forms)
    assert 2e-5 < garden.share < 2e-4


def test_an_umlaut_does_not_hide_a_form() -> None:
    assert {"garten", "gärten"} <= set(usage(frozenset({"gart"}), "de")["gart"].forms)


def test_a_prefix_does_not_hide_a_form() -> None:
    assert "الفراشة" in usage(frozenset({"فراش"}), "ar")["فراش"].forms


def test_a_pair_of_characters_counts_in_every_word_that_has_it() -> None:
    pairs = usage(frozenset({"蝴蝶", "蝶花"}), "zh")
    assert pairs["蝴蝶"].forms == ("蝴蝶",)
    assert pairs["蝶花"].forms == ()
    assert pairs["蝴蝶"].share > pairs["蝶花"].share


def test_a_word_of_no_list_is_as_rare_as_can_be_but_a_number_is_not() -> None:
    found = usage(frozenset({"zzyzxq", "1848"}), "en")
    assert found["zzyzxq"].share == RAREST
    assert found["1848"].share > RAREST


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("butterflies", "en"),
        ("gardening that attracts butterflies", "en"),
        ("cichlids", "en"),
        ("Schmetterlinge im Garten", "de"),
        ("jardin de papillons", "fr"),
        ("mariposas", "es"),
        ("perhoset puutarhassa", "fi"),
        ("бабочки в саду", "ru"),
        ("الفراشات", "ar"),
        ("तितलियाँ", "hi"),
        ("蝴蝶花园", "zh"),
        ("蝶の庭", "ja"),
        ("バタフライ", "ja"),
        ("나비 정원", "ko"),
        ("ผีเสื้อ", "th"),
        ("1848", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_topic_is_guessed_from_its_words(text: str, language: str) -> None:
    assert guess_language(text) == language
