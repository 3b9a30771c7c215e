"""OTIE: equations 1 to 3 by hand, its guards, and its cash through the real engine."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from math import isfinite
from typing import Literal

import pytest
from tests.engines import engine_of, put_away

from homing.checks.replays import replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.crawler.progress import Limits
from homing.frontier.frontier import Frontier
from homing.model import Entry, Failure, Judgement, Link, Page, Priority, Reply, Topic, Visit
from homing.store.memory import MemoryStore
from homing.strategies import Strategy
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.cash.flow import CashFlow
from homing.strategies.cash.opic import Opic
from homing.strategies.cash.otie import Otie

TOPIC = Topic(text="moths", rate=lambda texts: [float(text) if text else 0.0 for text in texts])
"""Windows say how good they are."""


def visit(
    url: str, links: dict[str, float], *, score: float, cash: float, step: int = 1, parent: int | None = None
) -> Visit:
    entry = Entry(key=step, url=url, priority=Priority(score=cash), parent=parent)
    shown = tuple(Link(url=each, around=str(rating)) for each, rating in links.items())
    judgement = Judgement(score=score, relevant=score >= 0.5, judge="test")
    return Visit(step=step, entry=entry, page=Page(url=url, links=shown), judgement=judgement)


def begun(strategy: Otie) -> Otie:
    strategy.begin(TOPIC)
    return strategy


def plain(recrawl_every: int = 20) -> Otie:
    """Equations 1 to 3 with nothing added, the third read as a factor."""
    return begun(Otie(revision="factor", sharpness=1.0, recrawl_every=recrawl_every))


def paid(strategy: Strategy, of: Visit) -> dict[str, float]:
    strategy.learn(of)
    return {each.url: each.priority.score for each in strategy.score(of)}


def test_cash_after_three_visits_to_the_last_digit() -> None:
    strategy = plain()
    # 1. The seed: r = 1, so 1 becomes 1 * (1 + .85 * 1) = 1.85. sim = .25 * 1 + .75 * window:
    #    b: .25 + .75 * 1 = 1; c: .25 + .75 * 0 = .25. Split 1.85 by 1 : .25.
    first = paid(strategy, visit("a", {"b": 1.0, "c": 0.0}, score=1.0, cash=1.0))
    assert first == {"b": 1.85 * 1.0 / 1.25, "c": 1.85 * 0.25 / 1.25}
    assert first["b"] == 1.48
    # 2. b: r = .75, lean .5, factor 1 + .85 * .125 = 1.10625. a is fetched: sim = r(a) = 1.
    #    d: .25 * .75 + .75 * .75 = .75. Split 1.48 * 1.10625 = 1.63725 by 1 : .75.
    second = paid(strategy, visit("b", {"a": 0.0, "d": 0.75}, score=0.75, cash=1.48, step=2))
    assert second == {"d": 1.48 * 1.10625 * 0.75 / 1.75}
    assert strategy.waiting == 1.48 * 1.10625 * 1.0 / 1.75
    # 3. d: r = 0, factor .15. Its one new link has sim 0, raised to the floor; b is fetched: sim = .75.
    held = second["d"]
    third = paid(strategy, visit("d", {"b": 1.0, "e": 0.0}, score=0.0, cash=held, step=3))
    left = held * (1 + 0.85 * -1.0)
    assert third == {"e": left * 0.001 / 0.751}
    assert strategy.waiting == 1.48 * 1.10625 / 1.75 + left * 0.75 / 0.751
    assert strategy.gained == pytest.approx(0.85 + 1.48 * 0.10625 - 0.85 * held, rel=1e-15)


def test_a_relevant_page_adds_to_its_cash_however_little_it_held_and_nothing_is_taken_from_others() -> None:
    strategy = Otie()
    assert strategy.revised(0.001, 1.0) == pytest.approx(0.001 + 0.85)
    assert strategy.revised(0.001, 0.75) == pytest.approx(0.001 + 0.85 * 0.5**3)
    assert strategy.revised(0.001, 0.1) == 0.001


@pytest.mark.parametrize(("revision", "first"), [("sum", True), ("factor", False)])
def test_links_of_a_relevant_page_far_away_come_before_those_of_a_seed_off_the_topic(
    revision: Literal["sum", "factor"], first: bool
) -> None:
    strategy = begun(Otie(revision=revision))
    near = paid(strategy, visit("seed", dict.fromkeys("abcdefgh", 0.1), score=0.0, cash=1.0))
    far = paid(strategy, visit("target", dict.fromkeys("pqr", 0.7), score=0.9, cash=1e-6, step=2))
    assert (min(far.values()) > max(near.values())) == first


def test_cash_in_an_account_is_revised_again_when_it_is_handed_on() -> None:
    strategy = plain(recrawl_every=2)
    strategy.learn(visit("a", {"b": 1.0}, score=1.0, cash=1.0))
    second = paid(strategy, visit("b", {"a": 0.0, "c": 1.0}, score=0.5, cash=2.0, step=2))
    # b (factor 1) gives a: sim 1 and c: .125 + .75 = .875. Then a hands on 1.85 times its share to b alone,
    # which has been fetched: it waits there.
    assert second == {"c": 2.0 * 0.875 / 1.875}
    assert strategy.waiting == pytest.approx(1.85 * 2.0 / 1.875, rel=1e-15)


def test_a_relevance_near_one_half_changes_little_and_an_odd_power_keeps_its_sign() -> None:
    strategy = Otie(revision="factor", flatness=2.5)
    assert strategy.revised(1.0, 0.5) == 1.0
    assert strategy.revised(1.0, 0.6) == pytest.approx(1 + 0.85 * 0.2**2.5)
    assert strategy.revised(1.0, 0.4) == pytest.approx(1 - 0.85 * 0.2**2.5)
    assert (plain().revised(1.0, 1.0), plain().revised(1.0, 0.0)) == pytest.approx((1.85, 0.15))


def test_links_on_more_than_half_of_the_pages_get_no_cash() -> None:
    strategy = begun(Otie())
    for step in range(1, 31):
        given = paid(
            strategy, visit(f"p{step}", {"home": 0.5, f"q{step}": 0.5}, score=0.5, cash=1, step=step)
        )
        assert ("home" in given) == (step < 20)
    assert given == {"q30": 1.0}


def test_a_page_that_has_only_navigation_gives_to_the_virtual_page() -> None:
    strategy = begun(Otie())
    for step in range(1, 22):
        strategy.learn(visit(f"p{step}", {"home": 0.5}, score=0.5, cash=1.0, step=step))
    assert strategy.virtual >= 1.0


def test_ninety_links_that_say_nothing_do_not_outweigh_one_that_speaks_of_the_topic() -> None:
    links = {**{f"menu{number}": 0.07 for number in range(90)}, "good": 0.7}
    shares = paid(begun(Otie(page_weight=0.0)), visit("a", links, score=0.5, cash=1.0))
    assert shares["good"] == pytest.approx(0.343 / (0.343 + 90 * 0.001))
    shares = paid(begun(Otie(page_weight=0.0, sharpness=1.0)), visit("a", links, score=0.5, cash=1.0))
    assert shares["good"] == pytest.approx(0.7 / (0.7 + 90 * 0.07))


def test_cash_stays_a_number_where_relevant_pages_link_to_each_other_for_ever() -> None:
    strategy = begun(Otie(revision="factor", recrawl_every=1, navigation=1.0))
    strategy.learn(visit("a", {"b": 1.0}, score=1.0, cash=0.0))
    strategy.learn(visit("b", {"a": 1.0}, score=1.0, cash=1.0, step=2))
    for step in range(3, 1_500):
        strategy.learn(visit("c", {"a": 1.0}, score=1.0, cash=0.0, step=step))
    assert 1e199 < strategy.gained < 1e202
    assert isfinite(strategy.waiting)
    assert strategy.start("late").priority.score == strategy.gained


@pytest.mark.parametrize("seed", range(5))
def test_it_beats_breadth_first_and_cash_that_reads_nothing(seed: int) -> None:
    web = toy_web(seed=seed)
    mine = replay(web, Otie(), pages=72).harvest
    assert mine > replay(web, BreadthFirst(), pages=72).harvest
    assert mine > replay(web, Opic(), pages=72).harvest


@pytest.mark.parametrize(
    "make",
    [
        lambda: Otie(recrawl="fetch"),
        lambda: Otie(revision="factor", sharpness=1.0, navigation=1.0, recrawl="off"),
        lambda: Otie(accounts=30, recrawl_every=3),
    ],
)
def test_every_variant_passes_the_battery(make: Callable[[], Strategy]) -> None:
    check_strategy(make)


# --- through the real engine ----------------------------------------------------------------------

HOSTS, PAGES = 20, 700


class Generated:
    """A fetcher of pages that are made up: most link to ten others, some lead nowhere, some do not come."""

    def __init__(self) -> None:
        self.in_flight = self.most_in_flight = 0

    async def fetch(self, entry: Entry) -> Reply | Failure:
        number = int(entry.url.rpartition("/")[2])
        chance = random.Random(number)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        for _ in range(chance.randrange(1, 12)):  # others overtake it
            await asyncio.sleep(0)
        self.in_flight -= 1
        if number % 9 == 8:
            return Failure(url=entry.url, kind="timeout")
        targets = chance.sample(range(PAGES), 0 if number % 7 == 6 else 10)
        words = ("moths and trains", "moths", "trains", "lawns")
        items = [f'<p>{chance.choice(words)} <a href="{url_of(each)}">more</a></p>' for each in targets]
        body = f"<title>{chance.choice(words)}</title><h1>{chance.choice(words)}</h1>{''.join(items)}"
        status = 404 if number % 11 == 10 else 200
        headers = (("Content-Type", "text/html"),)
        return Reply(url=entry.url, final_url=entry.url, status=status, headers=headers, body=body.encode())

    async def close(self) -> None:
        pass


def url_of(number: int) -> str:
    return f"http://h{number % HOSTS}.example/{number}"


@pytest.mark.parametrize(
    "make",
    [
        Otie,
        lambda: Otie(revision="factor"),
        lambda: Otie(recrawl="fetch", recrawl_every=7),
        lambda: Otie(accounts=50),
        Opic,
    ],
)
def test_all_cash_is_accounted_for_over_500_visits_with_8_in_flight(make: Callable[[], CashFlow]) -> None:
    strategy, fetcher, frontier = make(), Generated(), Frontier(delay=0.0)
    seeds = [url_of(number) for number in range(3)]
    limits = Limits(concurrency=8, pages=500)
    engine = engine_of(strategy, MemoryStore(), fetcher, seeds, frontier=frontier, limits=limits)

    async def crawl() -> str:
        try:
            return await asyncio.wait_for(engine.run(), 30)
        finally:
            await put_away(engine)

    assert asyncio.run(crawl()) == "pages"
    held = sum(frontier.urls.priority_of(seq).score for seq in range(len(frontier.urls)))
    there = held + strategy.waiting + strategy.virtual
    assert there == pytest.approx(len(seeds) + strategy.gained, rel=1e-9)
    assert fetcher.most_in_flight == 8
    assert engine.counters.failed
