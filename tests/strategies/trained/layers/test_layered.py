"""Hot words, the layer of a link, and the ranking of what was found."""

from __future__ import annotations

import json

import pytest

from homing.checks import replays
from homing.checks.webs import toy_web
from homing.errors import ModelError
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Topic, Visit
from homing.strategies import Strategy
from homing.strategies.trained.layers.context_graph import ContextGraph
from homing.strategies.trained.layers.layered import Layered, cosine, unit
from homing.text.words import terms
from homing.trails import LocalGraph

SITE = "http://a.example/"
NOBODY = Judgement(score=0, relevant=False, judge="test")


def topic(text: str = "moths", *keywords: str) -> Topic:
    return Topic(text=text, keywords=keywords, rate=lambda texts: [0.0] * len(texts))


def page(name: str, text: str, *links: tuple[str, str], title: str = "", language: str = "en") -> Page:
    found = tuple(Link(url=SITE + url, anchor=anchor) for url, anchor in links)
    return Page(url=SITE + name, title=title, text=text, links=found, language=language)


GRAPH = LocalGraph(
    [
        page("moth-1", "moth moth wing"),
        page("moth-2", "moth wing wing"),
        page("garden", "garden soil", ("moth-1", "silk"), ("moth-2", "silk wings"), ("shop", "buy")),
        page("garden-2", "garden soil hedge hedge", ("moth-2", "wings"), ("elsewhere", "news")),
        page("town", "town town", ("garden", "park"), ("garden-2", "park walk"), ("shop", "news")),
        page("town-2", "town town", ("garden", "park")),
        page("shop", "shop shop price price"),
    ],
    {f"{SITE}moth-1", f"{SITE}moth-2"},
)
"""Two targets, two pages that link to them, two that link to these, and one that leads nowhere."""


def fitted(strategy: Layered | None = None, about: Topic | None = None) -> Layered:
    strategy = strategy or Layered(layers=2)
    strategy.begin(about or topic())
    strategy.fit(GRAPH)
    strategy.give(strategy.model())
    return strategy


def proposals(strategy: Strategy, *anchors: str, text: str = "garden soil") -> list[Proposal]:
    links = [(f"new-{number}", anchor) for number, anchor in enumerate(anchors)]
    shown = page("new", text, *links)
    entry = Entry(key=1, url=shown.url, priority=Priority())
    return list(strategy.score(Visit(step=1, entry=entry, page=shown, judgement=NOBODY)))


# --- hot words ------------------------------------------------------------------------------------


def test_the_papers_own_example_of_a_hot_anchor_is_hot() -> None:
    assert cosine(terms("研究所甄試", "zh"), unit(terms("碩士班甄試", "zh"))) == 0.25
    strategy = fitted(about=topic("碩士班甄試"))
    shown = page("new", "shop", ("1", "研究所甄試"), ("2", "研究所"), language="zh")
    entry = Entry(key=1, url=shown.url, priority=Priority())
    hot, cold = strategy.score(Visit(step=1, entry=entry, page=shown, judgement=NOBODY))
    assert (hot.priority.tier, dict(hot.why)["hot words"]) == (0, 0.25)
    assert (cold.priority.tier, dict(cold.why)["hot words"]) == (3, 0.0)


def test_words_of_languages_with_blanks_are_compared_by_their_stems() -> None:
    (proposal,) = proposals(fitted(), "Moth traps")
    assert dict(proposal.why)["hot words"] == pytest.approx(0.5**0.5)
    assert proposal.priority.tier == 0


def test_a_link_must_be_hotter_than_the_threshold() -> None:
    assert proposals(fitted(Layered(layers=2, hot=0.7)), "Moth traps")[0].priority.tier == 0
    assert proposals(fitted(Layered(layers=2, hot=0.71)), "Moth traps")[0].priority.tier == 1
    assert proposals(fitted(Layered(layers=2, hot=1)), "Moths")[0].priority.tier == 1


def test_a_link_without_words_is_hot_by_its_url() -> None:
    shown = Page(url=f"{SITE}new", text="shop", links=(Link(url=f"{SITE}moths/7.html"), Link(url=f"{SITE}8")))
    entry = Entry(key=1, url=shown.url, priority=Priority())
    visit = Visit(step=1, entry=entry, page=shown, judgement=NOBODY)
    assert [each.priority.tier for each in fitted().score(visit)] == [0, 3]


def test_where_the_topic_is_not_said_in_words_its_keywords_are_the_query() -> None:
    assert proposals(fitted(about=topic("", "silk", "wing")), "Silk")[0].priority.tier == 0
    assert proposals(fitted(about=topic("the", "silk", "wing")), "Silk")[0].priority.tier == 0


# --- the layers of page and link ------------------------------------------------------------------


