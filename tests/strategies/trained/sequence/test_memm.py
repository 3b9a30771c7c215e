"""The maximum entropy Markov model against all state sequences."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest
from tests.strategies.toys import belief_after

from homing.strategies.trained.sequence.belief import ALLOWED, FROM, START, STATES, Floats
from homing.strategies.trained.sequence.memm import Memm
from homing.strategies.trained.sequence.sequences import Sequences

CHANCE = np.random.default_rng(2)


def sequence(states: list[int]) -> Sequences:
    """One path; what was observed is in the moves already."""
    return Sequences(
        rows=None,
        made_of=None,
        kinds=np.zeros(len(states), np.intp),
        before=np.array([START, *states[:-1]]),
        states=np.array(states),
        groups=[(0, 1, len(states))],
    )


def local_chance(moves: Floats, before: int, state: int) -> float:
    """Equation 13, by hand."""
    sums = [math.exp(moves[before, each]) for each in range(STATES) if ALLOWED[before, each]]
    return math.exp(moves[before, state]) / sum(sums) if ALLOWED[before, state] else 0.0


def test_the_likelihood_of_a_path_is_the_product_of_its_steps() -> None:
    moves, states = CHANCE.normal(0, 2, (4, FROM, STATES)), [3, 2, 2, 1]
    wanted = [
        local_chance(step, i, j) for step, i, j in zip(moves, [START, *states[:-1]], states, strict=True)
    ]
    value, _ = Memm().likelihood(moves, sequence(states))
    assert value == pytest.approx(math.log(math.prod(wanted)))


def test_all_paths_together_have_the_chance_of_one() -> None:
    moves, strategy = CHANCE.normal(0, 2, (3, FROM, STATES)), Memm()
    possible = [
        list(states)
        for states in product(range(STATES), repeat=3)
        if all(ALLOWED[i, j] for i, j in pairwise(states))
    ]
    total = sum(math.exp(strategy.likelihood(moves, sequence(states))[0]) for states in possible)
    assert total == pytest.approx(1)


def test_its_gradient_by_moves_is_that_of_finite_differences() -> None:
    moves, states, strategy = CHANCE.normal(0, 2, (3, FROM, STATES)), [1, 0, 4], Memm()
    _, gradient = strategy.likelihood(moves, sequence(states))
    for place in np.ndindex(*moves.shape):
        nudge = np.zeros_like(moves)
        nudge[place] = 1e-6
        above, below = (strategy.likelihood(moves + sign * nudge, sequence(states))[0] for sign in (1, -1))
        assert gradient[place] == pytest.approx((above - below) / 2e-6, abs=1e-6)


def test_steps_of_the_crawl_are_chances_and_never_leap() -> None:
    chances = Memm().chances(CHANCE.normal(0, 5, (6, FROM, STATES)))
    assert chances.sum(axis=-1) == pytest.approx(np.ones((6, FROM)))
    assert not chances[:, ~ALLOWED].any()


def test_what_is_believed_along_a_path_is_what_all_state_sequences_say() -> None:
    moves = CHANCE.normal(0, 2, (4, FROM, STATES))
    wanted = np.zeros(STATES)
    for states in product(range(STATES), repeat=4):
        path = zip(moves, (START, *states), states, strict=False)
        wanted[states[-1]] += math.prod(local_chance(step, i, j) for step, i, j in path)
    assert belief_after(Memm().chances(moves)) == pytest.approx(wanted)
