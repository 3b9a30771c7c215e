"""When a claim holds."""

from __future__ import annotations

import pytest
from experiments.claims import CLAIMS, Claim, Outcome
from experiments.protocol import ALL, VARIANTS

from homing.lab.results.compare import Comparison, Verdict


def outcome(*verdicts: Verdict, alike: bool = False) -> str:
    compared = [
        Comparison(
            strategy="a",
            against="b",
            measure="recall",
            units=9,
            witnesses=9,
            mean=0.1,
            low=0.0,
            high=0.2,
            p=0.01,
            verdict=verdict,
        )
        for verdict in verdicts
    ]
    claim = Claim(paper="P", says="a is better than b", pairs=(("a", "b"),), alike=alike)
    return Outcome(claim=claim, experiment="web", comparisons=compared).verdict


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (("better", "better"), "holds"),
        (("better", "undecided"), "undecided"),
        (("better", "worse"), "does not hold"),
        (("better", "not tested"), "reported, not tested"),
    ],
)
def test_a_claim_holds_if_all_of_it_does(verdicts: tuple[Verdict, ...], said: str) -> None:
    assert outcome(*verdicts) == said


def test_that_two_are_alike_can_only_fail_to_be_refuted() -> None:
    assert outcome("undecided", "undecided", alike=True) == "no difference shown"
    assert outcome("undecided", "better", alike=True) == "does not hold"


def test_every_claim_speaks_of_strategies_that_are_run() -> None:
    shapes = [each.strip("{} ").replace('"', "").removeprefix("name = ") for each in VARIANTS]
    run = {*ALL, *(shape.replace(", ", " ").replace(" = ", "=") for shape in shapes)}
    assert {name for claim in CLAIMS for pair in claim.pairs for name in pair} <= run
