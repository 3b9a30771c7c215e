"""How near a target is, by the nodes that a passage is like (``treasure``, ``tgraph``)."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from homing.strategies.trained.treasure.passages import NOWHERE, Node, Passage, nodes_of
from homing.strategies.trained.treasure.treasure import Estimate, Treasure


def plainly(text: str) -> Passage:
    return Passage(sub_heading="", enclosing=(), main_heading="", text=text)


def knowing(nodes: list[Node], **parameters: object) -> Treasure:
    """A strategy whose T-Graph has these nodes."""
    strategy = Treasure(**parameters)  # type: ignore[arg-type]
    strategy._graph.use(nodes)
    return strategy


NODES = [plainly("moth"), plainly("moth wing wing wing"), plainly("moth train train")]
"""cos(moth): 1, 1/√10 = .316, 1/√5 = .447"""


@pytest.mark.parametrize(
    ("aggregate", "nearest", "nearness"),
    [
        ("min", 10, 1.0),
        ("weighted", 10, (1 / 4 + 0.31622 * 1 + 0.44721 * 0) / (1 + 0.31622 + 0.44721)),
        ("topk", 10, (1 / 4 + 0.31622 * 1 + 0.44721 * 0) / (1 + 0.31622 + 0.44721)),
        ("topk", 2, (1 / 4 + 0.44721 * 0) / (1 + 0.44721)),
        ("topk", 1, 1 / 4),
    ],
)
def test_what_the_nodes_come_to(aggregate: str, nearest: int, nearness: float) -> None:
    nodes = nodes_of(NODES, [4, 1, NOWHERE], "en")
    strategy = knowing(nodes, aggregate=aggregate, nearest=nearest, doubt=0)
    assert strategy.estimates([plainly("moth")], "en")[0].nearness == pytest.approx(nearness, abs=1e-4)


def test_the_nearest_target_any_similar_node_promises_is_named_with_that_node() -> None:
    strategy = knowing(nodes_of(NODES, [4, 1, NOWHERE], "en"), aggregate="min")
    [found] = strategy.estimates([plainly("moth")], "en")
    assert found == Estimate(1.0, 2, found.similarity, 1)
    assert found.similarity == pytest.approx(1 / sqrt(10))


def test_a_passage_like_no_node_is_worth_one_by_the_levels_and_one() -> None:
    strategy = knowing(nodes_of(NODES, [4, 1, NOWHERE], "en"), threshold=0.5)
    assert strategy.estimates([plainly("kiln"), plainly("")], "en") == [Estimate(1 / 5)] * 2
    assert knowing([]).estimates([plainly("kiln")], "en") == [Estimate(1.0)]


def test_a_node_counts_from_the_threshold_on() -> None:
    nodes = nodes_of([plainly("moth wing")], [2], "en")
    passage = [plainly("moth")]
    assert knowing(nodes, threshold=0.70, doubt=0).estimates(passage, "en")[0].nearness == 1 / 2
    assert knowing(nodes, threshold=0.72).estimates(passage, "en")[0].nearness == pytest.approx(1 / 3)


def test_a_passage_like_those_that_lead_nowhere_is_worth_nothing_unless_only_ways_count() -> None:
    nodes = nodes_of([plainly("moth"), plainly("train")], [1, NOWHERE], "en")
    assert knowing(nodes, doubt=0).estimates([plainly("train")], "en") == [Estimate(0.0)]
    assert knowing(nodes, aggregate="min").estimates([plainly("train")], "en") == [Estimate(1 / 2)]


def test_a_faint_likeness_hardly_moves_what_is_thought_of_the_unknown() -> None:
    nodes = nodes_of([plainly("moth"), plainly("kiln")], [1, 4], "en")
    faint = [plainly("moth " + "nectar " * 10)]  # cos = 1/√101 = .0995; nothing known: 1/5
    assert knowing(nodes, doubt=0).estimates(faint, "en")[0].nearness == pytest.approx(1)
    by_hand = (0.0995 * 1 + 1 * 0.2) / (0.0995 + 1)
    assert knowing(nodes, doubt=1).estimates(faint, "en")[0].nearness == pytest.approx(by_hand, abs=1e-4)
    assert knowing(nodes, doubt=1, aggregate="min").estimates(faint, "en")[0].nearness == 1


def test_many_passages_are_estimated_as_each_would_be_alone() -> None:
    strategy = knowing(nodes_of(NODES, [4, 1, NOWHERE], "en"))
    passages = [plainly(("moth " * (number % 7)) + "train " * (number % 5)) for number in range(200)]
    assert strategy.estimates(passages, "en") == [strategy.estimates([each], "en")[0] for each in passages]


@pytest.mark.parametrize("aggregate", ["topk", "weighted", "min"])
def test_of_thousands_of_nodes_the_nearest_are_those_that_sorting_finds(aggregate: str) -> None:
    chance = np.random.default_rng(3)
    words = [f"kiln{number}" for number in range(30)]
    texts = [" ".join(chance.choice(words, chance.integers(1, 8))) for _ in range(1_000)]
    distances = chance.integers(0, 5, len(texts)).tolist()
    nodes = nodes_of([plainly(text) for text in texts], distances, "en")
    strategy = knowing(nodes, aggregate=aggregate, nearest=7, threshold=0.3)
    passages = [plainly(text) for text in texts[:20]]
    for row, found in zip(
        strategy._graph.similarities(passages, "en"), strategy.estimates(passages, "en"), strict=True
    ):
        order = np.argsort(-row, kind="stable")[: 7 if aggregate == "topk" else None]
        alike = [(float(row[place]), distances[place]) for place in order if row[place] >= 0.3]
        if aggregate == "min":
            by_hand = 1 / min(distance for _, distance in alike if distance)
        else:
            nearness = sum(weight / distance for weight, distance in alike if distance)
            by_hand = (nearness + 1 / 5) / (sum(weight for weight, _ in alike) + 1)
        assert found.nearness == pytest.approx(by_hand, abs=1e-5)
