"""Ordinary text, from word counts and from pages met."""

from __future__ import annotations

from homing.judge.trained.features import damped
from homing.judge.trained.ordinary_text import OrdinaryText
from homing.text.words import bag


def test_common_words_are_in_most_pages_and_rare_ones_in_few() -> None:
    english = OrdinaryText("en")
    assert english.presence("peopl") > 0.8 > english.presence("butterfli") > english.presence("zzyzx") > 0
    assert english.rarity("peopl") < english.rarity("butterfli") < english.rarity("zzyzx")


def test_numbers_and_pairs_of_characters_that_no_list_has_are_not_rare() -> None:
    assert OrdinaryText("en").presence("1848") > OrdinaryText("en").presence("zzyzx")
    assert OrdinaryText("zh").presence("蝶花") > OrdinaryText("zh").presence("zzyzx")


def test_pages_met_make_their_words_common() -> None:
    met = [damped(bag("zzyzx town people"))] * 30
    before, after = OrdinaryText("en"), OrdinaryText("en", met)
    assert after.presence("zzyzx") > 0.7 > 0.01 > before.presence("zzyzx")
    assert after.strength("zzyzx") > before.strength("zzyzx") == 0
    assert after.direction["zzyzx"] > 0


def test_a_few_pages_met_do_not_outweigh_the_language() -> None:
    after = OrdinaryText("en", [damped(bag("zzyzx"))])
    assert after.presence("zzyzx") < 0.2
    assert after.presence("peopl") > 0.5


def test_made_up_pages_are_as_long_as_requested_as_common_as_the_language_and_always_the_same() -> None:
    english = OrdinaryText("en")
    pages = english.pages(50, [200])
    assert {page.total() for page in pages} == {200}
    assert pages == english.pages(50, [200])
    assert sum("peopl" in page for page in pages) > sum("butterfli" in page for page in pages)


def test_a_language_without_word_counts_has_no_ordinary_text() -> None:
    unknown = OrdinaryText("eo")
    assert unknown.direction == {}
    assert [page.total() for page in unknown.pages(2, [100])] == [0, 0]
    assert unknown.rarity("papilio") == unknown.rarity("kaj") > 0