@pytest.mark.parametrize(("text", "queue"), [("moth wing", 0), ("garden soil", 1), ("town", 2), ("spoon", 3)])
def test_other_links_join_the_queue_of_their_page(text: str, queue: int) -> None:
    assert [each.priority.tier for each in proposals(fitted(), "silk", "news", "", text=text)] == [queue] * 3


def test_links_may_count_as_one_nearer_than_their_page() -> None:
    strategy = fitted(Layered(layers=2, shift=True))
    tiers = [
        proposals(strategy, "silk", text=text)[0].priority.tier
        for text in ("moth", "garden", "town", "spoon")
    ]
    assert tiers == [0, 0, 1, 3]


def test_the_layer_of_a_link_is_that_whose_links_it_is_most_like() -> None:
    # Into layer 0 lead "silk", "silk wings" and "wings"; into layer 1 "park", "park walk" and "park"; out of
    # the layers "buy", "news" and "news"; into layer 2 nothing.
    root = 0.5**0.5
    expected = {
        "silk": (0, (1 + root) / 3),
        "wings": (0, (1 + root) / 3),
        "silk wings": (0, (root + 1 + root) / 3),
        "walk": (1, root / 3),
        "park": (1, (1 + root + 1) / 3),
        "news": (3, 2 / 3),
        "spoon": (3, 0.0),
    }
    for proposal, (layer, alike) in zip(proposals(fitted(), *expected), expected.values(), strict=True):
        parts = dict(proposal.why)
        assert parts["layer of the link"] == layer
        assert parts["likeness"] == pytest.approx(alike, abs=1e-4)


def test_links_are_ordered_by_layer_then_likeness_and_sure_strangers_come_last() -> None:
    anchors = ["news", "silk", "walk", "park", "spoon", "silk wings", "buy"]
    found = zip(proposals(fitted(), *anchors), anchors, strict=True)
    ranked = [anchor for _, anchor in sorted(found, key=lambda each: -each[0].priority.score)]
    assert ranked == ["silk wings", "silk", "park", "walk", "spoon", "buy", "news"]


def test_the_key_of_layer_and_likeness_fits_into_one_score() -> None:
    strategy = Layered()
    keys = [(layer, alike) for layer in range(5) for alike in (1.0, 0.5, 0.001, 0.0)]
    keys += [(5, alike) for alike in (0.0, 0.001, 0.5, 1.0)]
    scores = [strategy.packed(*key) for key in keys]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)
    assert scores[0] < 1
    assert scores[-1] == 0


# --- the ranking of the output --------------------------------------------------------------------


def test_pages_are_ranked_by_layer_title_and_likeness_to_a_target() -> None:
    strategy = fitted()
    new = page("new", "moth", title="Moth wings")
    chance = strategy.chances(new)[0]
    # The page says moth twice and wing once; moth-1 moth twice and wing once, so their cosine is 1.
    assert strategy.rank(new) == pytest.approx(chance + 0.5 * 0.5**0.5 + 0.5, abs=1e-4)
    assert 0 <= strategy.rank(page("other", "spoon")) <= strategy.rank(new) <= 2


def test_a_target_is_not_compared_with_itself() -> None:
    strategy = fitted()
    target = GRAPH.pages[f"{SITE}moth-1"]
    # moth, moth, wing against moth, wing, wing: (2·1 + 1·2) / 5.
    assert strategy.rank(target) == pytest.approx(strategy.chances(target)[0] + 0.5 * 4 / 5, abs=1e-4)


def test_before_the_fit_the_title_alone_ranks_pages() -> None:
    strategy = Layered()
    strategy.begin(topic())
    assert strategy.rank(page("new", "moth moth", title="Moth wings")) == pytest.approx(
        0.5 * 0.5**0.5, abs=1e-4
    )


def test_the_ranking_puts_the_pages_of_a_topic_before_all_others() -> None:
    web = toy_web(seed=4)
    strategy = replays.fitted(Layered(), toy_web(seed=100))
    ranked = sorted(web.pages.values(), key=strategy.rank, reverse=True)
    assert {each.url for each in ranked[: len(web.targets)]} == web.targets


# --- models and batteries -------------------------------------------------------------------------


def test_a_model_of_something_else_is_refused() -> None:
    whole = fitted().model()
    for part in ("bayes", "anchors", "targets"):
        with pytest.raises(ModelError, match=r'no model of strategy "layered"'):
            Layered(layers=2).give({**whole, part: None})
    context_graph = ContextGraph(layers=2)
    context_graph.fit(GRAPH)
    with pytest.raises(ModelError, match=r'no model of strategy "layered"'):
        Layered(layers=2).give(context_graph.model())


def test_what_went_through_json_says_the_same() -> None:
    one, other = fitted(), Layered(layers=2)
    other.begin(topic())
    other.give(json.loads(json.dumps(one.model())))
    anchors = "silk wings", "park", "news", "moth", ""
    assert proposals(one, *anchors) == proposals(other, *anchors)
    assert one.rank(page("new", "moth")) == other.rank(page("new", "moth"))
