"""Every strategy there is, and their ``base``; ``model_files`` is tested in tests/fuzz/test_models.py."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from statistics import mean

import pytest

from homing.checks.replays import replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.model import Entry, Judgement, Proposal, Visit, keep_better
from homing.registry import make
from homing.strategies import STRATEGIES, Strategy
from homing.strategies.best_first import BestFirst
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.link_context import LinkContext
from homing.strategies.random_order import RandomOrder

PERFECT = Judgement(score=1.0, relevant=True, judge="test")
SECTIONS = ("Examples", "References")
SOONER: dict[str, dict[str, object]] = {
    "hmm": {"walks": 100},
    "memm": {"fit_after": 60, "walks": 60, "vocabulary": 40},
    "crf": {"fit_after": 60, "walks": 60, "vocabulary": 40},
}
"""What makes those that fit themselves do so within the battery's small crawls, and in a second."""


@pytest.mark.parametrize("name", STRATEGIES.names())
def test_every_strategy_passes_the_battery(name: str) -> None:
    check_strategy(partial(make, STRATEGIES.get(name), SOONER.get(name, {})))


@pytest.mark.parametrize("name", STRATEGIES.names())
def test_every_strategy_is_documented(name: str) -> None:
    doc = inspect.getdoc(STRATEGIES.get(name)) or ""
    assert [section for section in SECTIONS if f"{section}\n{'-' * len(section)}\n" not in doc] == []
    assert ">>> " in doc
    description = STRATEGIES.describe(name)
    assert description["summary"].endswith(".")
    assert [each["name"] for each in description["parameters"] if not each["help"]] == []


@pytest.mark.parametrize("name", STRATEGIES.names())
def test_no_link_comes_before_a_seed(name: str) -> None:
    strategy = STRATEGIES.get(name)()
    web = toy_web(seed=0)
    assert replay(web, strategy, pages=1).order == (web.home,)
    seed = strategy.start(web.home).priority
    entry = Entry(key=0, url=web.home, priority=seed)
    visit = Visit(step=0, entry=entry, page=web.pages[web.home], judgement=PERFECT)
    assert not any(proposal.priority.better_than(seed) for proposal in strategy.score(visit))


@pytest.mark.parametrize("name", STRATEGIES.names())
def test_strategies_that_add_up_proposals_say_so(name: str) -> None:
    strategy = STRATEGIES.get(name)
    assert strategy.additive is (strategy.merge is not keep_better)


def test_a_strategy_with_a_merge_of_its_own_gets_every_proposal() -> None:
    class Merging(BestFirst):
        def merge(self, old: Entry, new: Proposal) -> Proposal:
            return new

    assert Merging.additive


@pytest.mark.parametrize("better", [BestFirst, LinkContext])
@pytest.mark.parametrize("worse", [BreadthFirst, RandomOrder])
def test_reading_pages_beats_not_reading_them(
    better: Callable[[], Strategy], worse: Callable[[], Strategy]
) -> None:
    for seed in range(5):
        web = toy_web(seed=seed)
        budget = int(0.3 * len(web.pages))
        assert replay(web, better(), pages=budget).harvest > replay(web, worse(), pages=budget).harvest


def test_reading_around_a_link_beats_reading_its_page_alone() -> None:
    webs = [toy_web(seed=seed) for seed in range(5)]
    context, page = (
        mean(replay(web, make(), pages=60).harvest for web in webs) for make in (LinkContext, BestFirst)
    )
    assert context > page
