"""Credit by hand, bins, and the expected value of a link (``q_learning``, ``ways``)."""

from __future__ import annotations

import re
from itertools import chain, permutations

import numpy as np
import pytest

from homing.checks.replays import ToyCrawl, replay
from homing.checks.webs import toy_web
from homing.errors import ModelError, UsageError
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Topic, Visit
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.trained.layers.q_learning import (
    QLearning,
    credit_along_ways,
    credit_in_sequence,
    in_bins,
    words_around,
)
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
    return proposals_of(strategy, Page(url="http://a.example/", links=links))


def proposals_of(strategy: QLearning, page: Page) -> list[Proposal]:
    entry = Entry(key=1, url=page.url, priority=Priority())
    judgement = Judgement(score=0, relevant=False, judge="test")
    return list(strategy.score(Visit(step=1, entry=entry, page=page, judgement=judgement)))


def fitted(strategy: QLearning) -> QLearning:
    strategy.begin(TOPIC)
    strategy.fit(graph())
    strategy.give(strategy.model())
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
    assert in_bins(np.zeros(0), 4).tolist() == []
    assert in_bins(np.array([0.0, 0.3, 0.7]), 2).tolist() == [0, 1, 1]


def test_a_value_that_most_have_does_not_share_its_bin_with_all_smaller_ones() -> None:
    # Nine of twelve lead to targets alike: quantiles would cut only there, and nothing would be told apart.
    values = np.array([0.25, 0.5, 1.0, *[1.9] * 9])
    assert in_bins(values, 6).tolist() == [1, 1, 2, *[4] * 9]
    assert in_bins(np.array([*[0.5] * 9, 1.9, 1.95]), 6).tolist() == [*[3] * 9, 5, 5]


# --- what a link may expect -----------------------------------------------------------------------


def test_a_link_is_worth_the_mean_of_each_bin_by_its_chance() -> None:
    # Bin 0 has the two links to the shop, bin 1 those to hub, news, m1, m2, seed, m2, m3 and m1. Of the words
    # "moth" stands at 5 links, "price" at 2, "word" at all 10; the others at one each and do not count.
    strategy = fitted(QLearning(bins=2, evidence=1_000))
    some = (0.875 + 0.5 + 1.5 + 1.0 + 0.4375 + 1.0 + 1.5 + 1.5) / 8
    # Laplace: in bin 0 price is 2 of 4 words, in bin 1 none of 13; three words count.
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


def with_links_out(count: int, *, pages: dict[str, list[str]], targets: set[str]) -> LocalGraph:
    """A graph with a page whose links, all called "sale", lead out of it."""
    inner = [
        Page(url=name, links=tuple(Link(url=each, anchor="moth") for each in links))
        for name, links in pages.items()
    ]
    more = Page(url="more", links=tuple(Link(url=f"out-{n}", anchor="sale") for n in range(count)))
    return LocalGraph([*inner, more], targets)


def texts_in_bins(graph: LocalGraph) -> list[int]:
    strategy = QLearning(bins=2)
    strategy.fit(graph)
    bayes = strategy.model()["bayes"]
    assert isinstance(bayes, dict)
    return list(bayes["texts"])


def test_where_most_links_lead_to_targets_those_out_of_the_graph_lead_nowhere() -> None:
    focused = {"hub": ["m1", "m2"], "m1": ["m2"], "m2": ["m1", "hub"]}
    # Four of five links lead to targets: to be a third of all there have to be twelve.
    assert texts_in_bins(with_links_out(50, pages=focused, targets={"m1", "m2"})) == [7, 5]
    assert texts_in_bins(with_links_out(2, pages=focused, targets={"m1", "m2"})) == [2, 5]


def test_where_few_links_lead_to_targets_those_out_of_the_graph_teach_nothing() -> None:
    wide = {"seed": ["hub", "shop", "news"], "hub": ["m1", "seed", "shop"], "m1": [], "shop": [], "news": []}
    assert texts_in_bins(with_links_out(50, pages=wide, targets={"m1"})) == [3, 3]


@pytest.mark.parametrize("seed", range(3))
def test_a_crawl_that_saw_hardly_anything_but_targets_teaches_which_links_to_follow(seed: int) -> None:
    """As it was, all Q were alike, all words as good as each other, and what came of it breadth-first."""
    web, other = toy_web(seed=seed), toy_web(seed=seed + 10)
    hubs = {url for url in other.pages if re.search(r"/gardens/hub-\d$", url)}
    seen = [page for url, page in other.pages.items() if url in other.targets | hubs]
    strategy = QLearning()
    strategy.fit(LocalGraph(seen, other.targets))
    strategy.give(strategy.model())
    assert replay(web, BreadthFirst(), pages=60).harvest < 0.1
    assert replay(web, strategy, pages=60).harvest > 0.4


def test_a_crawl_re_scores_the_links_it_remembers_at_every_fit() -> None:
    strategy = QLearning(fit_after=25, refit_every=25)
    crawl = ToyCrawl(toy_web(seed=1), strategy)
    for pages, reason in ((24, "context"), (25, "expected Q"), (50, "expected Q")):
        crawl.run(pages)
        waiting = [crawl.entries[url] for url in sorted(crawl.entries.keys() - set(crawl.order))]
        assert len(waiting) > 10
        assert all(reason in dict(entry.why) for entry in waiting)
        if strategy.fitted:
            seen = [proposals_of(strategy, crawl.web.pages[url]) for url in crawl.order]
            best = {each.url: 0.0 for found in seen for each in found}
            for each in chain.from_iterable(seen):
                best[each.url] = max(best[each.url], each.priority.score)
            assert {entry.url: entry.priority.score for entry in waiting} == pytest.approx(
                {entry.url: best[entry.url] for entry in waiting}
            )


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
