"""What context-graph, layered and q-learning have in common: with a model, and without one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from tests.strategies.toys import BUDGET, harvest_to_beat

from homing.checks.replays import fitted, replay
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.strategies import Strategy
from homing.strategies.trained.base import Trained
from homing.strategies.trained.layers.context_graph import ContextGraph
from homing.strategies.trained.layers.layered import Layered
from homing.strategies.trained.layers.q_learning import QLearning


@pytest.mark.parametrize(
    "make",
    [
        lambda: ContextGraph(fit_after=20, refit_every=25, shift=True, layers=2),
        lambda: fitted(ContextGraph(terms=200), toy_web(seed=100)),
        lambda: Layered(fit_after=20, refit_every=25),
        lambda: fitted(Layered(terms=200, shift=True, hot=0.5), toy_web(seed=100)),
        lambda: QLearning(fit_after=20, refit_every=25, variant="paper", bins=2),
        lambda: fitted(QLearning(terms=200), toy_web(seed=100)),
    ],
)
def test_the_battery_holds_with_and_without_a_model(make: Callable[[], Strategy]) -> None:
    check_strategy(make)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "make",
    [
        ContextGraph,
        partial(ContextGraph, shift=True),
        Layered,
        QLearning,
        partial(QLearning, variant="paper"),
    ],
)
def test_a_model_of_another_web_beats_random_and_breadth_first(
    make: Callable[[], Trained], seed: int
) -> None:
    web, strategy = toy_web(seed=seed), fitted(make(), toy_web(seed=seed + 100))
    assert replay(web, strategy, pages=BUDGET).harvest > harvest_to_beat(web, seed=seed)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("make", [ContextGraph, Layered, QLearning])
def test_a_crawl_that_fits_itself_beats_random_and_breadth_first(make: type[Trained], seed: int) -> None:
    web, strategy = toy_web(seed=seed), make(fit_after=25, refit_every=25)
    assert replay(web, strategy, pages=BUDGET).harvest > harvest_to_beat(web, seed=seed)
