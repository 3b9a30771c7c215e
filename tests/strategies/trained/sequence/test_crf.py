"""The conditional random field against all state sequences."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from tests.strategies.toys import belief_after

from homing.strategies.trained.sequence.belief import ALLOWED, FROM, START, STATES, Decode, Floats
from homing.strategies.trained.sequence.crf import Crf
from homing.strategies.trained.sequence.sequences import Sequences

CHANCE = np.random.default_rng(5)
LENGTHS = (2, 2, 4)
PATHS = ((1, 0), (4, 3), (2, 1, 0, 3))


def sequences() -> Sequences:
    """Three paths, two of them of one length; what was observed is in the moves already."""
    return Sequences(
        rows=None,
        made_of=None,
        kinds=np.zeros(sum(LENGTHS), np.intp),
        before=np.array([state for path in PATHS for state in (START, *path[:-1])]),
        states=np.array([state for path in PATHS for state in path]),
        groups=[(0, 2, 2), (4, 1, 4)],
    )


def strength(moves: Floats, states: tuple[int, ...]) -> float:
    """What stands above the fraction bar of equation 26; nothing for a path that leaps."""
    path = list(zip(moves, (START, *states), states, strict=False))
    if not all(ALLOWED[i, j] for _, i, j in path):
        return 0.0
    return math.exp(sum(step[i, j] for step, i, j in path))


def by_path(moves: Floats) -> list[Floats]:
    return np.split(moves, np.cumsum(LENGTHS)[:-1])


def test_the_likelihood_of_paths_is_their_share_of_all_there_could_be() -> None:
    moves = CHANCE.normal(0, 2, (sum(LENGTHS), FROM, STATES))
    wanted = 0.0
    for mine, path in zip(by_path(moves), PATHS, strict=True):
        everything = sum(strength(mine, states) for states in product(range(STATES), repeat=len(path)))
        wanted += math.log(strength(mine, path) / everything)
    value, _ = Crf().likelihood(moves, sequences())
    assert value == pytest.approx(wanted)


def test_its_gradient_is_what_was_seen_less_what_was_to_be_expected() -> None:
    moves = CHANCE.normal(0, 2, (sum(LENGTHS), FROM, STATES))
    wanted = np.zeros_like(moves)
    for mine, path, gradient in zip(by_path(moves), PATHS, by_path(wanted), strict=True):
        every = list(product(range(STATES), repeat=len(path)))
        total = sum(strength(mine, states) for states in every)
        for states in every:
            share = strength(mine, states) / total
            for step, (i, j) in enumerate(zip((START, *states), states, strict=False)):
                gradient[step, i, j] += (states == path) - share
    _, found = Crf().likelihood(moves, sequences())
    assert found == pytest.approx(wanted, abs=1e-9)


def test_its_gradient_is_that_of_finite_differences() -> None:
    moves, strategy = CHANCE.normal(0, 2, (sum(LENGTHS), FROM, STATES)), Crf()
    _, gradient = strategy.likelihood(moves, sequences())
    for place in np.ndindex(*moves.shape):
        nudge = np.zeros_like(moves)
        nudge[place] = 1e-6
        above, below = (strategy.likelihood(moves + sign * nudge, sequences())[0] for sign in (1, -1))
        assert gradient[place] == pytest.approx((above - below) / 2e-6, abs=1e-6)


def test_huge_weights_overflow_nothing() -> None:
    moves = CHANCE.normal(0, 1e4, (sum(LENGTHS), FROM, STATES))
    value, gradient = Crf().likelihood(moves, sequences())
    assert math.isfinite(value)
    assert np.isfinite(gradient).all()
    assert np.isfinite(Crf().strengths(moves)).all()


@pytest.mark.parametrize("decode", ["marginal", "viterbi"])
def test_what_is_believed_along_a_path_is_what_all_state_sequences_say(decode: Decode) -> None:
    moves = CHANCE.normal(0, 2, (4, FROM, STATES))
    ends: list[list[float]] = [[] for _ in range(STATES)]
    for states in product(range(STATES), repeat=4):
        ends[states[-1]].append(strength(moves, states))
    wanted = np.array([sum(each) if decode == "marginal" else max(each) for each in ends])
    assert belief_after(Crf().strengths(moves), decode) == pytest.approx(wanted / wanted.sum())
