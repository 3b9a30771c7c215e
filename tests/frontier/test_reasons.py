"""Reasons of a re-rank: they belong to a priority, and go when it does."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from homing.frontier.frontier import Frontier
from homing.frontier.reasons import Reasons
from homing.model import Entry, Priority, Proposal, Ranking, Standing, Why
from homing.steps import KeepBetter
from homing.urls import key

URLS = [f"http://h{number}.example/" for number in range(4)]
FOUND: Why = (("context", 0.5),)


def stored(seq: int) -> Entry:
    """As the store has it: why the URL was found, whatever has become of it since."""
    return Entry(key=key(URLS[seq]), url=URLS[seq], priority=Priority(score=0.5), why=FOUND, seq=seq)


def offer(frontier: Frontier, *proposals: Proposal) -> None:
    frontier.offer([(key(each.url), each) for each in proposals], KeepBetter(), stored)


def ranking(seqs: list[int], **parts: list[float]) -> Ranking:
    return Ranking(
        keys=np.array([key(URLS[seq]) for seq in seqs], dtype=np.int64),
        tiers=np.zeros(len(seqs), dtype=np.int32),
        scores=np.array([0.25] * len(seqs)),
        parts={name: np.array(column) for name, column in parts.items()},
    )


@pytest.fixture
def frontier() -> Frontier:
    """Four URLs that wait; a re-rank has said something of the first two."""
    frontier = Frontier(delay=0)
    offer(frontier, *(Proposal(url=url, priority=Priority(score=0.5), why=FOUND) for url in URLS))
    frontier.overwrite(ranking([0, 1], rank=[3.0, 2.0], context=[0.25, np.nan]))
    return frontier


def whys(frontier: Frontier) -> list[Why]:
    return [frontier.urls.current(stored(seq)).why for seq in range(len(URLS))]


def test_a_url_that_was_ranked_anew_has_the_reasons_of_the_re_rank_and_no_others(frontier: Frontier) -> None:
    assert whys(frontier) == [(("rank", 3.0), ("context", 0.25)), (("rank", 2.0),), FOUND, FOUND]
    assert frontier.urls.current(stored(0)).priority == Priority(score=0.25)
    assert frontier.urls.current(stored(3)) == stored(3)


def test_the_next_re_rank_replaces_the_reasons_of_those_it_ranks(frontier: Frontier) -> None:
    frontier.overwrite(ranking([1, 3], level=[1.0, 2.0]))
    assert whys(frontier) == [(("rank", 3.0), ("context", 0.25)), (("level", 1.0),), FOUND, (("level", 2.0),)]


def test_a_better_link_found_later_brings_its_own_reasons(frontier: Frontier) -> None:
    offer(frontier, Proposal(url=URLS[0], priority=Priority(score=0.1)))
    assert whys(frontier)[0] == (("rank", 3.0), ("context", 0.25))
    offer(frontier, Proposal(url=URLS[0], priority=Priority(score=0.9)))
    assert whys(frontier)[0] == FOUND  # what the store has been told by then


def test_a_strategy_that_merges_sees_the_reasons_that_hold(frontier: Frontier) -> None:
    class AddUp:
        additive = True

        def merge(self, old: Entry, new: Proposal) -> Proposal:
            return replace(new, why=(*old.why, *new.why))

    new = Proposal(url=URLS[1], priority=Priority(score=0.9), why=(("links", 0.9),))
    changes = frontier.offer([(key(new.url), new)], AddUp(), stored)
    assert [merged.why for _, merged, _ in changes.changed] == [(("rank", 2.0), ("links", 0.9))]


def test_a_finished_url_has_spent_its_reasons(frontier: Frontier) -> None:
    lease = frontier.lease(0.0)
    while lease is not None and lease.seq != 0:
        lease = frontier.lease(0.0)
    assert lease is not None
    frontier.settle(0, Standing.DONE)
    assert whys(frontier)[0] == FOUND


def test_reasons_survive_a_trip_through_the_store(frontier: Frontier) -> None:
    saved = frontier.urls.ranking()
    frontier.overwrite(ranking([0, 1, 2, 3], level=[1.0, 1.0, 1.0, 1.0]))
    frontier.overwrite(saved)
    assert whys(frontier) == [(("rank", 3.0), ("context", 0.25)), (("rank", 2.0),), FOUND, FOUND]


def test_of_urls_that_are_finished_no_reasons_are_kept() -> None:
    reasons = Reasons()
    reasons.replace(np.arange(1_000), {"rank": np.arange(1_000.0)})
    for seq in range(999):
        reasons.forget(seq)
    reasons.replace(np.array([2_000]), {"rank": np.array([7.0]), "level": np.array([1.0])})
    assert len(reasons._which) == len(reasons._values) == 2
    assert [reasons.why(seq) for seq in (998, 999, 1_500, 2_000, 3_000)] == [
        (),
        (("rank", 999.0),),
        (),
        (("rank", 7.0), ("level", 1.0)),
        (),
    ]
