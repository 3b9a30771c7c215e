"""Taxonomies learnt from labelled pages, and their numbers. Covers ``learner`` and ``numbering``."""

from __future__ import annotations

from itertools import pairwise

import pytest

from homing.errors import UsageError
from homing.taxonomy import Focus
from homing.taxonomy.learner import Learner
from homing.taxonomy.numbering import Path, number

PAGES = {
    "subject.Animals.Insects": "butterfly moth caterpillar wings nectar meadow",
    "subject.Animals.Fish": "trout salmon fins gills river meadow",
    "subject.Law_and_order": "court judge verdict appeal lawyer river",
}


def learner() -> Learner:
    pupil = Learner()
    for label, words in PAGES.items():
        each = words.split()
        for number_ in range(6):
            pupil.add([label], " ".join(word for place, word in enumerate(each) if place != number_))
    return pupil


def test_labels_with_levels_become_digits() -> None:
    found = {subject.code: subject.label for subject in learner().taxonomy().subjects}
    assert found == {"1": "Animals", "11": "Fish", "12": "Insects", "2": "Law and order"}


def test_terms_are_the_words_that_tell_a_subject_from_the_rest() -> None:
    taxonomy = learner().taxonomy()
    terms = {subject.label: set(subject.terms) for subject in taxonomy.subjects}
    assert {"butterfly", "moth", "caterpillar", "wings", "nectar"} <= terms["Insects"]
    assert {"court", "judge", "verdict", "appeal", "lawyer"} <= terms["Law and order"]
    assert "trout" not in terms["Insects"] | terms["Law and order"]


def test_a_term_stands_at_the_deepest_subject_that_has_it() -> None:
    terms = {subject.label: set(subject.terms) for subject in learner().taxonomy().subjects}
    assert not terms["Animals"] & (terms["Insects"] | terms["Fish"])


def test_what_was_learnt_finds_the_subject_of_new_texts() -> None:
    focus = Focus(learner().taxonomy())
    assert focus.of_text("A moth with large wings by the river") == ("12",)
    assert focus.of_text("The judges of that court") == ("2",)


def test_repeated_pairs_of_words_become_phrases() -> None:
    pupil = Learner()
    for other in ("red", "blue", "green"):
        pupil.add(["money"], f"An interest rate is {other}; the interest rates of banks.")
        pupil.add(["play"], f"The interest of {other} children; the rate of play.")
    terms = {subject.label: subject.terms for subject in pupil.taxonomy().subjects}
    assert "interest rate" in terms["money"]
    assert "interest rate" not in terms["play"]


def test_the_number_of_terms_is_bounded() -> None:
    assert max(len(subject.terms) for subject in learner().taxonomy(terms=2).subjects) == 2


def test_a_page_may_have_several_labels() -> None:
    pupil = learner()
    for _ in range(6):
        pupil.add(["subject.Animals.Insects", "subject.Law_and_order"], "bees in court")
    terms = {subject.label: subject.terms for subject in pupil.taxonomy().subjects}
    assert "bees" in terms["Insects"]
    assert "bees" in terms["Law and order"]


def test_the_order_of_pages_does_not_matter() -> None:
    pages = [(label, f"{words} {word}") for label, words in PAGES.items() for word in words.split()]
    one, other = Learner(), Learner()
    for label, text in pages:
        one.add([label], text)
    for label, text in reversed(pages):
        other.add([label], text)
    assert one.taxonomy().subjects == other.taxonomy().subjects


@pytest.mark.parametrize("labels", [[], ["one"], ["one.deep", "one.deep"]])
def test_one_label_is_not_enough(labels: list[str]) -> None:
    pupil = Learner()
    for label in labels:
        pupil.add([label], "some text")
    with pytest.raises(UsageError, match="at least two different labels"):
        pupil.taxonomy()


def test_up_to_ten_siblings_take_one_digit() -> None:
    assert set(number([(str(each),) for each in range(9)], {}).values()) == set("123456789")
    assert set(number([(str(each),) for each in range(10)], {}).values()) == set("0123456789")


def test_more_siblings_take_two_digits_all_over_their_level() -> None:
    paths = (
        [(letter,) for letter in "ab"] + [("a", str(each)) for each in range(14)] + [("b", "x"), ("b", "y")]
    )
    codes = number(paths, {})
    assert (codes[("a",)], codes[("b",)]) == ("1", "2")
    assert {len(code) for path, code in codes.items() if len(path) == 2} == {3}
    assert {code for path, code in codes.items() if path[0] == "b"} == {"2", "200", "250"}
    firsts = [code[:2] for path, code in codes.items() if path[0] == "a" and len(path) == 2]
    assert max(map(firsts.count, firsts)) <= 2
    assert len(set(codes.values())) == len(paths)


def test_siblings_alike_share_their_first_digit() -> None:
    kinds = {f"{kind} {place}": kind for kind in ("bird", "law", "song", "rock") for place in range(5)}
    paths: list[Path] = [(name,) for name in kinds]
    profiles: dict[Path, dict[str, float]] = {(name,): {kind: 1.0, name: 0.2} for name, kind in kinds.items()}
    codes = number(paths, profiles)
    row = [kinds[path[0]] for path in sorted(paths, key=lambda path: codes[path])]
    assert sum(one != other for one, other in pairwise(row)) == 3
