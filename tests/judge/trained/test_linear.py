"""Scorers: weights and what comes of them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from homing.errors import ModelError
from homing.judge.neural import Net
from homing.judge.trained.linear import Linear, Nearest, Scorer

LINEAR = Linear({"moth": 2.0, "train": -1.0, "none": 0.0}, bias=0.25)
NEAREST = Nearest([{"moth": 0.6, "wing": 0.8}, {"egg": 1.0}])
NET = Net(
    ["moth", "train"],
    np.array([[1.0, -2.0], [-0.5, 0.25]]),
    np.array([0.1, -0.1]),
    np.array([1.5, -0.5]),
    bias=0.2,
)
SCORERS: tuple[Scorer, ...] = (LINEAR, NEAREST, NET)
PAGE = {"moth": 0.5, "train": 0.25, "wing": 0.5, "garden": 0.5}


def test_a_linear_score_is_the_sum_of_its_parts_and_the_bias() -> None:
    assert LINEAR.score(PAGE) == 1.0
    assert dict(LINEAR.explain(PAGE)[1]) == {"moth": 1.0, "train": -0.25}
    assert LINEAR.weights() == {"moth": 2.0, "train": -1.0}


def test_the_nearest_vector_decides_alone() -> None:
    assert NEAREST.score(PAGE) == pytest.approx(0.7)
    assert dict(NEAREST.explain(PAGE)[1]) == {"moth": pytest.approx(0.3), "wing": pytest.approx(0.4)}
    assert NEAREST.score({"egg": 0.9}) == pytest.approx(0.9)


def test_a_net_is_computed_as_the_formula_says() -> None:
    hidden = np.tanh([0.1 + 0.5 * 1 - 0.25 * 0.5, -0.1 - 0.5 * 2 + 0.25 * 0.25])
    assert NET.score(PAGE) == pytest.approx(1.5 * hidden[0] - 0.5 * hidden[1] + 0.2)


def test_the_parts_of_a_net_are_what_a_little_more_of_each_term_would_add() -> None:
    little = 1e-6
    for term, part in NET.explain(PAGE)[1]:
        more = {**PAGE, term: PAGE[term] * (1 + little)}
        assert (NET.score(more) - NET.score(PAGE)) / little == pytest.approx(part, rel=1e-3)


@pytest.mark.parametrize("scorer", SCORERS)
def test_many_vectors_are_scored_as_each_alone(scorer: Scorer) -> None:
    vectors = [PAGE, {}, {"garden": 1.0}, {"moth": 1.0}]
    assert scorer.scores(vectors) == pytest.approx([scorer.score(vector) for vector in vectors])
    assert scorer.scores(vectors) == pytest.approx([scorer.explain(vector)[0] for vector in vectors])
    assert scorer.scores([]) == []


@pytest.mark.parametrize("scorer", SCORERS)
def test_a_scorer_comes_back_from_json(scorer: Scorer) -> None:
    again: Scorer = type(scorer).from_state(json.loads(json.dumps(scorer.state())))  # type: ignore[attr-defined]
    assert again.score(PAGE) == scorer.score(PAGE)
    assert again.state() == scorer.state()


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (Linear, {"weights": {"moth": "heavy"}, "bias": 0.0}),
        (Linear, {"weights": {"moth": float("inf")}, "bias": 0.0}),
        (Linear, {"weights": {"moth": True}, "bias": 0.0}),
        (Linear, {"weights": {}}),
        (Nearest, {"vectors": []}),
        (Nearest, {"vectors": [1]}),
        (Net, {**NET.state(), "outer": [1.0]}),
        (Net, {**NET.state(), "outer": []}),
        (Net, {**NET.state(), "terms": ["moth"]}),
        (Net, {**NET.state(), "inner": [[1.0, 2.0], [1.0]]}),
        (Net, {**NET.state(), "terms": ["moth", 7]}),
        (Net, {**NET.state(), "bias": None}),
    ],
)
def test_a_damaged_scorer_is_refused(kind: type[Linear | Nearest | Net], state: object) -> None:
    with pytest.raises(ModelError, match="the model is damaged"):
        kind.from_state(state)
