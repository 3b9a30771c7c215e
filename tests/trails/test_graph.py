"""Local graphs: distances and walks. The example is what the PM paper tells of its figure 5."""

from __future__ import annotations

from itertools import pairwise

from homing.model import Link, Page
from homing.trails import LocalGraph

LAYERS = {"0": 0, "1": 1, "2": 1, "3": 2, "4": 2, "5": 2, "6": 3, "7": 3, "8": 3, "9": 4}
LINKS = {
    "0": ["5"],
    "1": ["0"],
    "2": ["0"],
    "3": ["1", "4"],
    "4": ["1", "2", "7"],
    "5": ["2"],
    "6": ["4"],
    "7": ["3", "4"],
    "8": ["4", "1", "5"],
    "9": ["7", "8"],
}


def page(name: str) -> Page:
    links = [Link(url=each, anchor=f"to {each}", place=place) for place, each in enumerate(LINKS[name])]
    return Page(url=name, links=tuple(links))


def figure_5(targets: set[str]) -> LocalGraph:
    return LocalGraph(map(page, LINKS), targets, LAYERS)


def test_distances_are_hops_to_the_nearest_target() -> None:
    assert figure_5({"0"}).distances == {
        "0": 0, "1": 1, "2": 1, "3": 2, "4": 2, "5": 2, "6": 3, "7": 3, "8": 2, "9": 3
    }  # fmt: skip


def test_new_targets_bring_all_pages_nearer() -> None:
    """Pages 5 and 7 are promoted: the states of nodes 0 to 9 as the paper lists them."""
    distances = figure_5({"0", "5", "7"}).distances
    assert [distances[name] for name in "0123456789"] == [0, 1, 1, 2, 1, 0, 2, 0, 1, 1]


def test_the_state_sequence_of_a_walk_is_that_of_the_new_distances() -> None:
    distances = figure_5({"0", "5", "7"}).distances
    assert [distances[name] for name in "973420"] == [1, 0, 2, 1, 1, 0]
    assert [distances[name] for name in "97410"] == [1, 0, 1, 1, 0]


def test_walks_never_lead_up_before_a_target_is_reached_and_meet_no_page_twice() -> None:
    graph = figure_5({"0"})
    for trail in graph.trails(300, seed=3, past_targets=False):
        names = [step.page.url for step in trail]
        assert 2 <= len(names) <= 10
        assert len(set(names)) == len(names)
        for one, other in pairwise(trail):
            assert LAYERS[other.page.url] <= LAYERS[one.page.url]
            assert other.link is not None
            assert other.link in one.page.links
            assert other.distance == graph.distances[other.page.url]
        assert trail[0].link is None


def test_walks_may_go_on_past_a_target() -> None:
    trails = figure_5({"0"}).trails(300, seed=3)
    beyond = [trail for trail in trails if any(step.distance == 0 for step in trail[:-1])]
    assert any(trail[-1].page.url == "5" for trail in beyond)


def test_all_distances_are_met_about_equally_often_at_the_start() -> None:
    starts = [trail[0].distance for trail in figure_5({"0"}).trails(900, seed=1)]
    assert all(starts.count(distance) > 150 for distance in range(4))


def test_the_same_seed_draws_the_same_walks() -> None:
    assert figure_5({"0"}).trails(20, seed=5) == figure_5({"0"}).trails(20, seed=5)


def test_a_graph_without_targets_has_no_walks() -> None:
    graph = figure_5(set())
    assert graph.trails(10, seed=0) == []
    assert len(graph.others()) == 10


def test_layers_are_pages_by_distance() -> None:
    assert [each.url for each in figure_5({"0"}).layer(1)] == ["1", "2"]
