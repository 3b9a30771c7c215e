"""Naive Bayes over layers, chi-square and the likeness of anchors, by hand and by brute force."""

from __future__ import annotations

import json
import math
from itertools import product
from statistics import mean

import numpy as np
import pytest

from homing.errors import UsageError
from homing.model import Link, Page
from homing.strategies.trained.layers.terms import (
    Anchors,
    NaiveBayes,
    Table,
    check_enough,
    chi_square,
    words_of_link,
    words_of_page,
)
from homing.trails import LocalGraph

MOTHS = [["moth", "moth", "wing"], ["moth", "leaf"], ["train", "leaf"], ["train", "rail", "rail"], ["rail"]]
CLASSES = [0, 0, 1, 1, 1]


def cosine(one: list[str], other: list[str]) -> float:
    terms = {*one, *other}
    dot = sum(one.count(term) * other.count(term) for term in terms)
    return dot / math.sqrt(
        sum(one.count(term) ** 2 for term in terms) * sum(other.count(term) ** 2 for term in terms)
    )


# --- chi-square -----------------------------------------------------------------------------------


def test_chi_square_is_what_the_papers_write() -> None:
    sizes = np.array([3, 4, 5])
    present = np.array([[a, b, c] for a, b, c in product(range(4), range(5), range(6))])
    worth = chi_square(present, sizes)
    for row, found in zip(present.tolist(), worth.tolist(), strict=True):
        for each in range(3):
            a, b = row[each], sum(row) - row[each]
            c, d = 3 + each - a, 12 - (3 + each) - b
            below = (a + c) * (b + d) * (a + b) * (c + d)
            expected = 12 * (a * d - c * b) ** 2 / below if below else 0.0
            assert found[each] == pytest.approx(expected)


def test_a_term_that_all_texts_have_tells_nothing() -> None:
    assert chi_square(np.array([[2, 3]]), np.array([2, 3])).tolist() == [[0.0, 0.0]]


def test_the_most_telling_terms_are_kept() -> None:
    # moth: A = 2, B = 0, C = 0, D = 3 -> 5·36/36 = 5; train and rail: 5·16/36 = 2.2; leaf .14; wing is rare.
    telling = ["moth", "train", "rail", "leaf"]
    for most in (1, 3, 4, 9):
        assert NaiveBayes.fit(MOTHS, CLASSES, 2, most=most).state()["terms"] == telling[:most]


# --- naive Bayes ----------------------------------------------------------------------------------


def test_chances_are_those_of_laplace_and_bayes() -> None:
    # Kept are moth, train, rail and leaf. Class 0 says moth 3 times, leaf once; class 1 train twice, rail 3
    # times, leaf once. Laplace: (3 + 1) / (4 + 4) for moth in class 0, 1 / (6 + 4) in class 1.
    found = NaiveBayes.fit(MOTHS, CLASSES, 2).chances([["moth", "leaf"]], evidence=100)[0]
    zero, one = (4 / 8) * (2 / 8), (1 / 10) * (2 / 10)
    assert found == pytest.approx([zero / (zero + one), one / (zero + one)], abs=1e-4)


def test_classes_may_be_as_likely_as_they_are_common() -> None:
    bayes = NaiveBayes.fit(MOTHS, CLASSES, 2)
    assert bayes.chances([[]], evidence=5)[0] == pytest.approx([0.5, 0.5])
    assert bayes.chances([[]], evidence=5, uniform=False)[0] == pytest.approx([0.4, 0.6])


def test_a_long_text_is_no_surer_than_a_short_one() -> None:
    bayes = NaiveBayes.fit(MOTHS, CLASSES, 2)
    short, long = bayes.chances([["moth", "leaf", "rail"], ["moth", "leaf", "rail"] * 50], evidence=3)
    assert short == pytest.approx(long)
    sure = bayes.chances([["moth", "leaf", "moth"] * 50], evidence=1_000)[0]
    assert sure.max() > 0.999


def test_unknown_words_say_nothing() -> None:
    bayes = NaiveBayes.fit(MOTHS, CLASSES, 2)
    plain, padded = bayes.chances([["moth"], ["moth", "spoon", "wing"]], evidence=5)
    assert plain == pytest.approx(padded)


