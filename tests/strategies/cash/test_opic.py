"""OPIC: cash moves along links and none gets lost (``flow``, ``ledger``, ``accounts``)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from homing.checks.replays import ToyCrawl
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.model import Entry, Failure, Judgement, Link, Page, Priority, Proposal, Visit
from homing.strategies import Strategy
from homing.strategies.cash.flow import CashFlow
from homing.strategies.cash.ledger import Recrawl
from homing.strategies.cash.opic import Opic
from homing.strategies.cash.otie import Otie


def visit(url: str, *links: str, cash: float = 1.0, step: int = 1, score: float = 0.5) -> Visit:
    entry = Entry(key=step, url=url, priority=Priority(score=cash))
    page = Page(url=url, links=tuple(Link(url=each, place=n) for n, each in enumerate(links)))
    judgement = Judgement(score=score, relevant=score >= 0.5, judge="test")
    return Visit(step=step, entry=entry, page=page, judgement=judgement)


def paid(strategy: Strategy, of: Visit) -> dict[str, float]:
    strategy.learn(of)
    return {each.url: each.priority.score for each in strategy.score(of)}


def in_circulation(crawl: ToyCrawl) -> float:
    """All cash there is, but for what equation 3 has made of it."""
    strategy = crawl.strategy
    assert isinstance(strategy, CashFlow)
    held = sum(entry.priority.score for entry in crawl.entries.values())
    return held + strategy.waiting + strategy.virtual - strategy.gained


def test_a_page_gives_all_its_links_the_same() -> None:
    assert paid(Opic(), visit("a", "b", "c", "d", "e", cash=2.0)) == dict.fromkeys("bcde", 0.5)


def test_a_link_counts_once_and_one_to_the_page_itself_not_at_all() -> None:
    assert paid(Opic(), visit("a", "b", "a", "b", "c")) == {"b": 0.5, "c": 0.5}


def test_cash_of_two_parents_adds_up() -> None:
    old = Entry(key=1, url="b", priority=Priority(score=0.25), why=(("links", 0.25),))
    new = Proposal(url="b", priority=Priority(score=0.5), why=(("links", 0.375), ("waited", 0.125)))
    merged = Opic().merge(old, new)
    assert merged.priority == Priority(score=0.75)
    assert merged.why == (("links", 0.625), ("waited", 0.125))


def test_cash_for_a_fetched_page_stays_there_until_the_richest_hands_it_on() -> None:
    strategy = Opic(recrawl_every=3)
    assert paid(strategy, visit("a", "b", "c")) == {"b": 0.5, "c": 0.5}
    assert paid(strategy, visit("b", "a", "d", cash=0.5, step=2)) == {"d": 0.25}
    assert strategy.waiting == 0.25
    # c gives .25 to a, which now holds .5 and hands on .25 to each of b, which waits, and c, which waits.
    assert paid(strategy, visit("c", "a", "e", cash=0.5, step=3)) == {"e": 0.25}
    assert strategy.waiting == 0.5
    assert strategy.gained == 0.0


def test_the_richest_fetched_page_can_be_fetched_again_instead() -> None:
    strategy = Opic(recrawl="fetch", recrawl_every=2)
    strategy.learn(visit("a", "b"))
    second = visit("b", "a", "c", step=2)
    strategy.learn(second)
    onward, again = strategy.score(second)
    assert (onward.url, onward.priority.score, onward.revisit) == ("c", 0.5, False)
    assert (again.url, again.priority.score, again.revisit) == ("a", 0.5, True)
    assert strategy.waiting == 0.0


def test_cash_can_be_left_where_it_waits() -> None:
    strategy = Opic(recrawl="off", recrawl_every=1)
    strategy.learn(visit("a", "b"))
    assert paid(strategy, visit("b", "a", "c", step=2)) == {"c": 0.5}
    assert strategy.waiting == 0.5


def test_a_page_without_links_gives_to_the_virtual_page_which_gives_to_urls_found_lately() -> None:
    strategy = Opic(recrawl_every=3)
    strategy.learn(visit("a", "b", "c", "d"))
    assert paid(strategy, visit("b", cash=0.5, step=2)) == {}
    assert strategy.virtual == 0.5
    # Only d waits; it gets what the virtual page holds besides nothing of its own.
    assert paid(strategy, visit("c", cash=0.25, step=3)) == {"d": 0.75}
    assert strategy.virtual == 0.0


def test_a_page_that_could_not_be_fetched_gives_its_cash_to_others() -> None:
    strategy = Opic()
    strategy.learn(visit("a", "b", "c", "d"))
    lost = Entry(key=2, url="b", priority=Priority(score=0.5))
    returned = list(strategy.missed(lost, Failure(url="b", kind="timeout")))
    assert {each.url: each.priority.score for each in returned} == {"c": 0.25, "d": 0.25}
    assert returned[0].why == (("returned", 0.25),)


def test_the_last_page_keeps_its_cash_where_no_other_is_known() -> None:
    lost = Entry(key=2, url="b", priority=Priority(score=0.5))
    (returned,) = Opic().missed(lost, Failure(url="b", kind="timeout"))
    assert (returned.url, returned.priority.score) == ("b", 0.5)


def test_the_links_of_a_sitemap_are_known_but_hold_nothing() -> None:
    strategy = Opic(recrawl_every=1)
    strategy.learn(visit("a", "b"))
    sitemap = visit("sitemap", "x", "y", cash=0.0)
    assert {each.url: each.priority.score for each in strategy.score(sitemap)} == {"x": 0.0, "y": 0.0}


def test_the_poorest_accounts_are_closed_and_nothing_is_lost() -> None:
    strategy = Opic(accounts=10, recrawl="off", recrawl_every=1_000)
    total = 0.0
    for step in range(1, 31):
        given = paid(strategy, visit(f"p{step}", f"p{step - 1}", "p1", f"q{step}", step=step))
        total += sum(given.values())
    assert total + strategy.waiting + strategy.virtual == pytest.approx(30.0)
    assert strategy.virtual > 0
    # The latest page has an account; p5 was closed: known to be fetched, but not paid any more.
    assert "p5" not in paid(strategy, visit("z", "p5", "new", step=31))
    restored = Opic(accounts=10, recrawl="off", recrawl_every=1_000)
    restored.restore(strategy.state())
    assert paid(restored, visit("y", "p5", "z", "other", step=32)) == {"other": pytest.approx(1 / 3)}


@pytest.mark.parametrize("make", [Opic, lambda: Opic(recrawl="fetch", accounts=20), Otie])
@pytest.mark.parametrize("in_flight", [1, 8])
def test_all_cash_is_accounted_for_with_pages_in_flight_and_failures(
    make: Callable[[], CashFlow], in_flight: int
) -> None:
    web = toy_web(seed=2)
    crawl = ToyCrawl(web, make(), dead=list(web.pages)[7::9], in_flight=in_flight)
    for pages in range(20, 241, 20):
        crawl.run(pages)
        assert in_circulation(crawl) == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("recrawl", ["fetch", "off"])
def test_every_way_to_recrawl_passes_the_battery(recrawl: Recrawl) -> None:
    check_strategy(lambda: Opic(recrawl=recrawl, accounts=50))


def test_a_visit_is_spent_as_it_stands_when_its_page_arrives() -> None:
    strategy = Opic()
    leased = visit("b", "c", cash=0.25, step=2)
    strategy.learn(visit("a", "b"))
    topped_up = replace(leased, entry=replace(leased.entry, priority=Priority(score=0.75)))
    assert paid(strategy, topped_up) == {"c": 0.75}
