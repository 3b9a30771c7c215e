"""Runs made by hand, and whole campaigns made by chance, for the tests of what is made of runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homing.lab.runs import Run, Unit


def make_run(strategy: str = "otie", topic: str = "bees", draw: int = 0, **fields: object) -> Run:
    """A run of eight pages, four of them the budget, with four targets, unless it is said otherwise."""
    usual = {"reachable": 20, "targets": 4, "budget": 4, "end": 8, "pages": 8, "hits": (2, 3, 7)}
    return Run(unit=Unit(topic=topic, draw=draw), strategy=strategy, **{**usual, **fields})  # type: ignore[arg-type]


def campaign(strategies: Sequence[str], topics: int, draws: int) -> list[Run]:
    """Runs of strategies that find targets the sooner, the further to the front they are named."""
    return [
        _chance(strategy, 1 - place / len(strategies), topic, draw)
        for place, strategy in enumerate(strategies)
        for topic in range(topics)
        for draw in range(draws)
    ]


def _chance(strategy: str, skill: float, topic: int, draw: int) -> Run:
    chance = np.random.default_rng([topic, draw, *strategy.encode()])
    steps = np.sort(chance.beta(1, 1 + 12 * skill, size=40) * 400).astype(int) + 1
    return make_run(
        strategy,
        f"topic {topic}",
        draw,
        reachable=400,
        targets=40,
        budget=40,
        end=200,
        pages=200,
        hits=tuple(int(step) for step in np.unique(steps) if step <= 200),
        similar=tuple(chance.random(200).tolist()),
        mean_similar=tuple(chance.random(8).tolist()),
        cpu_seconds=float(chance.random()),
    )
