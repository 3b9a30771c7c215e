"""The hybrid of link structure and content: seed pages, candidates, and the rank formula."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import pytest
from msgspec.structs import replace

from homing.checks.replays import replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Topic, Visit
from homing.strategies import Strategy
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.graph.hybrid import Candidate, Hybrid
from homing.strategies.graph.tiers import NOWHERE
from homing.strategies.random_order import RandomOrder

STEPS = iter(range(1, 1_000_000))
TOPIC = Topic(text="moths", rate=lambda texts: [float(text == "moths") for text in texts])


def visit(url: str, *links: str, score: float = 0.0, parent: int | None = 0) -> Visit:
    entry = Entry(key=1, url=url, priority=Priority(), parent=parent)
    page = Page(url=url, links=tuple(Link(url=each, place=n) for n, each in enumerate(links)))
    judgement = Judgement(score=score, relevant=score >= 0.5, judge="test")
    return Visit(step=next(STEPS), entry=entry, page=page, judgement=judgement)


def behind(strategy: Strategy, of: Visit) -> dict[str, bool]:
    """Whether each link of a page waits behind those of all seed pages."""
    strategy.learn(of)
    return {each.url: each.priority.tier > NOWHERE for each in strategy.score(of)}


def paper() -> Hybrid:
    return Hybrid(links="count", order="page", session=0)


def by_context(session: int = 5, candidates: int = 1_000) -> Hybrid:
    strategy = Hybrid(order="context", session=session, candidates=candidates)
    strategy.begin(TOPIC)
    return strategy


def test_rank_is_links_with_seed_pages_times_similarity_and_a_tenth() -> None:
    candidate = Candidate(similarity=0.4, links={}, to_seeds=3, from_seeds=2)
    assert paper().rank(candidate) == pytest.approx(5 * 0.5)
    assert Hybrid(links="log").rank(candidate) == pytest.approx(log(6) * 0.5)


def test_links_of_the_first_pages_come_before_those_of_candidates() -> None:
    strategy = paper()
    first = behind(strategy, visit("seed", "a", "b", "c", parent=None))
    assert first == {"a": False, "b": False, "c": False}
    assert behind(strategy, visit("a", "x", "y", score=0.9)) == {"x": True, "y": True}


def test_the_best_candidate_becomes_a_seed_page_when_the_session_is_over() -> None:
    strategy = paper()
    strategy.learn(visit("seed", "a", "b", parent=None))
    strategy.learn(visit("a", "x", "y", score=0.9))
    # a: one link from a seed page, none to it: 1 * 1.0. b: from and to: 2 * (.1 + .2) = .6.
    found = behind(strategy, visit("b", "seed", "z", score=0.2))
    assert found == {"x": False, "y": False, "seed": True, "z": True}


def test_links_to_a_new_seed_page_and_from_it_are_counted() -> None:
    strategy = paper()
    strategy.learn(visit("seed", "a", "b", "c", parent=None))
    strategy.learn(visit("b", "a", "p", score=0.3))
    strategy.learn(visit("c", "q", score=0.35))
    # a wins and links to c; b links to a. Then b: (1 from seed + 1 to a) * .4 = .8, c: (1 + 1) * .45 = .9.
    assert behind(strategy, visit("a", "c", "x", score=0.9)) == {"x": False, "c": True}
    assert behind(strategy, visit("x", score=0.0)) == {"q": False}


def test_a_session_may_be_cut_short() -> None:
    strategy = by_context(session=2)
    strategy.learn(visit("seed", *"abcdef", parent=None))
    strategy.learn(visit("a", "x", score=0.9))
    assert behind(strategy, visit("b", "y", score=0.1)) == {"x": False, "y": True}


def test_links_of_a_seed_page_are_in_the_order_of_their_contexts_or_of_the_page() -> None:
    seed = visit("seed", "a", "b", parent=None)
    links = (Link(url="a", around="trains", place=0), Link(url="b", around="moths", place=1))
    seed = replace(seed, page=Page(url="seed", links=links))
    for strategy, best in ((by_context(), "b"), (paper(), "a")):
        strategy.learn(seed)
        assert max(strategy.score(seed), key=lambda each: each.priority.score).url == best


def test_a_url_keeps_its_best_rank_and_its_best_context() -> None:
    of_a_seed_page = Proposal(url="a", priority=Priority(tier=50, score=0.1), why=(("r", 1.0), ("link", 0.1)))
    of_a_candidate = Entry(
        key=1, url="a", priority=Priority(tier=NOWHERE, score=0.9), why=(("r", 0.0), ("link", 0.9))
    )
    merged = Hybrid().merge(of_a_candidate, of_a_seed_page)
    assert merged.priority == Priority(tier=50, score=0.9)
    assert merged.why == (("r", 1.0), ("link", 0.9))


def test_candidates_that_lead_to_nothing_new_are_passed_over_at_once() -> None:
    strategy = paper()
    strategy.learn(visit("seed", "a", "b", parent=None))
    strategy.learn(visit("a", "b", "seed", score=0.9))
    assert not behind(strategy, visit("b", "new", score=0.0))["new"]


def test_a_seed_comes_before_all_links() -> None:
    assert paper().start("late").priority.tier < 0


def test_the_lowest_candidates_make_room() -> None:
    strategy = by_context(candidates=10, session=1_000)
    strategy.learn(visit("seed", *(f"p{number}" for number in range(40)), parent=None))
    for number in range(39):
        strategy.learn(visit(f"p{number}", f"q{number}", score=number / 40))
    kept = strategy.state()["candidates"]
    assert isinstance(kept, list)
    assert "p38" in {row[0] for row in kept}
    assert len(kept) <= 10


@pytest.mark.parametrize("make", [Hybrid, paper, lambda: Hybrid(order="context")])
@pytest.mark.parametrize("seed", range(5))
def test_it_beats_those_who_do_not_read(make: Callable[[], Strategy], seed: int) -> None:
    web = toy_web(seed=seed)
    mine = replay(web, make(), pages=72).harvest
    assert mine > replay(web, BreadthFirst(), pages=72).harvest
    assert mine > replay(web, RandomOrder(), pages=72).harvest


@pytest.mark.parametrize("make", [paper, lambda: Hybrid(order="context")])
def test_the_variants_pass_the_battery(make: Callable[[], Strategy]) -> None:
    check_strategy(make)
