"""The numbers of a topic, for judges and strategies alike."""

from __future__ import annotations

import pytest

from homing.judge import Brief
from homing.judge.decimal import Decimal
from homing.model import Page
from homing.strategies.trained.treasure.treasure import Treasure
from homing.taxonomy import Focus, Subject, Taxonomy, codes_of

TAXONOMY = Taxonomy(
    [
        Subject(code="59.5", label="Insects", terms=("insect", "butterfly", "moth")),
        Subject(code="59.8", label="Birds", terms=("bird", "feather")),
        Subject(code="63", label="Gardening", terms=("garden", "lawn", "soil")),
    ]
)


def page(text: str) -> Page:
    return Page(url="http://a.example/", text=text)


def keys(brief: Brief) -> tuple[str, ...]:
    return codes_of(brief, Focus(TAXONOMY)).keys


def test_numbers_that_are_given_are_taken() -> None:
    codes = codes_of(Brief(text="moths", codes=("63", "59.8", "59")), Focus(TAXONOMY))
    assert (codes.keys, codes.found_by) == (("59", "63"), "as given")


def test_words_decide_where_there_are_no_examples() -> None:
    codes = codes_of(Brief(text="moths in the garden", keywords=("butterfly",)), Focus(TAXONOMY))
    assert (codes.keys, codes.found_by) == (("595",), "found by moth, butterfly")


def test_examples_vote() -> None:
    # 59 holds all votes and 5 of 8 terms: ln(8 / 5) = .47. 595 holds two of three: 2/3 ln(2/3 · 8/3) = .38.
    assert keys(Brief(examples=(page("moth"), page("butterfly"), page("feather")))) == ("59",)
    assert keys(Brief(text="lawn", examples=(page("moth"), page("bird")))) == ("63",)


def test_where_the_taxonomy_has_no_word_there_are_none() -> None:
    assert keys(Brief(text="railways", examples=(page("trains"),))) == ()


@pytest.mark.parametrize(
    "brief",
    [
        Brief(text="moths and birds in the garden"),
        Brief(examples=(page("moth " * 9 + "lawn soil garden"), page("lawn"), page("butterfly"))),
        Brief(text="feather", codes=("63",)),
    ],
)
def test_judge_and_strategy_find_the_same(brief: Brief) -> None:
    judge = Decimal(brief, taxonomy=TAXONOMY, language="en")
    strategy = Treasure(taxonomy=TAXONOMY, derive=True)
    strategy.begin(super(Decimal, judge).topic())  # what other judges say of the topic
    assert strategy.codes == judge.keys != ()
