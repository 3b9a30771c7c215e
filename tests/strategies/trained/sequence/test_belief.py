"""Beliefs: passed on along a path, packed into memos, brought into an order."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.strategies.toys import belief_after

from homing.strategies.trained.sequence.belief import (
    ALLOWED,
    FROM,
    START,
    STATES,
    Decode,
    Floats,
    advance,
    digits_of,
    keys,
    pack,
    unpack,
)

CHANCE = np.random.default_rng(4)
NO_PATH, _ = unpack(b"")


def beliefs(count: int) -> Floats:
    return CHANCE.dirichlet(np.full(STATES, 0.3), count)


@pytest.mark.parametrize("decode", ["marginal", "viterbi"])
def test_a_belief_passed_on_is_what_all_state_sequences_together_say(decode: Decode) -> None:
    steps = CHANCE.uniform(0, 3, (4, FROM, STATES)) * ALLOWED
    ends: list[list[float]] = [[] for _ in range(STATES)]
    for states in product(range(STATES), repeat=len(steps)):
        path = zip(steps, (START, *states), states, strict=False)
        ends[states[-1]].append(float(np.prod([moves[i, j] for moves, i, j in path])))
    wanted = np.array([sum(each) if decode == "marginal" else max(each) for each in ends])

    assert belief_after(steps, decode) == pytest.approx(wanted / wanted.sum(), rel=1e-12)


def test_the_beliefs_of_many_links_are_worked_out_at_once() -> None:
    moves = CHANCE.uniform(0, 1, (7, FROM, STATES))
    before = beliefs(1)[0]
    assert advance(before, moves) == pytest.approx(np.array([advance(before, each) for each in moves]))


def test_where_no_step_is_possible_every_state_is_as_likely() -> None:
    assert advance(NO_PATH, np.zeros((FROM, STATES))).tolist() == [1 / STATES] * STATES


def test_a_link_brings_a_target_nearer_by_one_at_most() -> None:
    for before, state in product(range(STATES), repeat=2):
        assert ALLOWED[before, state] == (state >= before - 1)
    assert ALLOWED[START].all()


def test_scores_sort_as_the_digits_of_beliefs_do() -> None:
    many = np.vstack([beliefs(500), np.repeat(beliefs(20), 5, axis=0) + CHANCE.uniform(0, 2e-3, (100, 1))])
    many = many / many.sum(axis=1, keepdims=True)
    digits = [tuple(int(p / 0.001 + 1e-9) for p in belief) for belief in many.tolist()]
    scores = keys(many)
    assert [digits_of(score) for score in scores] == digits
    order = range(len(scores))
    assert sorted(order, key=lambda n: (scores[n], n)) == sorted(order, key=lambda n: (digits[n], n))
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ([1, 0, 0, 0, 0], [0.999, 0.001, 0, 0, 0]),
        ([0.5, 0.1, 0.1, 0.1, 0.2], [0.499, 0.501, 0, 0, 0]),
        ([0.5004, 0.4, 0, 0, 0.0996], [0.5006, 0.3, 0.1994, 0, 0]),
        ([0, 0, 0, 0.001, 0.999], [0, 0, 0, 0, 1]),
    ],
)
def test_the_chance_of_a_target_comes_first_then_that_of_leading_to_one(
    better: list[float], worse: list[float]
) -> None:
    first, second = keys(np.array([better, worse]))
    assert first > second


def test_the_last_digit_of_the_largest_key_is_not_lost() -> None:
    largest, next_to_it = keys(np.array([[1.0] * 5, [1.0, 1.0, 1.0, 1.0, 0.999]]))
    assert largest > next_to_it
    assert digits_of(next_to_it) == (1000, 1000, 1000, 1000, 999)


def test_a_memo_of_twelve_bytes_holds_a_belief_and_a_rating() -> None:
    some, ratings = beliefs(3), np.array([0.0, 0.25, 1.0])
    for memo, belief, rating in zip(pack(some, ratings), some, ratings, strict=True):
        assert len(memo) == 12
        before, rated = unpack(memo)
        assert before[:STATES] == pytest.approx(belief, abs=1e-5)
        assert before[START] == 0
        assert rated == pytest.approx(rating, abs=1e-5)


@pytest.mark.parametrize("memo", [b"", b"of another strategy"])
def test_what_no_belief_led_to_begins_a_path(memo: bytes) -> None:
    before, rating = unpack(memo)
    assert before.tolist() == [0, 0, 0, 0, 0, 1]
    assert rating == 0
