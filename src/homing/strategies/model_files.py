"""Strategies in model files (``modelfile.py``)."""

from __future__ import annotations

from pathlib import Path

from homing.errors import ModelError, UsageError
from homing.modelfile import Model, write_model
from homing.strategies import STRATEGIES, Strategy
from homing.strategies.trained.base import Trained
from homing.trails import LocalGraph


def check_trained(strategy: Strategy) -> Trained:
    """Return the strategy if it is one that can be fitted."""
    if isinstance(strategy, Trained):
        return strategy
    others = ", ".join(name for name in STRATEGIES.names() if issubclass(STRATEGIES.get(name), Trained))
    raise UsageError(f'the strategy "{strategy.name}" learns nothing by fitting; these do: {others}')


def save_strategy(path: Path, strategy: Trained, topic: str, graph: LocalGraph) -> None:
    """Write what a strategy has been fitted to."""
    write_model(
        path,
        kind=strategy.kind,
        name=strategy.name,
        topic=topic,
        trained_on={"pages": len(graph.pages), "targets": len(graph.targets)},
        state=strategy.model(),
    )


def give(strategy: Strategy, model: Model, topic: str) -> None:
    """Let a strategy use a model. One for another strategy or topic is refused in one line."""
    if model.kind != "strategy":
        raise ModelError(f"{model.source} is a model of a {model.kind}, not of a strategy")
    if model.name != strategy.name:
        raise ModelError(
            f'{model.source} is a model of the strategy "{model.name}", not of "{strategy.name}"'
        )
    if model.topic and topic and model.topic != topic:
        raise ModelError(f'{model.source} was fitted for "{model.topic}", not for "{topic}"; fit it again')
    try:
        check_trained(strategy).give(model.state)
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        problem = f'{model.source} holds no model of the strategy "{model.name}"'
        raise ModelError(f"{problem} ({type(error).__name__}: {error}); fit it again") from error
