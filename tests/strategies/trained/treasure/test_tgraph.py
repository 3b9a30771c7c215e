"""The T-Graph: nodes, distances, similarity of passages (``tgraph``, ``passages``, ``postings``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import sqrt

import numpy as np
import pytest
from msgspec import ValidationError

from homing.model import Link, Page
from homing.strategies.trained.treasure.passages import (
    NOWHERE,
    TEXT,
    Node,
    Passage,
    bottom_up,
    nodes_of,
    passages_of,
    top_down,
)
from homing.strategies.trained.treasure.tgraph import MAX_NODES, Average, Enclosing, TGraph
from homing.text.hashing import BUCKETS, bucket
from homing.trails import LocalGraph


def plainly(text: str, main: str = "") -> Passage:
    return Passage(sub_heading="", enclosing=(), main_heading=main, text=text)


def graph_of(nodes: Iterable[Node], average: Average = "present", enclosing: Enclosing = "every") -> TGraph:
    graph = TGraph(average=average, enclosing=enclosing)
    graph.use(nodes)
    return graph


def one_node(passage: Passage, average: Average = "present", enclosing: Enclosing = "every") -> TGraph:
    return graph_of(nodes_of([passage], [1], "en"), average, enclosing)


def page(url: str, links: Mapping[str, str], title: str = "") -> Page:
    """A page with links to these URLs, each in a paragraph of its own."""
    found = tuple(Link(url=to, block=block, place=place) for place, (to, block) in enumerate(links.items()))
    return Page(url=url, title=title, links=found, language="en")


def described(nodes: list[Node], words: str) -> dict[str, int]:
    """The distance of the node whose text has each of these words."""
    by_term = {int(node.features[-1]) - TEXT * BUCKETS: node.distance for node in nodes}
    return {word: by_term[bucket(word)] for word in words.split() if bucket(word) in by_term}


# -- passages


def test_links_of_one_paragraph_share_a_passage_with_its_headings() -> None:
    under = ("Larvae", "Life cycle", "Growth", "Butterflies")
    links = (
        Link(url="a", block="about moths", headings=under),
        Link(url="b", block="about gardens", headings=("Butterflies",)),
        Link(url="c", block="about moths", headings=under),
        Link(url="d", block="about moths"),
    )
    passages, places = passages_of(Page(url="p", title="The title", links=links))
    assert places == [0, 1, 0, 2]
    assert passages == [
        Passage("Larvae", ("Life cycle", "Growth"), "Butterflies", "about moths"),
        Passage("", (), "Butterflies", "about gardens"),
        Passage("", (), "The title", "about moths"),
    ]


# -- distances


WEB = [
    page("home", {"hub": "hubs", "shop": "shops"}),
    page("hub", {"moth": "moths", "leaf": "leaves"}),
    page("leaf", {"hub": "backwards"}),
    page("moth", {"wing": "wings"}),
    page("wing", {}),
    page("shop", {"till": "tills"}),
    page("till", {"away": "elsewhere"}),
]
"""home -> hub -> moth -> wing, leaf -> hub, and a shop that leads to no target."""


def test_top_down_construction_fills_in_every_distance_backwards_from_the_targets() -> None:
    nodes = top_down(LocalGraph(WEB, {"moth", "wing"}))
    assert described(nodes, "moth wing hub backward leav shop till") == {
        "moth": 1,
        "wing": 1,
        "hub": 2,
        "backward": 2,
        "leav": 3,
        "shop": NOWHERE,
        "till": NOWHERE,
    }
    assert len(nodes) == 7  # the paragraph whose link leads out of the graph is no node


def test_bottom_up_construction_climbs_level_by_level_and_stops() -> None:
    graph = LocalGraph(WEB, {"moth", "wing"})
    names = "moth wing hub backward leav shop till"
    assert described(bottom_up(graph, 1), names) == {"moth": 1, "wing": 1}
    assert described(bottom_up(graph, 2), names) == {"moth": 1, "wing": 1, "hub": 2, "backward": 2}
    assert described(bottom_up(graph, 4), names) == {
        name: distance for name, distance in described(top_down(graph), names).items() if distance
    }


def test_a_paragraph_is_as_near_as_its_best_link() -> None:
    both = page("both", {"far": "either way", "moth": "either way"})
    graph = LocalGraph([both, page("far", {"both": "back"}), page("moth", {})], {"moth"})
    assert described(top_down(graph), "way back") == {"way": 1, "back": 2}


# -- OSM


def test_the_similarity_is_the_mean_of_four_cosines() -> None:
    node = Passage("larvae", ("life cycle",), "butterflies", "moth moth wing")
    link = Passage("larvae food", ("life",), "birds", "moth nectar")
    # ISH 1/√2, SH 1/√2, MH 0, DC 2/(√5·√2)
    by_hand = (1 / sqrt(2) + 1 / sqrt(2) + 0 + 2 / sqrt(10)) / 4
    averages: tuple[Average, ...] = "all", "present"
    for average in averages:
        similar = one_node(node, average).similarities([link], "en")
        assert similar[0, 0] == pytest.approx(by_hand)


def test_headings_that_one_side_lacks_count_only_where_all_four_are_averaged() -> None:
    node = Passage("larvae", (), "butterflies", "moth wing")
    link = plainly("moth")
    assert one_node(node).similarities([link], "en")[0, 0] == pytest.approx(1 / sqrt(2))
    assert one_node(node, average="all").similarities([link], "en")[0, 0] == pytest.approx(1 / sqrt(2) / 4)


def test_a_section_is_compared_with_every_heading_around_the_link_or_with_the_nearest() -> None:
    node = Passage("", ("life cycle",), "", "moth")
    link = Passage("eggs", ("growth", "life cycle", "biology"), "", "moth")
    assert one_node(node).similarities([link], "en")[0, 0] == pytest.approx(1)
    assert one_node(node, enclosing="nearest").similarities([link], "en")[0, 0] == pytest.approx(0.5)


def test_the_same_words_in_another_part_are_not_alike() -> None:
    node = Passage("moth", (), "wing", "nectar")
    assert one_node(node).similarities([Passage("wing", ("nectar",), "moth", "moth")], "en")[0, 0] == 0


def test_similarities_agree_with_cosines_worked_out_one_by_one() -> None:
    chance = np.random.default_rng(1)
    common, rare = ["moth", "wing", "nectar", "train"], [f"kiln{number}" for number in range(40)]
    vocabulary = [*common, *rare]  # in many nodes, and in one or two of them

    def text(most: int) -> str:
        few = chance.choice(rare, chance.integers(0, 3))
        return " ".join([*chance.choice(common, chance.integers(0, most + 1)), *few])

    def passage() -> Passage:
        around = tuple(text(2) for _ in range(chance.integers(0, 3)))
        return Passage(text(2), around, text(2), text(6))

    def cosine(one: str, other: str) -> float:
        a, b = ([each.split().count(word) for word in vocabulary] for each in (one, other))
        return float(np.dot(a, b) / ((np.linalg.norm(a) * np.linalg.norm(b)) or 1))

    nodes, links = [passage() for _ in range(30)], [passage() for _ in range(20)]
    similar = graph_of(nodes_of(nodes, [1] * 30, "en"), average="all").similarities(links, "en")
    for row, link in enumerate(links):
        for column, node in enumerate(nodes):
            section = "".join(node.enclosing[:1])
            around = max((cosine(section, heading) for heading in link.enclosing), default=0.0)
            others = (cosine(node[part], link[part]) for part in (0, 2, 3))  # type: ignore[arg-type]
            assert similar[row, column] == pytest.approx((around + sum(others)) / 4, abs=1e-6)


# -- keeping


def test_nodes_survive_a_trip_through_json_and_no_serial_is_given_twice() -> None:
    graph = graph_of(nodes_of([plainly("moth"), plainly("wing"), plainly("train")], [4, 1, NOWHERE], "en"))
    graph.nodes[1].uses, graph.nodes[1].hits = 3.25, 0.1
    graph.use([graph.nodes[0], graph.nodes[1]])
    restored = graph_of([])
    restored.use_plain(json.loads(json.dumps(graph.plain())))
    assert restored.plain() == graph.plain()
    restored.use([*restored.nodes, *nodes_of([plainly("kiln")], [1], "en")])
    assert [node.serial for node in restored.nodes] == [1, 2, 4]


@pytest.mark.parametrize(
    "data", [{}, {"nodes": [[1]]}, {"last_serial": 1, "nodes": [[1, 1, 0, 0, [1 << 20], [1]]]}]
)
def test_other_data_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        graph_of([]).use_plain(data)


def test_beyond_five_thousand_the_useful_nodes_of_each_distance_are_kept() -> None:
    none = np.zeros(0, np.int32), np.zeros(0, np.float32)
    many = [Node(*none, distance=1) for _ in range(MAX_NODES)]
    few = [Node(*none, distance=2) for _ in range(10)]
    many[7].uses = many[7].hits = 5.0
    many[9].uses = 5.0
    graph = graph_of([*many, *few])
    assert len(graph.nodes) == MAX_NODES
    kept = {node.serial for node in graph.nodes}
    assert {node.serial for node in few} <= kept
    assert many[7].serial in kept
    assert many[9].serial not in kept
