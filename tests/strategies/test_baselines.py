"""The four strategies everything else is measured against."""

from __future__ import annotations

import pytest

from homing.errors import UsageError
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Topic, Visit
from homing.registry import make
from homing.strategies import Strategy
from homing.strategies.best_first import BestFirst
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.link_context import LinkContext
from homing.strategies.random_order import RandomOrder

RATINGS = {"butterflies": 0.8, "trains": 0.0}
TOPIC = Topic(text="butterflies", rate=lambda texts: [RATINGS.get(text, 0.0) for text in texts])


def visit(*links: Link, score: float = 0.6, depth: int = 0) -> Visit:
    entry = Entry(key=1, url="http://a.example/", priority=Priority(score=1.0), depth=depth)
    judgement = Judgement(score=score, relevant=score >= 0.5, judge="test")
    return Visit(step=0, entry=entry, page=Page(url=entry.url, links=links), judgement=judgement)


def proposals(strategy: Strategy, of: Visit) -> list[Proposal]:
    strategy.begin(TOPIC)
    strategy.learn(of)
    return list(strategy.score(of))


ONE, TWO = (
    Link(url="http://a.example/1", around="butterflies"),
    Link(url="http://a.example/2", around="trains"),
)


def test_breadth_first_puts_links_one_level_below_their_page() -> None:
    assert [each.priority for each in proposals(BreadthFirst(), visit(ONE, TWO, depth=3))] == [
        Priority(tier=4)
    ] * 2


def test_breadth_first_moves_a_url_up_to_the_nearest_level() -> None:
    strategy = BreadthFirst()
    deep = Entry(key=1, url=ONE.url, priority=Priority(tier=5))
    near = proposals(strategy, visit(ONE, depth=1))[0]
    assert strategy.merge(deep, near).priority == Priority(tier=2)
    shallow = Entry(key=1, url=ONE.url, priority=Priority(tier=1))
    assert strategy.merge(shallow, near).priority == Priority(tier=1)


def test_random_order_depends_on_url_and_seed_alone() -> None:
    strategy = RandomOrder(seed=7)
    first = [each.priority.score for each in proposals(strategy, visit(ONE, TWO, score=0.1))]
    assert first == [each.priority.score for each in proposals(strategy, visit(ONE, TWO, score=0.9, depth=4))]
    assert first != [each.priority.score for each in proposals(RandomOrder(seed=8), visit(ONE, TWO))]


def test_random_order_is_spread_evenly() -> None:
    links = tuple(Link(url=f"http://a.example/{number}") for number in range(2_000))
    drawn = [each.priority.score for each in proposals(RandomOrder(), visit(*links))]
    assert all(0 <= number < 1 for number in drawn)
    for tenth in range(10):
        assert 140 < sum(tenth / 10 <= number < (tenth + 1) / 10 for number in drawn) < 260


def test_best_first_gives_every_link_the_score_of_its_page() -> None:
    first, second = proposals(BestFirst(), visit(ONE, TWO, score=0.6))
    assert first.priority == second.priority == Priority(score=0.6)
    assert first.why == (("page", 0.6),)


def test_best_first_keeps_the_better_of_two_parents() -> None:
    strategy = BestFirst()
    known = Entry(key=1, url=ONE.url, priority=Priority(score=0.6))
    for score, kept in ((0.2, 0.6), (0.9, 0.9)):
        assert strategy.merge(known, proposals(strategy, visit(ONE, score=score))[0]).priority.score == kept


def test_link_context_adds_a_quarter_of_the_page_and_three_quarters_of_the_window() -> None:
    first, second = proposals(LinkContext(), visit(ONE, TWO, score=0.6))
    assert first.priority.score == pytest.approx(0.25 * 0.6 + 0.75 * 0.8)
    assert second.priority.score == pytest.approx(0.25 * 0.6)
    assert dict(first.why) == pytest.approx({"page": 0.15, "context": 0.6})


def test_link_context_rates_all_windows_of_a_page_in_one_call() -> None:
    calls: list[list[str]] = []

    def rate(texts: list[str]) -> list[float]:
        calls.append(texts)
        return [0.0] * len(texts)

    strategy = LinkContext()
    strategy.begin(Topic(text="", rate=rate))
    list(strategy.score(visit(ONE, TWO)))
    assert calls == [["butterflies", "trains"]]


def test_the_weight_of_the_page_can_be_set() -> None:
    strategy = make(LinkContext, {"page-weight": "1"})
    assert [each.priority.score for each in proposals(strategy, visit(ONE, TWO, score=0.6))] == [0.6, 0.6]


def test_a_weight_beyond_one_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r'strategy "link-context": "page_weight" must be from 0 to 1, not 1.5'
    ):
        LinkContext(page_weight=1.5)


@pytest.mark.parametrize("make_one", [BreadthFirst, RandomOrder, BestFirst, LinkContext])
def test_every_baseline_merges_by_the_function_the_frontier_has_a_short_cut_for(
    make_one: type[Strategy],
) -> None:
    assert not make_one().additive
