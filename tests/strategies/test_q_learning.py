"""Credit by hand, bins, and what a link may expect."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from homing.checks.replays import replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.errors import ModelError, UsageError
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Topic, Visit
from homing.strategies import BreadthFirst, QLearning, RandomOrder, Strategy
from homing.strategies.q_learning import credit_along_ways, credit_in_sequence, in_bins, words_around
from homing.trails import LocalGraph

TOPIC = Topic(text="moths", rate=lambda texts: [0.0] * len(texts))
LINKS = {
    "seed": ["hub", "shop", "news"],
    "hub": ["m1", "m2", "seed"],
    "news": ["m2", "shop"],
    "m1": ["m3"],
    "m2": [],
    "m3": ["m1"],
    "shop": [],
}
"""seed > hub > m1 > m3, seed > hub > m2, seed > news > m2; the shop leads nowhere."""
TARGETS = {"m1", "m2", "m3"}
WORDS = {"seed": "home", "hub": "garden", "news": "paper", "shop": "price"}


def graph() -> LocalGraph:
    pages = [
        Page(
            url=name,
            links=tuple(
                Link(url=each, anchor=WORDS.get(each, "moth"), around="words") for each in LINKS[name]
            ),
        )
        for name in LINKS
    ]
    return LocalGraph(pages, TARGETS)


def proposals(strategy: QLearning, *anchors: str) -> list[Proposal]:
    links = tuple(Link(url=f"http://a.example/{n}", anchor=each) for n, each in enumerate(anchors))
    shown = Page(url="http://a.example/", links=links)
    entry = Entry(key=1, url=shown.url, priority=Priority())
    judgement = Judgement(score=0, relevant=False, judge="test")
    return list(strategy.score(Visit(step=1, entry=entry, page=shown, judgement=judgement)))


def fitted(strategy: QLearning) -> QLearning:
    strategy.begin(TOPIC)
    strategy.fit(graph())
    strategy.give(strategy.model())
    return strategy


def taught(strategy: QLearning, seed: int = 0) -> QLearning:
    """Given a model that was fitted to another toy web."""
    other = toy_web(seed=seed + 100)
    strategy.fit(LocalGraph(other.pages.values(), other.targets))
    strategy.give(json.loads(json.dumps(strategy.model())))
    return strategy


# --- credit ---------------------------------------------------------------------------------------


def test_credit_of_the_paper_adds_up_along_one_shortest_way_a_target() -> None:
    # Farthest from a target is the seed. Ways: m1 hub seed; m2 hub seed (hub stands before news); m3 m1 hub
    # seed. So m1 has 1 + 1/2, the hub 1/2 + 1/2 + 1/4, the seed 1/4 + 1/4 + 1/8.
    assert credit_along_ways(graph(), 0.5) == {
        "m1": 1.5, "m2": 1.0, "m3": 1.0, "hub": 1.25, "seed": 0.625
    }  # fmt: skip


def test_credit_of_the_paper_reaches_targets_that_no_way_from_the_farthest_page_leads_to() -> None:
    pages = [
        Page(url="far", links=(Link(url="near"),)),
        Page(url="near", links=(Link(url="m1"),)),
        Page(url="m1"),
        Page(url="island", links=(Link(url="m2"),)),
        Page(url="m2"),
        Page(url="m3"),
    ]
    assert credit_along_ways(LocalGraph(pages, {"m1", "m2", "m3"}), 0.5) == {
        "m1": 1, "near": 0.5, "far": 0.25, "m2": 1, "island": 0.5, "m3": 1
    }  # fmt: skip


def test_credit_in_sequence_takes_one_target_a_fetch() -> None:
    # From the seed: hub, then m1 and m2 (2 links away: fetches 2 and 3), then m3: 1/4 + 1/8 + 1/16. From m1:
    # itself at once, m3 next. m2 leads nowhere.
    assert credit_in_sequence(graph(), 0.5) == {
        "seed": 0.25 + 0.125 + 0.0625,
        "hub": 0.5 + 0.25 + 0.125,
        "news": 0.5,
        "m1": 1.5,
        "m2": 1.0,
        "m3": 1.5,
        "shop": 0.0,
    }


def test_credit_in_sequence_is_the_best_order_of_fetches() -> None:
    """Every order in which the pages can be fetched, with a discount at which no far target matters."""
    exact = credit_in_sequence(graph(), 0.5)
    for start in LINKS:
        best = 0.0
        for order in permutations(name for name in LINKS if name != start):
            known, total = set(LINKS[start]), float(start in TARGETS)
            for fetch, name in enumerate(order, start=1):
                if name not in known:
                    break
                total += 0.5**fetch if name in TARGETS else 0.0
                best = max(best, total)
                known.update(LINKS[name])
            best = max(best, total)
        assert exact[start] == pytest.approx(best)


def test_a_target_is_worth_more_than_any_number_of_targets_behind_a_hub() -> None:
    leaves = [Page(url=f"m{number}") for number in range(200)]
    hub = Page(url="hub", links=tuple(Link(url=each.url) for each in leaves))
    around = LocalGraph([Page(url="seed", links=(Link(url="hub"),)), hub, *leaves], {p.url for p in leaves})
    sequence, paper = credit_in_sequence(around, 0.5), credit_along_ways(around, 0.5)
    assert 0.99 < sequence["hub"] < sequence["m7"] == 1.0
    assert paper["hub"] == 100.0


# --- bins -----------------------------------------------------------------------------------------


def test_bins_hold_equally_many_values_and_equal_values_share_one() -> None:
    assert in_bins(np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), 4).tolist() == [1, 1, 2, 2, 3, 3]
    assert len(set(in_bins(np.ones(9), 4).tolist())) == 1
    assert in_bins(np.zeros(3), 4).tolist() == [0, 0, 0]
    assert in_bins(np.array([0.0, 0.3, 0.7]), 2).tolist() == [0, 1, 1]


# --- what a link may expect -----------------------------------------------------------------------


def test_a_link_is_worth_the_mean_of_each_bin_by_its_chance() -> None:
    # Bin 0 has the two links to the shop, bin 1 those to hub, news, m1, m2, seed, m2, m3 and m1. Of the words
    # "moth" stands at 5 links, "price" at 2, "word" at all 10; the others at one each and are not learnt.
    strategy = fitted(QLearning(bins=2, evidence=1_000))
    some = (0.875 + 0.5 + 1.5 + 1.0 + 0.4375 + 1.0 + 1.5 + 1.5) / 8
    # Laplace: in bin 0 price is 2 of 4 words, in bin 1 none of 13; three words are learnt.
    nothing, something = 2 / 10 * (2 + 1) / (4 + 3), 8 / 10 * (0 + 1) / (13 + 3)
    chance = something / (nothing + something)
    price, moth, spoon = proposals(strategy, "price", "moth", "spoon")
    assert dict(price.why)["expected Q"] == pytest.approx(chance * some, abs=1e-4)
    assert price.priority.score == pytest.approx(chance, abs=1e-4)
    assert spoon.priority.score == pytest.approx(0.8)
    assert moth.priority.score > 0.9


@pytest.mark.parametrize("variant", ["sequence", "paper"])
def test_links_named_like_those_to_targets_come_first(variant: str) -> None:
    strategy = fitted(QLearning(variant="paper" if variant == "paper" else "sequence"))
    moth, price = proposals(strategy, "moth", "price")
    assert moth.priority.tier == price.priority.tier == 0
    assert 0 <= price.priority.score < moth.priority.score <= 1


def test_the_words_of_a_link_are_its_anchor_twice_its_surroundings_and_two_headings() -> None:
    link = Link(
        url="http://a.example/night/moths",
        anchor="Silk",
        around="the silk road",
        headings=("A", "Bees", "Cows"),
    )
    assert words_around(link, "en") == ["silk", "silk", "road", "bee"]
    assert words_around(Link(url=link.url), "en") == ["night", "moth"]


def test_links_that_lead_out_of_the_graph_teach_nothing() -> None:
    pages = list(graph().pages.values())
    more = Page(url="more", links=tuple(Link(url=f"out-{n}", anchor="moth") for n in range(50)))
    one, other = QLearning(), QLearning()
    one.fit(LocalGraph(pages, TARGETS))
    other.fit(LocalGraph([*pages, more], TARGETS))
    assert one.model() == other.model()


# --- models and batteries -------------------------------------------------------------------------


def test_a_model_of_something_else_is_refused() -> None:
    whole = fitted(QLearning()).model()
    for damaged in ({}, {**whole, "worth": ["a"]}, {**whole, "bayes": None}):
        with pytest.raises(ModelError, match=r'no model of strategy "q-learning"'):
            QLearning().give(damaged)
    with pytest.raises(ModelError, match=r"fitted with bins=6; set it, or fit again"):
        QLearning(bins=3).give(whole)


def test_without_targets_there_is_nothing_to_fit() -> None:
    with pytest.raises(UsageError, match=r'strategy "q-learning" needs pages on the topic .* 7 pages, 0 on'):
        QLearning().fit(LocalGraph(graph().pages.values(), set()))


@pytest.mark.parametrize(
    "make",
    [
        lambda: QLearning(fit_after=20, refit_every=25, variant="paper", bins=2),
        lambda: taught(QLearning(terms=200)),
    ],
)
def test_the_battery_holds_with_and_without_a_model(make: Callable[[], Strategy]) -> None:
    check_strategy(make)


@pytest.mark.parametrize("seed", range(5))
def test_it_beats_random_and_breadth_first_with_a_model_and_on_its_own(seed: int) -> None:
    web = toy_web(seed=seed)
    budget = int(0.3 * len(web.pages))
    baselines = [replay(web, each, pages=budget).harvest for each in (BreadthFirst(), RandomOrder(seed=seed))]
    given = [taught(QLearning(), seed), taught(QLearning(variant="paper"), seed)]
    for strategy in (*given, QLearning(fit_after=25, refit_every=25)):
        assert replay(web, strategy, pages=budget).harvest > max(baselines)
