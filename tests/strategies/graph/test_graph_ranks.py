"""``navigational_rank``, ``personalized_pagerank`` (and ``rank``, ``tiers``), solved exactly on six pages."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from homing.checks.strategy import check_strategy
from homing.errors import UsageError
from homing.judge.keywords import Keywords
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Visit
from homing.strategies.graph.navigational_rank import NavigationalRank
from homing.strategies.graph.personalized_pagerank import PersonalizedPageRank
from homing.strategies.graph.rank import Graph, GraphRank
from homing.strategies.graph.tiers import NOWHERE, tier_of

# 0 is the root, 1 a hub that leads to the target 3 and to 4, which waits; 2 leads to 5, which waits too.
EDGES = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (3, 0), (3, 1)]
SIZE, TARGET = 6, 3
D = 0.2

Floats = NDArray[np.float64]


class SmallView:
    """Six pages, of which 4 and 5 are queued, unless other URLs are."""

    def __init__(self, scores: dict[int, float], queued: tuple[int, ...] = (4, 5)) -> None:
        self.scores = scores
        self.queued = queued

    def waiting(self) -> NDArray[np.int64]:
        return np.array(self.queued)

    def keys(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        return 100 + seqs

    def priorities(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        return np.zeros(len(seqs), dtype=np.int32), np.array([0.25, 0.75, 0.5])[: len(seqs)]

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        sources, targets = np.array(EDGES).T
        return sources, targets

    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        return np.array(list(self.scores)), np.array(list(self.scores.values()))


def adjacency() -> Floats:
    matrix = np.zeros((SIZE, SIZE))
    for source, target in EDGES:
        matrix[source, target] = 1.0
    return matrix


def divided(values: Floats) -> Floats:
    """One over each, 0 for 0."""
    found: Floats = np.array([1 / value if value else 0.0 for value in values])
    return found


def credit() -> Floats:
    return np.array([float(page == TARGET) for page in range(SIZE)], dtype=np.float64)


def solve(matrix: Floats, own: Floats) -> Floats:
    """x = d * own + (1 - d) * matrix @ x."""
    return np.linalg.solve(np.eye(SIZE) - (1 - D) * matrix, D * own).astype(np.float64)


def spread(strategy: GraphRank) -> tuple[Floats, ...]:
    sources, targets = np.array(EDGES).T
    return strategy.spread(Graph(sources, targets, size=SIZE), credit(), ())


def test_values_flow_along_links_either_way() -> None:
    sources, targets = np.array([*EDGES, EDGES[2]]).T  # one link is there twice, and counts twice
    links = adjacency()
    links[EDGES[2]] += 1
    values = np.array([0.5, 0.25, 2.0, 8.0, 0.125, 4.0])
    graph = Graph(sources, targets, size=SIZE)
    assert graph.sums_of_targets(values).tolist() == (links @ values).tolist()
    assert graph.sums_of_sources(values).tolist() == (values @ links).tolist()


@pytest.mark.parametrize("variant", ["mass", "paper"])
def test_navigational_rank_is_the_exact_solution_of_both_equations(variant: str) -> None:
    links = adjacency()
    out, into = divided(links.sum(axis=1)), divided(links.sum(axis=0))
    back = links @ np.diag(into)
    if variant == "paper":
        back = np.diag(out) @ back
    leads = solve(back, credit())
    rank = solve(np.diag(into) @ links.T @ np.diag(out), leads)
    strategy = NavigationalRank(variant="paper" if variant == "paper" else "mass")
    found_leads, found_rank = spread(strategy)
    np.testing.assert_allclose(found_leads, leads, rtol=1e-5, atol=1e-12)
    np.testing.assert_allclose(found_rank, rank, rtol=1e-5, atol=1e-12)
    assert found_rank[4] > found_rank[5] > 0


def test_personalized_pagerank_is_the_exact_solution_and_keeps_all_its_mass() -> None:
    links = adjacency()
    stuck = (links.sum(axis=1) == 0).astype(float)
    flow = links.T @ np.diag(divided(links.sum(axis=1))) + np.outer(credit(), stuck)
    (rank,) = spread(PersonalizedPageRank())
    np.testing.assert_allclose(rank, solve(flow, credit()), rtol=1e-5)
    assert math.isclose(rank.sum(), 1.0, rel_tol=1e-5)


@pytest.mark.parametrize("make", [NavigationalRank, PersonalizedPageRank])
def test_from_warm_numbers_the_same_rank_is_found(make: Callable[[], GraphRank]) -> None:
    cold = spread(make())
    sources, targets = np.array(EDGES).T
    warm = make().spread(
        Graph(sources, targets, size=SIZE), credit(), tuple(each.astype(np.float32) for each in cold)
    )
    for one, other in zip(cold, warm, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4)


@pytest.mark.parametrize("make", [NavigationalRank, PersonalizedPageRank])
def test_what_hangs_on_a_page_that_led_to_a_target_comes_first(make: Callable[[], GraphRank]) -> None:
    strategy = visited(make(), 20)
    ranking = strategy.rerank(SmallView({0: 0.1, 1: 0.2, 2: 0.0, 3: 0.9}))
    assert ranking is not None
    assert ranking.keys.tolist() == [104, 105]
    assert ranking.tiers[0] < ranking.tiers[1]
    assert ranking.scores.tolist() == [0.25, 0.75]


@pytest.mark.parametrize("make", [NavigationalRank, PersonalizedPageRank])
def test_until_a_target_is_found_the_order_stays_that_of_link_context(make: Callable[[], GraphRank]) -> None:
    assert visited(make(), 20).rerank(SmallView({0: 0.1, 1: 0.2, 2: 0.0, 3: 0.4})) is None


def test_the_judges_scores_can_be_the_credit() -> None:
    ranking = visited(NavigationalRank(graded=True), 20).rerank(SmallView({0: 0.1, 1: 0.2, 2: 0.4, 3: 0.0}))
    assert ranking is not None
    assert ranking.tiers[1] < ranking.tiers[0]


def test_a_link_gets_what_its_page_would_hand_it() -> None:
    """A page of rank e**-2 with two links: 0.8 * e**-2 / 2, a hundred tiers for each power of e."""
    strategy = begun(NavigationalRank())
    links = (Link(url="http://a.example/1", around="moths"), Link(url="http://a.example/2", around="trains"))
    proposals = list(strategy.score(visit(Page(url="http://a.example/", links=links), tier=200)))
    assert {each.priority.tier for each in proposals} == {round(-100 * math.log(0.8 * math.exp(-2) / 2))}
    assert proposals[0].priority.score > proposals[1].priority.score
    assert [name for name, _ in proposals[0].why] == ["rank", "page", "context"]


def test_a_link_of_a_new_target_gets_what_personalized_pagerank_will_find_for_it() -> None:
    """One of two targets: half of the restarts, 0.2 of the time; a quarter of 0.8 of that a link."""
    strategy = begun(PersonalizedPageRank())
    links = tuple(Link(url=f"http://a.example/{number}") for number in range(4))
    target = visit(Page(url="http://a.example/", links=links), tier=NOWHERE, score=0.9)
    strategy.learn(visit(Page(url="http://b.example/"), score=0.7))
    strategy.learn(target)
    assert {each.priority.tier for each in strategy.score(target)} == {tier_of(0.8 * 0.2 * 0.5 / 4)}


@pytest.mark.parametrize("make", [NavigationalRank, PersonalizedPageRank])
def test_a_url_keeps_its_best_rank_and_the_best_that_is_said_around_a_link_to_it(
    make: Callable[[], GraphRank],
) -> None:
    why = (("rank", 0.1), ("page", 0.0), ("context", 0.7))
    old = Entry(key=1, url="http://a.example/1", priority=Priority(tier=230, score=0.7), why=why)
    better = Priority(tier=110, score=0.2)
    new = Proposal(url=old.url, priority=better, why=(("rank", 0.3), ("page", 0.1), ("context", 0.1)))
    merged = make().merge(old, new)
    assert merged.priority == Priority(tier=110, score=0.7)
    assert merged.why == (("rank", 0.3), ("page", 0.0), ("context", 0.7))


def test_the_links_of_a_target_come_before_those_of_a_page_without_rank() -> None:
    strategy = begun(NavigationalRank())
    page = Page(url="http://a.example/", links=(Link(url="http://a.example/1"),))
    (of_target,) = strategy.score(visit(page, tier=20_000, score=0.9))
    (of_other,) = strategy.score(visit(page, tier=20_000, score=0.1))
    assert of_target.priority.better_than(of_other.priority)


def test_pages_can_be_taken_breadth_first_to_begin_with() -> None:
    strategy = begun(NavigationalRank(breadth_first=2))
    page = Page(url="http://a.example/", links=(Link(url="http://a.example/1"),))
    tiers = [next(strategy.score(visit(page, step=step, depth=step))).priority.tier for step in (1, 2, 3)]
    assert tiers[0] < tiers[1] < 0 < tiers[2]


def test_a_stopped_crawl_ranks_on_from_the_very_same_numbers() -> None:
    one, other = visited(NavigationalRank(), 20), begun(NavigationalRank())
    view = SmallView({0: 0.1, 1: 0.2, 2: 0.0, 3: 0.9})
    one.rerank(view)
    other.restore(json.loads(json.dumps(one.state())))
    again = [visited(each, 20).rerank(view) for each in (one, other)]
    assert again[0] is not None
    assert again[1] is not None
    assert again[0].tiers.tolist() == again[1].tiers.tolist()


@pytest.mark.parametrize("make", [NavigationalRank, PersonalizedPageRank])
def test_the_url_with_the_highest_number_may_fail_between_two_rankings(make: Callable[[], GraphRank]) -> None:
    scores = {0: 0.1, 1: 0.2, 2: 0.0, 3: 0.9}
    strategy = visited(make(), 20)
    strategy.rerank(SmallView(scores, queued=(4, 5, 6)))
    ranking = visited(strategy, 20).rerank(SmallView(scores))
    assert ranking is not None
    assert ranking.keys.tolist() == [104, 105]
    assert ranking.tiers[0] < ranking.tiers[1]


def test_more_pages_mean_fewer_rankings_unless_a_batch_is_set() -> None:
    view = SmallView({3: 0.9})
    strategy = visited(NavigationalRank(), 2000)
    assert strategy.rerank(view) is not None
    assert visited(strategy, 20).rerank(view) is None
    assert visited(strategy, 21).rerank(view) is not None
    every_ten = visited(NavigationalRank(batch=10), 2000)
    assert every_ten.rerank(view) is not None
    assert visited(every_ten, 10).rerank(view) is not None


@pytest.mark.parametrize("parameters", [{"restart": 0.0}, {"restart": 1.0}, {"batch": -1}])
def test_parameters_out_of_range_are_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="must be"):
        NavigationalRank(**parameters)  # type: ignore[arg-type]


def test_the_papers_variant_passes_the_battery() -> None:
    check_strategy(lambda: NavigationalRank(variant="paper", breadth_first=20, batch=30))


def begun(strategy: GraphRank) -> GraphRank:
    strategy.begin(Keywords("moths").topic())
    return strategy


def visited(strategy: GraphRank, pages: int) -> GraphRank:
    begun(strategy)
    for _ in range(pages):
        strategy.learn(visit(Page(url="http://a.example/")))
    return strategy


def visit(page: Page, *, step: int = 1, tier: int = 0, score: float = 0.0, depth: int = 0) -> Visit:
    entry = Entry(key=1, url=page.url, priority=Priority(tier=tier), depth=depth)
    judgement = Judgement(score=score, relevant=score >= 0.5, judge="keywords")
    return Visit(step=step, entry=entry, page=page, judgement=judgement)
