"""From scores to chances."""

from __future__ import annotations

import random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homing.judge.trained.calibration import Calibration, ScorePrior, expected, for_pages, for_windows
from homing.judge.trained.held_out import HeldOut

PRIOR = ScorePrior(halfway=7.5, spread=0.25)


def held(
    positives: list[float], negatives: list[float] | None = None, *, examples: int = 0, fitted: float = 1.0
) -> HeldOut:
    return HeldOut(
        examples=examples or len(positives),
        fitted=fitted,
        level=0.0,
        silence=0.0,
        positives=positives,
        negatives=negatives or [],
        windows_on=positives or [fitted],
        windows_off=negatives or [],
    )


def border(curve: Calibration) -> float:
    """The score with a chance of one half."""
    return -curve.bias / curve.slope


def test_positives_alone_put_the_border_a_little_below_their_mean() -> None:
    scores = [0.4, 0.5, 0.6, 0.45, 0.55] * 4
    curve = for_pages(held(scores), PRIOR)
    assert 0.35 < border(curve) < fmean(scores)
    assert curve.chance(0.6) > 0.6
    assert curve.chance(0.1) < 0.05


def test_a_lone_example_is_judged_by_the_prior_of_other_topics() -> None:
    curve = for_pages(held([], examples=1), PRIOR)
    assert 0.05 < border(curve) < 0.15
    assert curve.chance(1.0) > 0.99


def test_negatives_move_the_border_between_the_classes() -> None:
    positives = [0.5, 0.6, 0.7, 0.8] * 5
    near, far = [0.40, 0.45] * 20, [0.0, 0.05] * 20
    assert border(for_pages(held(positives, far), PRIOR)) < border(for_pages(held(positives, near), PRIOR))
    assert 0.45 < border(for_pages(held(positives, near), PRIOR)) < 0.6


def test_one_negative_moves_it_less_than_many() -> None:
    positives = [0.5, 0.6, 0.7, 0.8] * 3
    start = border(for_pages(held(positives), PRIOR))
    one, many = (border(for_pages(held(positives, [0.55] * count), PRIOR)) for count in (1, 100))
    assert start < one < many


def test_scores_that_contradict_their_labels_do_not_turn_the_judge_round() -> None:
    curve = for_pages(held([0.1] * 20, [0.9] * 200), PRIOR)
    assert curve.slope > 0


def test_the_chances_of_pages_held_out_are_about_right() -> None:
    """At the share of positives that is taken for granted, one in ten."""
    chance = random.Random(0)
    on = [chance.gauss(1, 0.5) for _ in range(200)]
    off = [chance.gauss(0, 0.5) for _ in range(1800)]
    curve = for_pages(held(on, off), PRIOR)
    for low, high in ((0.1, 0.4), (0.4, 0.7), (0.7, 1.0)):
        right = sum(low <= curve.chance(score) < high for score in on)
        wrong = sum(low <= curve.chance(score) < high for score in off)
        assert low - 0.1 < right / (right + wrong) < high + 0.1


def test_short_texts_of_both_classes_are_taken_to_be_as_many() -> None:
    on, off = [0.2, 0.4, 0.6] * 10, [0.0, 0.1, 0.2] * 100
    curve = for_windows(held(on, off), PRIOR)
    assert 0.15 < border(curve) < 0.35


def test_short_texts_of_a_lone_example_are_not_taken_at_their_own_high_scores() -> None:
    lone, several = held([], examples=1, fitted=0.8), held([0.8] * 8)
    assert border(for_windows(lone, PRIOR)) < border(for_windows(several, PRIOR)) / 2


@given(
    st.lists(st.floats(-1e3, 1e3), max_size=10),
    st.lists(st.floats(-1e3, 1e3), max_size=10),
    st.floats(-1e3, 1e3),
    st.floats(-1e9, 1e9),
)
def test_whatever_the_scores_a_chance_comes_out_and_a_higher_score_is_no_worse(
    positives: list[float], negatives: list[float], fitted: float, score: float
) -> None:
    result = held(positives, negatives, examples=max(len(positives), 1), fitted=fitted)
    for curve in (for_pages(result, PRIOR), for_windows(result, PRIOR), expected(result, PRIOR)):
        assert 0 <= curve.chance(score) <= curve.chance(score + 1) <= 1


def test_a_curve_comes_back_from_plain_data() -> None:
    curve = Calibration(2.5, -1.25)
    assert Calibration.from_state(curve.state()) == curve
    assert curve.chance(0.5) == pytest.approx(0.5)
