"""Faults that random crawls have found (``test_stateful.py``), one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.frontier.rig import Rig, page
from tests.frontier.test_stateful import Additive, Scripted

from homing.frontier.frontier import Frontier
from homing.model import Failure, Priority, Proposal, Standing
from homing.strategies import Strategy
from homing.strategies.cash.opic import Opic

SEED, OTHER = "http://a.example/", "http://b.example/"
Begin = Callable[[Callable[[], Strategy]], Rig]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    begun: list[Rig] = []

    def make(strategy: Callable[[], Strategy]) -> Rig:
        begun.append(Rig(tmp_path, [SEED], strategy=strategy, frontier=lambda: Frontier(delay=0.0)))
        return begun[0]

    yield make
    begun[0].close()


def take(rig: Rig, url: str) -> int:
    """Lease until that URL comes."""
    rig.clock.seconds += 1
    while entry := rig.lease():
        if entry.url == url:
            return entry.seq
    raise AssertionError(f"{url} does not wait")


def cash(rig: Rig) -> float:
    frontier, strategy = rig.parts.frontier, rig.parts.strategy
    assert isinstance(strategy, Opic)
    in_frontier = sum(frontier.urls.priority_of(seq).score for seq in range(len(frontier.urls)))
    return in_frontier + strategy.waiting + strategy.virtual


def test_a_page_that_is_unchanged_keeps_its_cash(begin: Begin) -> None:
    rig = begin(Opic)
    rig.answer(take(rig, SEED), page(status=304))
    assert cash(rig) == pytest.approx(1.0)


def test_no_cash_is_made_when_a_link_was_refused_before_a_crash(begin: Begin) -> None:
    rig = begin(Opic)
    rig.answer(take(rig, SEED), page(OTHER))
    rig.answer(take(rig, OTHER), Failure(url="", kind="robots", requested=False))
    assert cash(rig) == pytest.approx(1.0)
    rig.commit()
    rig.crash()
    assert cash(rig) == pytest.approx(1.0)


def test_a_seed_stays_a_seed_when_a_page_links_to_it(begin: Begin) -> None:
    script = [Proposal(url=SEED, priority=Priority(tier=-1))]
    rig = begin(lambda: Scripted(script))
    rig.engine.offers.seeds([OTHER])
    rig.answer(take(rig, OTHER), page(SEED))
    assert SEED in rig.parts.store.roots()


def test_a_new_url_may_be_proposed_twice_by_one_page(begin: Begin) -> None:
    script = [Proposal(url=OTHER, priority=Priority(score=1.0))] * 2
    rig = begin(lambda: Additive(script))
    rig.answer(take(rig, SEED), page(OTHER))
    assert rig.parts.frontier.urls.priority_of(1).score == 2.0


def test_an_error_status_is_a_failure_to_the_frontier_too(begin: Begin) -> None:
    rig = begin(lambda: Scripted([]))
    rig.answer(take(rig, SEED), page(status=404))
    assert rig.parts.frontier.urls.standing_of(0) is Standing.FAILED
    assert rig.parts.store.known().standings.tolist() == [Standing.FAILED]