def test_a_class_without_texts_is_never_guessed() -> None:
    chances = NaiveBayes.fit(MOTHS, [0, 0, 2, 2, 2], 4).chances([["spoon"], ["moth"]], evidence=5)
    assert chances[:, [1, 3]].max() == 0.0
    assert chances.sum(axis=1) == pytest.approx([1, 1])


def test_texts_without_words_are_borne() -> None:
    assert (
        NaiveBayes.fit([[], []], [0, 1], 2).chances([[], ["moth"]], evidence=5).tolist() == [[0.5, 0.5]] * 2
    )
    assert Anchors.fit([[], []], [0, 1], 2).likeness([[], ["moth"]]).tolist() == [[0, 0]] * 2


def test_what_went_through_json_says_exactly_the_same() -> None:
    texts = [["moth", "rail"], ["wing", "leaf", "leaf"], []]
    bayes = NaiveBayes.fit(MOTHS, CLASSES, 2)
    restored = NaiveBayes.from_state(json.loads(json.dumps(bayes.state())))
    assert (bayes.chances(texts, evidence=5) == restored.chances(texts, evidence=5)).all()
    anchors = Anchors.fit(MOTHS, CLASSES, 2)
    restored_anchors = Anchors.from_state(json.loads(json.dumps(anchors.state())), 2)
    assert (anchors.likeness(texts) == restored_anchors.likeness(texts)).all()


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        {},
        {"terms": ["moth"], "rows": [], "texts": [1, 1]},
        {"terms": ["moth"], "rows": [[0.1]], "texts": [1, 1]},
        {"terms": [], "rows": [], "texts": [0, 0]},
        {"terms": ["moth"], "rows": [["a", "b"]], "texts": [1, 1]},
    ],
)
def test_damaged_data_is_refused(damaged: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        NaiveBayes.from_state(damaged)


# --- anchors --------------------------------------------------------------------------------------


def test_likeness_is_the_average_cosine() -> None:
    anchors = Anchors.fit(MOTHS, CLASSES, 2)
    for text in (["moth"], ["rail", "rail", "leaf"], ["spoon", "train", "wing"]):
        expected = [
            mean(cosine(text, other) for other, layer in zip(MOTHS, CLASSES, strict=True) if layer == each)
            for each in (0, 1)
        ]
        assert anchors.likeness([text])[0] == pytest.approx(expected, abs=1e-4)


def test_equal_texts_get_equal_sums_wherever_they_stand() -> None:
    table = Table(["a", "b", "c"], np.array([[0.1, 0.7], [0.3, 0.9], [1 / 3, 1e-9]]))
    text = ["a", "b", "c", "a", "b"]
    sums, known = table.sums([text, ["c"] * 99, [], text, ["b"], text])
    assert sums[0].tolist() == sums[3].tolist() == sums[5].tolist()
    assert known.tolist() == [5, 99, 0, 5, 1, 5]


# --- what is read ---------------------------------------------------------------------------------


def test_only_the_beginning_of_a_long_page_is_read() -> None:
    words = words_of_page(Page(url="", title="Moths", text="wing " * 10_000))
    assert words[0] == "moth"
    assert len(words) == 301


def test_a_link_without_words_is_read_by_its_url() -> None:
    url = "http://a.example/butterfly-gardens/42.html"
    assert words_of_link(Link(url=url, anchor="Trains"), "en") == ["train"]
    for empty in ("", "the", "»"):
        assert words_of_link(Link(url=url, anchor=empty), "en") == ["butterfli", "garden"]


def test_too_little_to_learn_from_is_one_clear_line() -> None:
    graph = LocalGraph([Page(url="a"), Page(url="b")], {"a"})
    with pytest.raises(
        UsageError, match=r'"layered" needs pages on the topic and pages .* 2 pages, 1 on the'
    ):
        check_enough("layered", graph)
    check_enough("layered", LocalGraph([Page(url="a"), Page(url="b", links=(Link(url="a"),))], {"a"}))
