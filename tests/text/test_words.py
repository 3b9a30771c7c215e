"""Words, stems and bags."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homing.text import words as module
from homing.text.languages import function_words
from homing.text.words import background, bag, fold, is_paired, stem, stop_words, terms, words


def test_words_are_in_lower_case_and_free_of_punctuation() -> None:
    assert words("Hello, World! (it's_2024)") == ["hello", "world", "it", "s", "2024"]


def test_typographic_punctuation_separates_words_like_ascii_punctuation() -> None:
    assert words("“Moths”—and butterfly’s…wings•pupa") == ["moths", "and", "butterfly", "s", "wings", "pupa"]


def test_accents_are_the_same_composed_and_decomposed() -> None:
    decomposed = unicodedata.normalize("NFD", "Café Ärger")
    assert words(decomposed) == words("Café Ärger") == ["café", "ärger"]


def test_capitals_outside_ascii_become_small() -> None:
    assert words("ÉCOLE ΑΘΗΝΑ МОСКВА") == ["école", "αθηνα", "москва"]


def test_soft_hyphens_and_zero_width_marks_do_not_break_words() -> None:
    assert words("butter\u00adfly zero\u200bwidth") == ["butterfly", "zerowidth"]


@pytest.mark.parametrize("text", ["हिन्दी", "தமிழ்", "עִבְרִית", "বাংলা"])
def test_vowel_signs_stay_within_their_word(text: str) -> None:
    assert words(text) == [unicodedata.normalize("NFKC", text)]


def test_arabic_is_the_same_with_and_without_vowel_points() -> None:
    assert words("كِتَابٌ") == words("كتاب")


def test_chinese_becomes_overlapping_pairs() -> None:
    assert words("研究所甄試") == ["研究", "究所", "所甄", "甄試"]


def test_a_single_character_between_other_scripts_stays_single() -> None:
    assert words("A級 品") == ["a", "級", "品"]


def test_no_pair_crosses_the_border_of_two_scripts() -> None:
    assert words("東京タワーです") == ["東京", "タワ", "ワー", "です"]
    assert words("iPhone手机15") == ["iphone", "手机", "15"]
    assert words("한국어漢字") == ["한국", "국어", "漢字"]


def test_no_pair_crosses_punctuation() -> None:
    assert words("蝴蝶，花园。「幼虫」毛虫·蛹") == ["蝴蝶", "花园", "幼虫", "毛虫", "蛹"]


def test_vowels_and_tones_of_thai_stay_with_their_letter() -> None:
    assert words("ผีเสื้อ") == ["ผีเ", "เสื้", "สื้อ"]
    assert words("ที่") == ["ที่"]


def test_wide_letters_and_narrow_kana_are_read_as_ordinary_ones() -> None:
    assert words("ＡＢＣ") == ["abc"]
    assert words("ﾀﾜｰ") == words("タワー")


def test_terms_are_stems_in_order_without_stop_words() -> None:
    assert terms("The butterflies are in the garden; a butterfly!") == ["butterfli", "garden", "butterfli"]


def test_terms_follow_the_language_of_the_text() -> None:
    assert terms("die Gärten und der Garten", "de") == ["gart", "gart"]
    assert terms("les jardins et le jardin", "fr-FR") == ["jardin", "jardin"]
    assert terms("сады и сад", "ru") == ["сад", "сад"]


def test_a_language_nobody_knows_keeps_its_words_as_they_are() -> None:
    assert terms("qapla batlh the", "tlh") == ["qapla", "batlh", "the"]


def test_a_bag_counts_the_terms() -> None:
    assert bag("garden gardens gardening, café CAFÉ") == {"garden": 3, "café": 2}


@given(st.text(max_size=200), st.sampled_from(["en", "de", "zh", "ja", "xx"]))
def test_any_text_can_be_read_and_the_bag_agrees_with_the_terms(text: str, language: str) -> None:
    found = terms(text, language)
    assert all(found)
    assert bag(text, language).total() == len(found)
    assert len(found) <= len(words(text))


def test_half_a_surrogate_pair_does_no_harm() -> None:
    assert words("moth \ud800 wing") == ["moth", "wing"]


def test_what_is_remembered_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_REMEMBERED", 50)
    finished = module._Finished("en")
    for number in range(500):
        finished[b"word%d" % number]
    paragraph = ("蝴蝶" * 100).encode()
    assert finished[paragraph]
    assert len(finished) <= 50
    assert paragraph not in finished


def test_stop_words_are_spelt_as_words_are() -> None:
    assert {"der", "und", "nicht"} <= stop_words("de")
    assert {"の", "は"} <= stop_words("ja")
    assert {"της", "στους"}.isdisjoint(terms("Της γάτας στους κήπους", "el"))
    assert terms("می‌شود", "fa") == []


def test_names_are_no_stop_words_however_common() -> None:
    said = {"he": "ישראל", "fa": "ایران", "id": "Indonesia", "zh": "中国", "hu": "magyar", "uk": "України"}
    assert [language for language, name in said.items() if not terms(name, language)] == []


def test_where_no_stop_words_are_written_down_they_are_the_commonest_words() -> None:
    assert {"এই", "করে"} <= stop_words("bn"), "words with vowel signs among them"
    assert len(stop_words("mk")) > 20
    assert not any(letter.isdigit() for word in stop_words("mk") for letter in word)


def test_every_stop_word_list_is_of_single_words_or_pairs() -> None:
    for code in (
        "en de fr es it pt nl sv da nb fi pl cs sk hu ro ca ru uk bg el tr ar fa he hi id vi zh ja ko".split()
    ):
        listed = function_words(code)
        assert [word for word in listed if len(words(word)) != 1] == []
        assert len(stop_words(code)) > 75


def test_letters_that_change_at_the_end_of_a_word_or_with_the_language_stay_themselves() -> None:
    assert words("ΚΗΠΟΣ κήπος") == ["κηποσ", "κήποσ"]
    assert words("İstanbul") == words("istanbul")
    assert words("STRASSE Straße") == ["strasse", "strasse"]


def test_the_background_goes_from_common_to_rare() -> None:
    buckets = background("en", large=True)
    place = {word: place for place, bucket in enumerate(buckets) for word in bucket}
    assert place["the"] < place["garden"] < place["butterfly"] < place["swallowtail"]
    assert len(background("is", large=True)) == len(background("is")), "no large list: the small one"


def test_stem_and_fold_leave_scripts_without_stems_alone() -> None:
    assert stem("蝴蝶", "zh") == fold("蝴蝶") == "蝴蝶"
    assert is_paired("สวน")
    assert not is_paired("сад")


def test_reading_a_text_does_not_load_the_word_lists() -> None:
    """They take 0.2 s to import: a command that judges nothing must not wait for them."""
    code = "import sys, homing.text.words as t; t.bag('some text'); sys.exit('wordfreq' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
