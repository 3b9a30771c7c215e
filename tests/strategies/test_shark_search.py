"""Shark-search: what links inherit, and what they say themselves."""

from __future__ import annotations

from struct import unpack

import pytest

from homing.checks.replays import replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.model import Entry, Judgement, Link, Page, Priority, Proposal, Topic, Visit
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.random_order import RandomOrder
from homing.strategies.shark_search import SharkSearch

RATINGS = {"moths": 0.6, "a meadow of moths": 0.3, "a meadow": 0.4}
TOPIC = Topic(text="moths", rate=lambda texts: [RATINGS.get(text, 0.0) for text in texts])
SPOKEN = Link(url="http://a.example/1", anchor="moths", around="a meadow of moths")
SILENT = Link(url="http://a.example/2", anchor="here", around="a meadow")


def visit(*links: Link, score: float, memo: bytes = b"") -> Visit:
    entry = Entry(key=1, url="http://a.example/", priority=Priority(score=1.0), memo=memo)
    judgement = Judgement(score=score, relevant=score >= 0.5, judge="test")
    return Visit(step=1, entry=entry, page=Page(url=entry.url, links=links), judgement=judgement)


def proposals(strategy: SharkSearch, of: Visit) -> list[Proposal]:
    strategy.begin(TOPIC)
    return list(strategy.score(of))


def inherited(proposal: Proposal) -> float:
    value: float = unpack("<f", proposal.memo)[0]
    return value


def test_half_is_inherited_and_half_is_said_by_anchor_and_context() -> None:
    spoken, silent = proposals(SharkSearch(), visit(SPOKEN, SILENT, score=0.8))
    assert dict(spoken.why) == pytest.approx({"inherited": 0.2, "anchor": 0.24, "context": 0.06})
    assert spoken.priority.score == pytest.approx(0.5)
    assert dict(silent.why) == pytest.approx({"inherited": 0.2, "anchor": 0.0, "context": 0.04})


def test_the_original_takes_any_hit_in_the_anchor_for_a_perfect_context() -> None:
    spoken, silent = proposals(SharkSearch(context="full"), visit(SPOKEN, SILENT, score=0.8))
    assert dict(spoken.why)["context"] == pytest.approx(0.1)
    assert dict(silent.why)["context"] == pytest.approx(0.04)


def test_scent_fades_on_the_way_through_pages_off_the_topic() -> None:
    strategy = SharkSearch()
    first = proposals(strategy, visit(SILENT, score=0.8))[0]
    second = proposals(strategy, visit(SILENT, score=0.1, memo=first.memo))[0]
    third = proposals(strategy, visit(SILENT, score=0.0, memo=second.memo))[0]
    assert [inherited(each) for each in (first, second, third)] == pytest.approx([0.4, 0.2, 0.1])


def test_a_page_above_the_threshold_passes_on_its_own_score() -> None:
    far = proposals(SharkSearch(), visit(SILENT, score=0.9))[0]
    near = proposals(SharkSearch(), visit(SILENT, score=0.11, memo=far.memo))[0]
    assert inherited(near) == pytest.approx(0.055)


def test_a_seed_off_the_topic_has_nothing_to_pass_on() -> None:
    assert inherited(proposals(SharkSearch(), visit(SILENT, score=0.05))[0]) == 0.0


def test_anchors_and_windows_of_a_page_are_rated_in_one_call() -> None:
    calls: list[list[str]] = []

    def rate(texts: list[str]) -> list[float]:
        calls.append(texts)
        return [0.0] * len(texts)

    strategy = SharkSearch()
    strategy.begin(Topic(text="", rate=rate))
    list(strategy.score(visit(SPOKEN, SILENT, score=0.5)))
    assert calls == [["moths", "here", "a meadow of moths", "a meadow"]]


@pytest.mark.parametrize("seed", range(5))
def test_it_beats_those_who_do_not_read(seed: int) -> None:
    web = toy_web(seed=seed)
    mine = replay(web, SharkSearch(), pages=72).harvest
    assert mine > replay(web, BreadthFirst(), pages=72).harvest
    assert mine > replay(web, RandomOrder(), pages=72).harvest


def test_the_original_passes_the_battery_too() -> None:
    check_strategy(lambda: SharkSearch(context="full", threshold=0.0))
