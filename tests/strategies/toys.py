"""Single visits, paths, and the baselines to beat on a toy web: what tests of several strategies need."""

from __future__ import annotations

from collections.abc import Iterable

from homing.checks.replays import replay
from homing.checks.webs import ToyWeb
from homing.judge import Judge
from homing.model import Entry, Judgement, Page, Priority, Visit
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.random_order import RandomOrder
from homing.strategies.trained.sequence.belief import Decode, Floats, advance, unpack

BUDGET = 72
"""Three tenths of the pages of a toy web."""


def harvest_to_beat(web: ToyWeb, *, seed: int = 0, judge: Judge | None = None) -> float:
    """The better harvest rate of the two strategies that read nothing."""
    return max(
        replay(web, each, pages=BUDGET, judge=judge).harvest
        for each in (BreadthFirst(), RandomOrder(seed=seed))
    )


def visit(page: Page, memo: bytes = b"") -> Visit:
    """A visit to a relevant page; ``memo`` came with its URL."""
    entry = Entry(key=0, url=page.url, priority=Priority(), memo=memo)
    judgement = Judgement(score=0.5, relevant=True, judge="test")
    return Visit(step=0, entry=entry, page=page, judgement=judgement)


def belief_after(steps: Iterable[Floats], decode: Decode = "marginal") -> Floats:
    """The belief at the end of a path; each step says how strongly it leads from which state to which."""
    belief, _ = unpack(b"")
    for moves in steps:
        belief = advance(belief, moves, decode)
    return belief
