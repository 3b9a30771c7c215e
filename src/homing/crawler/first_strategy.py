"""A crawl's strategy as it is before the first page: built, given its model, and told the topic."""

from __future__ import annotations

from inspect import signature
from pathlib import Path

from homing.config import Config
from homing.model import Topic
from homing.modelfile import read_model
from homing.registry import make
from homing.store.folder import Layout
from homing.strategies import STRATEGIES, Strategy
from homing.strategies.model_files import give


def new_strategy(config: Config, layout: Layout, *, resumed: bool) -> Strategy:
    """Build the strategy; a resumed crawl has its own copy of a taxonomy that was given as a file."""
    strategy, parameters = STRATEGIES.get(config.strategy.name), config.strategy.parameters
    if resumed and parameters.get("taxonomy"):
        parameters["taxonomy"] = str(layout.strategy_taxonomy)
    if "seed" in signature(strategy).parameters:
        parameters.setdefault("seed", config.strategy.random_seed)
    return make(strategy, parameters)


def give_model(config: Config, layout: Layout, strategy: Strategy, *, resumed: bool) -> bytes:
    """Give the strategy its model, if it has one, and return that as a file; a resumed crawl has a copy."""
    if not config.strategy.model:
        return b""
    model = read_model(layout.strategy_model if resumed else Path(config.strategy.model))
    give(strategy, model, config.topic.text)
    return model.content


def first_strategy(config: Config, layout: Layout, topic: Topic) -> Strategy:
    """Return the strategy of an existing crawl as it was before the first page."""
    strategy = new_strategy(config, layout, resumed=True)
    strategy.begin(topic)
    give_model(config, layout, strategy, resumed=True)
    return strategy
