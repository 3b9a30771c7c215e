"""What memm and crf share: fitting, models, the capped queue (``chain``, ``believer``, ``sequences``)."""

from __future__ import annotations

import json
from functools import lru_cache
from statistics import mean
from typing import Any, cast

import numpy as np
import pytest
from tests.strategies.toys import BUDGET, harvest_to_beat, visit

from homing.checks.replays import ToyView, replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.errors import ModelError, UsageError
from homing.judge.keywords import Keywords
from homing.model import Entry, Link, Page, Priority, Proposal, State, Visit
from homing.strategies.trained.sequence.belief import FROM, STATES
from homing.strategies.trained.sequence.chain import Chain
from homing.strategies.trained.sequence.crf import Crf
from homing.strategies.trained.sequence.memm import Memm
from homing.strategies.trained.sequence.observations import Observer
from homing.strategies.trained.sequence.sequences import Sequences, lay_out, trails_of
from homing.trails import LocalGraph
from homing.urls import key

JUDGE = Keywords("butterflies")
TOPIC = JUDGE.topic()
BOTH = pytest.mark.parametrize("make", [Memm, Crf])
VARIANTS: list[tuple[type[Chain], dict[str, Any]]] = [
    (Memm, {}),
    (Memm, {"mode": "paper", "full_edge_features": True, "queue_cap": 50}),
    (Crf, {}),
    (Crf, {"decode": "viterbi", "features": "words", "words": "counted"}),
]


def graph(seed: int = 7) -> LocalGraph:
    web = toy_web(seed=seed)
    return LocalGraph(web.pages.values(), web.targets)


@lru_cache(maxsize=32)
def _model(make: type[Chain], options: str) -> State:
    """What was fitted to a little web with these options, as plain data."""
    strategy = make(walks=80, vocabulary=60, **json.loads(options))
    strategy.begin(TOPIC)
    strategy.fit(graph())
    return strategy.model()


def model(make: type[Chain], **options: Any) -> State:
    return _model(make, json.dumps(options))


def trained(make: type[Chain], **options: Any) -> Chain:
    fitting = {name: value for name, value in options.items() if name not in ("decode", "queue_cap")}
    strategy = make(**options)
    strategy.give(model(make, **fitting))
    strategy.begin(TOPIC)
    return strategy


def observed(*, lookahead: bool) -> tuple[Observer, Sequences]:
    trails = trails_of(graph(), 20, seed=3)
    pages = list({step.page.url: step.page for trail in trails for step in trail}.values())
    observer = Observer.of(TOPIC, pages, pages[:3], vocabulary=15, counted=True, words_only=False)
    return observer, lay_out(trails, observer, TOPIC.rate, lookahead=lookahead, seed=3)


