"""The prior weights are written where the strategy reads them."""

from __future__ import annotations

import inspect

from experiments.adaptive.prior_weights import PAGE

from homing.strategies.adaptive import prior


def test_the_page_is_the_module_that_the_strategy_reads() -> None:
    assert inspect.getfile(prior) == str(PAGE)
    assert "Written by experiments/adaptive/prior_weights.py" in (prior.__doc__ or "")
