"""The treasure strategy: its gate, its priorities, its watchdog (``treasure``, ``watchdog``)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from homing.checks.replays import replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.errors import ModelError, UsageError
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, State, Topic, Visit
from homing.registry import make
from homing.strategies import Strategy
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.random_order import RandomOrder
from homing.strategies.trained.treasure.treasure import Treasure
from homing.taxonomy import Subject, Taxonomy
from homing.trails import LocalGraph
from homing.urls import key

SUBJECTS = Taxonomy(
    [
        Subject(code="59", label="Animals", terms=("moth", "butterfly", "bird")),
        Subject(code="62", label="Trains", terms=("train", "railway", "rail")),
    ]
)
Integers = NDArray[np.int64]
MOTHS, HUB, HOME = "http://a.example/moth", "http://a.example/hub", "http://a.example/"


def topic(*codes: str, text: str = "moths", examples: tuple[Page, ...] = ()) -> Topic:
    return Topic(text=text, codes=codes, examples=examples, rate=lambda texts: [0.5] * len(texts))


def page(url: str, *links: Link, text: str = "") -> Page:
    return Page(url=url, text=text, links=links, language="en")


WEB = LocalGraph(
    [
        page(HOME, Link(url=HUB, block="garden lawn")),
        page(HUB, Link(url=MOTHS, block="moth wing")),
        page(MOTHS),
    ],
    {MOTHS},
)
"""From a garden to a hub to a moth."""


def fitted(about: Topic | None = None, **parameters: object) -> Treasure:
    """A strategy that says what the T-Graph of that web says, and nothing else."""
    plain = {"context_weight": 0.0, "aging": 0.0, "doubt": 0.0, "taxonomy": SUBJECTS}
    strategy = Treasure(**{**plain, **parameters})  # type: ignore[arg-type]
    strategy.begin(about or topic())
    strategy.fit(WEB)
    strategy.give(strategy.model())
    return strategy


def visit(of: Page, *, step: int = 0, seq: int = 0, parent: Visit | None = None, relevant: bool = False,
          memo: bytes = b"") -> Visit:  # fmt: skip
    entry = Entry(
        key=seq,
        url=of.url,
        priority=Priority(),
        seq=seq,
        memo=memo,
        parent=parent.entry.seq if parent else None,
    )
    judgement = Judgement(score=float(relevant), relevant=relevant, judge="test")
    return Visit(step=step, entry=entry, page=of, judgement=judgement)


def scores(strategy: Strategy, *links: Link, step: int = 0, text: str = "") -> list[float]:
    return [each.priority.score for each in strategy.score(visit(page("p", *links, text=text), step=step))]


# -- priorities


def test_a_link_is_worth_one_by_the_documents_to_a_target() -> None:
    near, far, unknown = (Link(url=text, block=text) for text in ("moth wing", "garden lawn", "chess"))
    for aggregate in ("min", "topk", "weighted"):
        strategy = fitted(aggregate=aggregate)
        assert scores(strategy, near, far, unknown) == pytest.approx([1, 1 / 2, 1 / 3])


def test_the_links_of_a_passage_are_worth_the_same_but_for_the_words_around_them() -> None:
    ratings = {"moths": 1.0, "shops": 0.0}
    about = Topic(text="", rate=lambda texts: [ratings[text] for text in texts])
    links = [Link(url=around, around=around, block="moth wing") for around in ratings]
    assert scores(fitted(about), *links) == [1, 1]
    assert scores(fitted(about, context_weight=0.25), *links) == [1, 0.75]


def test_a_link_in_the_frontier_gains_on_those_found_later() -> None:
    near, far = (Link(url=text, block=text) for text in ("moth wing", "garden lawn"))
    strategy = fitted(aging=1e-4)
    [early], [late] = scores(strategy, far, step=10), scores(strategy, near, step=5_011)
    assert early == pytest.approx(1 / 2 - 0.001)
    assert late == pytest.approx(1 - 0.5011)
    assert early > late


def test_the_parts_of_a_priority_are_named() -> None:
    [near, off] = fitted(topic("59"), aging=1e-4).score(
        visit(page("p", Link(url="a", block="moth wing"), Link(url="b", block="train")), step=100)
    )
    names = {"T-Graph": 1, "context": 0, "similarity": 1, "distance": 1, "age": -0.01}
    assert dict(near.why) == pytest.approx(names)
    assert dict(off.why) == pytest.approx({"off topic": 0.01, "age": -0.01})


# -- the gate

MOTH = Link(url="m", block="a moth by the railway", anchor="moth")
RAIL = Link(url="r", block="a moth by the railway", anchor="railway")
DUMB = Link(url="d", block="wing", anchor="wing")


def test_the_words_of_a_link_weigh_more_than_those_around_it() -> None:
    # W of 59 for MOTH: 1 · 2 · 1.4 = 2.8 against 1 · 2 · 1.0 = 2 of 62; for RAIL the other way round.
    assert scores(fitted(topic("59")), MOTH, RAIL) == [pytest.approx(1), 0.01]
    assert scores(fitted(topic("62")), MOTH, RAIL) == [0.01, pytest.approx(1)]


def test_where_a_passage_has_no_word_of_the_taxonomy_its_page_decides() -> None:
    strategy = fitted(topic("59"))
    assert scores(strategy, DUMB, text="birds and moths") == [pytest.approx(1)]
    assert scores(strategy, DUMB, text="rails and trains") == [0.01]
    assert scores(strategy, DUMB) == [0.01]


def test_the_page_may_decide_for_all_its_links() -> None:
    strategy = fitted(topic("59"), gate="page")
    assert scores(strategy, MOTH, RAIL, text="birds") == pytest.approx([1, 1])
    assert scores(strategy, MOTH, RAIL, text="trains") == [0.01, 0.01]


def test_the_gate_can_be_open() -> None:
    assert scores(fitted(topic("62"), gate="off"), MOTH, RAIL) == pytest.approx([1, 1])
    assert scores(fitted(topic()), MOTH, RAIL) == pytest.approx([1, 1])


def test_codes_are_derived_from_the_words_of_the_topic_and_its_examples_if_wanted() -> None:
    example = page("e", text="railway and train")
    assert fitted(topic(text="moths and birds", examples=(example,)), derive=True).codes == ("59",)
    assert fitted(topic(text="travel", examples=(example,)), derive=True).codes == ("62",)
    assert fitted(topic(text="travel"), derive=True).codes == ()
    assert fitted(topic("62", text="moths"), derive=True).codes == ("62",)
    assert fitted(topic(text="moths")).codes == ()


def test_a_code_that_the_taxonomy_lacks_is_refused() -> None:
    with pytest.raises(UsageError, match='has no code "77"'):
        fitted(topic("77"))


# -- the watchdog


def follow(strategy: Treasure, parent: Visit, child: Page, *, seq: int, relevant: bool = False) -> Visit:
    """Follow the link from a page that was visited to another."""
    [proposal] = [each for each in strategy.score(parent) if each.url == child.url]
    arrived = visit(child, seq=seq, step=seq, parent=parent, relevant=relevant, memo=proposal.memo)
    strategy.learn(arrived)
    return arrived


class FrontierOf:
    """A crawl with only these URLs in the frontier."""

    def __init__(self, *urls: str) -> None:
        self.urls = urls

    def waiting(self) -> Integers:
        return np.arange(len(self.urls))

    def keys(self, seqs: Integers) -> Integers:
        return np.array([key(self.urls[seq]) for seq in seqs], np.int64)

    def priorities(self, seqs: Integers) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        return np.zeros(len(seqs), np.int32), np.zeros(len(seqs))

    def links(self) -> tuple[Integers, Integers]:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)

    def judged(self) -> tuple[Integers, NDArray[np.float64]]:
        return np.zeros(0, np.int64), np.zeros(0)


def watched(*, levels: int = 4) -> Treasure:
    """A crawl found a moth by way of two passages that the graph did not know."""
    strategy = fitted(watch_every=1, levels=levels)
    attic = page("attic", Link(url="lamp", block="an old attic"))
    lamp = page("lamp", Link(url="moth", block="a bright lamp"))
    first = visit(attic, seq=1)
    strategy.learn(first)
    second = follow(strategy, first, lamp, seq=2)
    follow(strategy, second, page("moth"), seq=3, relevant=True)
    strategy.rerank(FrontierOf())
    return strategy


ATTIC, LAMP = Link(url="x", block="an old attic"), Link(url="y", block="a bright lamp")


def test_the_way_to_a_new_target_becomes_part_of_the_graph() -> None:
    before = fitted()
    assert scores(before, ATTIC, LAMP) == pytest.approx([1 / 3, 1 / 3])
    assert scores(watched(), ATTIC, LAMP) == pytest.approx([1 / 2, 1])


def test_the_watchdog_walks_back_as_many_levels_as_are_set() -> None:
    assert scores(watched(levels=1), ATTIC, LAMP) == pytest.approx([1 / 3, 1])


def test_a_passage_much_like_a_node_is_merged_with_it() -> None:
    strategy = fitted(watch_every=1)
    garden = page("garden", Link(url="moth", block="garden lawn"))
    first = visit(garden, seq=1)
    strategy.learn(first)
    follow(strategy, first, page("moth"), seq=2, relevant=True)
    strategy.rerank(FrontierOf())
    nodes = strategy._graph.nodes
    assert [node.distance for node in nodes] == [1, 1]
    assert [node.counts.tolist() for node in nodes] == [[2.0, 2.0], [1.0, 1.0]]


def mislead(strategy: Treasure, times: int, *, relevant: bool) -> None:
    hub = page("hub", *(Link(url=f"u{number}", block="moth wing") for number in range(times)))
    start = visit(hub, seq=1)
    strategy.learn(start)
    for number in range(times):
        follow(strategy, start, page(f"u{number}"), seq=2 + number, relevant=relevant)
    strategy.rerank(FrontierOf())


def test_a_node_on_whose_word_nothing_was_found_is_dropped_after_fifty_uses() -> None:
    # uses fade by .99 a use: 69 of them count 50.02
    for times, left in ((68, 2), (69, 1)):
        strategy = fitted(watch_every=1)
        mislead(strategy, times, relevant=False)
        assert len(strategy._graph.nodes) == left


def test_a_node_that_keeps_its_word_stays() -> None:
    strategy = fitted(watch_every=1)
    mislead(strategy, 100, relevant=True)
    assert len(strategy._graph.nodes) == 2
    spoke = strategy._graph.nodes[1]
    assert spoke.hits / spoke.uses > 0.9


def test_the_watchdog_resumes_after_a_stop_as_if_there_had_been_none() -> None:
    def crawl(*, stop: bool) -> State:
        strategy = fitted(watch_every=1)
        hub = page("hub", Link(url="moth", block="a bright lamp"))
        first = visit(hub, seq=1)
        strategy.learn(first)
        follow(strategy, first, page("moth"), seq=2, relevant=True)
        if stop:
            saved = json.loads(json.dumps(strategy.state()))
            strategy = fitted(watch_every=1)
            strategy.restore(saved)
        strategy.rerank(FrontierOf())
        return strategy.state()

    assert json.dumps(crawl(stop=True)) == json.dumps(crawl(stop=False))


def test_what_is_remembered_is_bounded() -> None:
    strategy = fitted()
    long = "moth " * 1_000
    for seq in range(700):
        links = [Link(url=f"{seq}-{number}", block=f"{number} {long}") for number in range(60)]
        strategy.learn(visit(page(f"p{seq}", *links), seq=seq, relevant=True))
    met = strategy._watchdog._met
    assert len(met) == 300
    assert max(len(each.passages) for each in met.values()) == 40
    assert max(len(passage.text) for each in met.values() for passage in each.passages) == 300


# -- fitting


def test_links_found_before_the_graph_are_re_ranked_once_there_is_one() -> None:
    near, far, unknown = "http://w.example/near", "http://w.example/far", "http://w.example/unknown"
    view = FrontierOf(near, far, unknown)
    strategy = Treasure(fit_after=10, context_weight=0, doubt=0, watch_every=0)
    strategy.begin(topic())
    waiting = page(
        "http://w.example/",
        Link(url=near, block="moth wing"),
        Link(url=far, block="garden lawn"),
    )
    moths = [f"{MOTHS}{number}" for number in range(4)]
    hubs = [page(f"{HUB}{number}", Link(url=moths[number], block="moth wing")) for number in range(4)]
    homes = [page(f"{HOME}{number}", Link(url=hubs[number].url, block="garden lawn")) for number in range(4)]
    pages: Sequence[Page] = [waiting, *homes, *hubs]
    for seq, each in enumerate(pages):
        strategy.learn(visit(each, seq=seq))
    for seq, url in enumerate(moths):
        strategy.learn(visit(page(url), seq=100 + seq, relevant=True))
    ranking = strategy.rerank(view)
    assert ranking is not None
    assert ranking.keys.tolist() == [key(near), key(far)]
    assert ranking.scores == pytest.approx([1, 1 / 2])
    assert strategy.rerank(view) is None


def test_pages_that_link_to_no_target_are_too_little_to_learn_from() -> None:
    with pytest.raises(UsageError, match="needs pages that link to targets"):
        Treasure().fit(LocalGraph([page(HOME, Link(url=HUB)), page(HUB)], set()))


@pytest.mark.parametrize("model", [{}, {"weights": [1]}, {"last_serial": 1, "nodes": "none"}])
def test_the_model_of_another_strategy_is_refused(model: State) -> None:
    with pytest.raises(ModelError, match='this is no model of strategy "treasure"'):
        Treasure().give(model)


def test_a_taxonomy_that_is_not_there_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        make(Treasure, {"taxonomy": "/no/such/file.csv"})


# -- on the little web


@cache
def toy_model() -> State:
    """What ``homing fit`` would make of another web of the same kind."""
    strategy = Treasure()
    web = toy_web(seed=7)
    strategy.fit(LocalGraph(list(web.pages.values())[:100:2], web.targets))
    model: State = json.loads(json.dumps(strategy.model()))
    return model


def with_model(**parameters: object) -> Treasure:
    strategy = Treasure(**parameters)  # type: ignore[arg-type]
    strategy.give(toy_model())
    return strategy


VARIANTS: list[dict[str, object]] = [
    {"derive": True},
    {"aggregate": "min", "average": "all", "context_weight": 0.0},
    {"aggregate": "weighted", "enclosing": "nearest"},
]


@pytest.mark.parametrize("parameters", VARIANTS, ids=str)
def test_the_battery_is_passed_with_a_model(parameters: dict[str, object]) -> None:
    check_strategy(lambda: with_model(**parameters))


@pytest.mark.parametrize("worse", [BreadthFirst, RandomOrder])
def test_a_graph_of_another_web_beats_not_reading(worse: type[Strategy]) -> None:
    budget = int(0.3 * len(toy_web(seed=0).pages))
    for seed in range(5):
        web = toy_web(seed=seed)
        found = replay(web, with_model(), pages=budget).harvest
        assert found > replay(web, worse(), pages=budget).harvest


def test_a_proposal_keeps_its_node_and_its_place_in_six_bytes() -> None:
    of = page("p", Link(url="a", block="garden lawn"), Link(url="b", block="moth wing"))
    proposals: list[Proposal] = list(fitted().score(visit(of)))
    assert [each.memo for each in proposals] == [b"\x01\0\0\0\0\0", b"\x02\0\0\0\x01\0"]
    assert replace(proposals[0], memo=b"").url == "a"