@BOTH
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("lookahead", [False, True])
def test_the_gradient_is_that_of_finite_differences(make: type[Chain], full: bool, lookahead: bool) -> None:
    strategy = make(full_edge_features=full)
    observer, sequences = observed(lookahead=lookahead)
    variance = np.linspace(0.5, 2, len(observer))
    chance = np.random.default_rng(1)
    size = 2 * FROM * STATES + len(observer) * (FROM * STATES if full else STATES)
    theta = chance.normal(0, 0.4, size)
    _, gradient = strategy.loss(theta, sequences, variance)
    some = chance.choice(size, 60, replace=False)
    for place in {*some.tolist(), *np.argsort(-np.abs(gradient))[:20].tolist()}:
        nudge = np.zeros(size)
        nudge[place] = 1e-6
        above, below = (strategy.loss(theta + sign * nudge, sequences, variance)[0] for sign in (1, -1))
        assert gradient[place] == pytest.approx((above - below) / 2e-6, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(("make", "options"), VARIANTS, ids=str)
def test_a_fitted_one_passes_the_battery(make: type[Chain], options: dict[str, Any]) -> None:
    def fresh() -> Chain:
        return trained(make, **options)

    check_strategy(fresh)


@BOTH
def test_a_model_of_one_web_helps_in_another(make: type[Chain]) -> None:
    for seed in range(5):
        web = toy_web(seed=seed)
        mine = replay(web, trained(make), pages=BUDGET, judge=JUDGE).harvest
        assert mine > harvest_to_beat(web, judge=JUDGE)


@BOTH
def test_the_chances_of_a_link_add_up_to_one_and_make_its_score(make: type[Chain]) -> None:
    page = toy_web(seed=1).pages["http://toy.example/gardens/hub-0"]
    for proposal in trained(make).score(visit(page)):
        chances = [value for _, value in proposal.why]
        assert sum(chances) == pytest.approx(1)
        assert proposal.priority.score == pytest.approx(chances[0], abs=2e-3)


@BOTH
def test_links_to_targets_come_before_links_to_pages_that_lead_there(make: type[Chain]) -> None:
    web = toy_web(seed=1)
    chances: dict[bool, list[float]] = {True: [], False: []}
    for url in ("http://toy.example/gardens/hub-0", "http://toy.example/butterflies/hub-1/page-3"):
        for proposal in trained(make).score(visit(web.pages[url])):
            chances[proposal.url in web.targets].append(proposal.priority.score)
    assert mean(chances[True]) > 2 * mean(chances[False])


@BOTH
def test_in_the_papers_mode_the_page_decides_and_ahead_the_link(make: type[Chain]) -> None:
    site = "http://toy.example"
    plain = Link(url=f"{site}/gardens/new", anchor="compost", around="compost", place=0)
    telling = Link(url=f"{site}/butterflies/new", anchor="butterfly", around="butterfly monarch", place=1)
    target = Page(
        url=f"{site}/butterflies/here",
        title="butterfly monarch",
        headings=("butterfly monarch",),
        text="butterfly caterpillar wings nectar monarch " * 5,
        links=(plain, telling),
    )
    spread = {}
    for mode in ("paper", "lookahead"):
        first, second = trained(make, mode=mode).score(visit(target))
        spread[mode] = dict(second.why)["target"] - dict(first.why)["target"]
    assert spread["lookahead"] > 0.3
    assert spread["lookahead"] > spread["paper"]


@BOTH
def test_the_path_that_led_to_a_page_changes_what_is_believed_of_its_links(make: type[Chain]) -> None:
    strategy, web = trained(make), toy_web(seed=1)
    hub, leaf = (web.pages[f"http://toy.example/gardens/{name}"] for name in ("hub-0", "hub-0/page-1"))
    memo = next(each.memo for each in strategy.score(visit(hub)) if each.url == leaf.url)
    alone, after = (next(iter(strategy.score(visit(leaf, each)))) for each in (b"", memo))
    assert alone.priority != after.priority


@BOTH
def test_words_are_trusted_less_where_there_are_few_pages(make: type[Chain]) -> None:
    kept = cast(dict[str, Any], model(make))
    flags = trained(make)._observer.are_words()
    sizes = np.abs(np.array(kept["weights"])).max(axis=1)
    assert sizes[flags == 0].max() > 2 * sizes[flags == 1].max()


@BOTH
def test_it_begins_as_link_context_and_fits_itself_to_what_it_saw(make: type[Chain]) -> None:
    web = toy_web(seed=1)
    strategy = make(fit_after=60, walks=60, vocabulary=30)
    strategy.begin(TOPIC)
    known = [Entry(key=key(url), url=url, priority=Priority(), seq=seq) for seq, url in enumerate(web.pages)]
    view = ToyView(entries=known, queue=range(len(known)), onward={}, scores={})
    for step, page in enumerate(list(web.pages.values())[:80]):
        entry = Entry(key=step, url=page.url, priority=Priority())
        strategy.learn(Visit(step=step, entry=entry, page=page, judgement=JUDGE.judge(page)))
        if step == 30:
            assert strategy.rerank(view) is None
            assert [name for name, _ in next(iter(strategy.score(visit(page)))).why] == ["page", "context"]
    ranking = strategy.rerank(view)
    assert strategy.fitted
    assert ranking is not None
    assert strategy.rerank(view) is None
    seen = list(web.pages.values())[:80]
    assert set(ranking.keys.tolist()) == {key(link.url) for page in seen for link in page.links}
    assert ((ranking.scores >= 0) & (ranking.scores <= 1)).all()

    restored = make(fit_after=60, walks=60, vocabulary=30)
    restored.begin(TOPIC)
    restored.restore(json.loads(json.dumps(strategy.state())))
    for page in seen[::9]:
        assert list(restored.score(visit(page))) == list(strategy.score(visit(page)))


@BOTH
def test_beyond_the_cap_links_come_last(make: type[Chain]) -> None:
    page = toy_web(seed=1).pages["http://toy.example/gardens/hub-0"]
    capped, free = trained(make, queue_cap=5), trained(make)
    for strategy in (capped, free):
        strategy.learn(visit(page))
    scores = sorted((each.priority.score for each in free.score(visit(page))), reverse=True)
    for proposal in capped.score(visit(page)):
        assert proposal.priority.tier == (0 if proposal.priority.score >= scores[4] else 1)


@BOTH
def test_a_visited_page_makes_room_in_a_capped_queue(make: type[Chain]) -> None:
    strategy, web = trained(make, queue_cap=3), toy_web(seed=1)
    hub = web.pages["http://toy.example/butterflies/hub-0"]

    def first_tier() -> list[Proposal]:
        return [each for each in strategy.score(visit(hub)) if each.priority.tier == 0]

    strategy.learn(visit(hub))
    before = {each.url for each in first_tier()}
    best = max(first_tier(), key=lambda each: each.priority.score).url
    strategy.learn(visit(Page(url=best)))
    strategy.learn(visit(hub))
    after = {each.url for each in first_tier()}
    assert best in before
    assert best not in after
    assert len(before) == len(after) == 3


@BOTH
def test_pages_without_targets_are_refused_in_one_line(make: type[Chain]) -> None:
    strategy = make()
    strategy.begin(TOPIC)
    with pytest.raises(UsageError, match="among 241 pages, 0 of them on the topic, there are none"):
        strategy.fit(LocalGraph(toy_web(seed=1).pages.values(), ()))


@BOTH
def test_what_is_no_model_is_refused(make: type[Chain]) -> None:
    good = cast(dict[str, Any], model(make))
    for bad in ({}, {**good, "edges": [[1.0]]}, {**good, "weights": [[1.0, 2.0]]}, {**good, "observer": {}}):
        with pytest.raises(ModelError, match="fit again"):
            make().give(bad)


def test_a_model_of_the_other_strategy_or_mode_is_refused() -> None:
    with pytest.raises(ModelError, match='one of strategy "memm", not "crf"'):
        Crf().give(model(Memm))
    with pytest.raises(ModelError, match='fitted with mode = "lookahead"'):
        Memm(mode="paper").give(model(Memm))
