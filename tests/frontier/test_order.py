"""The frontier against a plain sorted list, and its promises one by one."""

import random

import numpy as np
import pytest

from homing.frontier.frontier import Frontier
from homing.model import Entry, Host, Known, Priority, Proposal, Ranking, Standing
from homing.steps import KeepBetter
from homing.urls import key


def proposal(url: str, score: float = 0.0, tier: int = 0, *, revisit: bool = False) -> Proposal:
    return Proposal(url=url, priority=Priority(tier=tier, score=score), revisit=revisit)


def no_look_up(seq: int) -> Entry:
    raise AssertionError("keep_better needs no look at the store")


def offer(frontier: Frontier, *proposals: Proposal) -> None:
    frontier.offer([(key(p.url), p) for p in proposals], KeepBetter(), no_look_up)


def seq_of(frontier: Frontier, url: str) -> int:
    seq = frontier.urls.seq_of(key(url))
    assert seq is not None
    return seq


def take(frontier: Frontier, now: float = 0.0) -> int | None:
    """Lease, fetch and settle in one go."""
    lease = frontier.lease(now)
    if lease is None:
        return None
    frontier.release(lease.seq, now)
    frontier.settle(lease.seq, Standing.DONE)
    return lease.seq


def test_lower_tier_then_higher_score_then_older_first() -> None:
    frontier = Frontier(delay=0)
    offer(
        frontier,
        proposal("http://a.example/0", 0.1),
        proposal("http://b.example/1", 0.9, tier=1),
        proposal("http://c.example/2", 0.9),
        proposal("http://a.example/3", 0.9),
    )
    assert [take(frontier) for _ in range(5)] == [2, 3, 0, 1, None]


def test_the_order_is_that_of_a_sorted_list_over_many_random_offers() -> None:
    dice = random.Random(7)
    frontier = Frontier(delay=0)
    best: dict[int, tuple[int, float]] = {}
    for _ in range(3_000):
        number = dice.randrange(800)
        url = f"http://h{number % 13}.example/{number}"
        new = proposal(url, round(dice.uniform(-1, 1), 2), tier=dice.randrange(-1, 3))
        offer(frontier, new)
        seq = seq_of(frontier, url)
        mine = (new.priority.tier, -new.priority.score)
        best[seq] = min(best.get(seq, mine), mine)
    expected = [seq for _, seq in sorted((rank, seq) for seq, rank in best.items())]
    assert [take(frontier) for _ in expected] == expected
    assert frontier.queued == 0


def test_one_request_a_host_at_a_time_and_its_delay_between_two() -> None:
    frontier = Frontier(delay=2.0)
    offer(frontier, *(proposal(f"http://a.example/{number}") for number in range(3)))
    first = frontier.lease(10.0)
    assert first is not None
    assert frontier.lease(10.0) is None
    frontier.release(first.seq, 11.0)
    frontier.settle(first.seq, Standing.DONE)
    assert frontier.lease(12.9) is None
    assert frontier.next_time() == 13.0
    assert frontier.lease(13.0) is not None


def test_a_host_rests_as_long_as_it_asked_for() -> None:
    frontier = Frontier(delay=1.0)
    offer(frontier, proposal("http://a.example/1"), proposal("http://a.example/2"))
    lease = frontier.lease(0.0)
    assert lease is not None
    frontier.release(lease.seq, 0.0, rest=60.0)
    frontier.put_back(lease.seq)
    assert frontier.lease(59.0) is None
    assert frontier.lease(60.0) is not None


def test_a_resting_host_does_not_hold_up_others() -> None:
    frontier = Frontier(delay=1.0)
    offer(
        frontier,
        proposal("http://a.example/1", 0.9),
        proposal("http://a.example/2", 0.8),
        proposal("http://b.example/1", 0.1),
    )
    assert [take(frontier, 0.0), take(frontier, 0.0)] == [0, 2]


def test_a_patient_frontier_waits_for_the_best_url_of_all() -> None:
    frontier = Frontier(delay=5.0, patient=True)
    offer(
        frontier,
        proposal("http://a.example/1", 0.9),
        proposal("http://a.example/2", 0.8),
        proposal("http://b.example/1", 0.1),
    )
    assert take(frontier, 100.0) == 0
    lease = frontier.lease(100.0)
    assert lease is not None
    assert (lease.seq, lease.not_before) == (1, 105.0)


def test_a_patient_frontier_does_not_wait_for_a_host_that_wants_to_be_left_alone() -> None:
    frontier = Frontier(delay=5.0, patient=True)
    offer(frontier, proposal("http://a.example/1", 0.9), proposal("http://b.example/1", 0.1))
    lease = frontier.lease(0.0)
    assert lease is not None
    frontier.release(lease.seq, 0.0, rest=600.0)
    frontier.put_back(lease.seq)
    assert take(frontier, 0.0) == 1


def test_a_host_gives_no_more_than_its_pages() -> None:
    frontier = Frontier(delay=0, pages_per_host=2)
    offer(frontier, *(proposal(f"http://a.example/{number}") for number in range(5)))
    for _ in range(2):
        lease = frontier.lease(0.0)
        assert lease is not None
        frontier.release(lease.seq, 0.0, counted=True)
        frontier.settle(lease.seq, Standing.DONE)
    assert frontier.lease(0.0) is None
    assert frontier.is_stuck()
    assert frontier.queued == 3


def test_what_is_postponed_comes_back_at_its_time() -> None:
    frontier = Frontier(delay=0)
    offer(frontier, proposal("http://a.example/1"))
    lease = frontier.lease(0.0)
    assert lease is not None
    frontier.release(lease.seq, 0.0)
    frontier.postpone(lease.seq, 30.0)
    assert frontier.lease(29.0) is None
    assert frontier.queued == 1
    assert frontier.next_time() == 30.0
    assert frontier.lease(30.0) is not None


def test_a_finished_url_is_queued_again_only_as_a_revisit() -> None:
    frontier = Frontier(delay=0)
    url = "http://a.example/1"
    offer(frontier, proposal(url))
    assert take(frontier) == 0
    offer(frontier, proposal(url, 9.0))
    assert take(frontier) is None

    def look_up(seq: int) -> Entry:
        return Entry(key=key(url), url=url, priority=Priority(), seq=seq)

    again = proposal(url, 9.0, revisit=True)
    changes = frontier.offer([(key(url), again)], KeepBetter(), look_up)
    assert changes.revisits == [0]
    assert take(frontier) == 0


def test_credit_reaches_a_url_that_is_in_flight_or_done_and_a_visit_spends_it() -> None:
    frontier = Frontier(delay=0)
    url = "http://a.example/1"

    def look_up(seq: int) -> Entry:
        return Entry(key=key(url), url=url, priority=Priority(), seq=seq)

    class AddUp:
        additive = True

        def merge(self, old: Entry, new: Proposal) -> Proposal:
            return proposal(new.url, old.priority.score + new.priority.score)

    def credit(amount: float) -> None:
        frontier.offer([(key(url), proposal(url, amount))], AddUp(), look_up)

    credit(1.0)
    lease = frontier.lease(0.0)
    assert lease is not None
    credit(2.0)
    assert frontier.urls.priority_of(lease.seq).score == 3.0
    frontier.release(lease.seq, 0.0)
    frontier.settle(lease.seq, Standing.DONE)
    assert frontier.urls.priority_of(lease.seq).score == 0.0
    credit(4.0)
    assert frontier.urls.priority_of(lease.seq).score == 4.0
    assert frontier.lease(0.0) is None


def test_an_overwrite_replaces_the_priorities_of_waiting_urls_only() -> None:
    frontier = Frontier(delay=0)
    urls = [f"http://h{number}.example/" for number in range(4)]
    offer(frontier, *(proposal(url, 1.0) for url in urls))
    assert take(frontier) == 0
    ranking = Ranking(
        keys=np.array([*map(key, urls), 12345], dtype=np.int64),
        tiers=np.zeros(5, dtype=np.int32),
        scores=np.array([9.0, 0.1, 0.3, 0.2, 1.0]),
        parts={},
    )
    frontier.overwrite(ranking)
    assert [take(frontier) for _ in range(4)] == [2, 3, 1, None]


def test_a_loaded_frontier_goes_on_where_the_old_one_stopped() -> None:
    dice = random.Random(3)
    urls = [f"http://h{dice.randrange(9)}.example/{number}" for number in range(300)]
    scores = [dice.random() for _ in urls]
    old = Frontier(delay=0)
    changes = old.offer(
        [(key(url), proposal(url, score)) for url, score in zip(urls, scores, strict=True)],
        KeepBetter(),
        no_look_up,
    )
    for _ in range(100):
        take(old)
    seqs = range(len(urls))
    known = Known(
        keys=np.array([key(url) for url in urls], dtype=np.int64),
        hosts=np.array([number for _, number, _ in changes.new], dtype=np.int32),
        standings=np.array([old.urls.standing_of(seq) for seq in seqs], dtype=np.int8),
        tiers=np.array([old.urls.priority_of(seq).tier for seq in seqs], dtype=np.int32),
        scores=np.array([old.urls.priority_of(seq).score for seq in seqs]),
    )
    new = Frontier(delay=0)
    new.load(known, changes.hosts, [], now=0.0)
    assert new.queued == old.queued == 200
    assert [take(new) for _ in range(200)] == [take(old) for _ in range(200)]


def test_after_a_restart_every_host_rests_its_full_delay_first() -> None:
    two = Known(
        keys=np.array([key("http://a.example/1"), key("http://b.example/1")], dtype=np.int64),
        hosts=np.array([0, 1], dtype=np.int32),
        standings=np.zeros(2, dtype=np.int8),
        tiers=np.zeros(2, dtype=np.int32),
        scores=np.array([0.9, 0.1]),
    )
    hosts = [
        Host(number=0, name="a.example", delay=7.0, pages=3),
        Host(number=1, name="b.example"),
    ]
    frontier = Frontier(delay=1.0)
    frontier.load(two, hosts, [], now=100.0)
    assert frontier.lease(100.9) is None
    first = frontier.lease(101.0)
    assert first is not None
    assert first.seq == 1
    assert frontier.lease(106.9) is None
    assert frontier.lease(107.0) is not None


def test_a_frontier_in_which_nothing_waits_can_be_loaded() -> None:
    done = Known(
        keys=np.array([key("http://a.example/1")], dtype=np.int64),
        hosts=np.array([0], dtype=np.int32),
        standings=np.array([Standing.DONE], dtype=np.int8),
        tiers=np.zeros(1, dtype=np.int32),
        scores=np.zeros(1),
    )
    frontier = Frontier()
    frontier.load(done, [Host(number=0, name="a.example")], [], now=0.0)
    assert frontier.lease(9.0) is None
    assert frontier.queued == 0


def test_memory_follows_the_urls_that_wait_however_often_they_improve() -> None:
    frontier = Frontier(delay=0)
    for score in range(5_000):
        offer(frontier, proposal("http://a.example/1", score))
    assert len(frontier.host_of(0).ranks) < 100


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        offer(Frontier(), proposal("http://a.example/1", float("nan")))


def test_an_empty_frontier_has_nothing_to_lease() -> None:
    frontier = Frontier()
    assert frontier.lease(0.0) is None
    assert frontier.next_time() is None
    assert len(frontier.urls.queued_seqs()) == 0


def test_the_head_is_what_leases_would_give_and_looking_changes_nothing() -> None:
    dice = random.Random(3)
    frontier = Frontier(delay=0)
    for _ in range(2_000):
        number = dice.randrange(500)
        url = f"http://h{number % 7}.example/{number}"
        offer(frontier, proposal(url, round(dice.random(), 1), tier=dice.randrange(2)))
        if dice.random() < 0.1:
            take(frontier)
    head = frontier.head(50)
    assert frontier.head(50) == head
    assert frontier.head(10_000)[:50] == head
    assert len(frontier.head(10_000)) == frontier.queued
    assert [take(frontier) for _ in range(50)] == head


def test_the_head_counts_hosts_that_must_be_left_alone() -> None:
    frontier = Frontier(delay=10)
    offer(frontier, proposal("http://a.example/0", 0.9), proposal("http://a.example/1", 0.8))
    offer(frontier, proposal("http://b.example/2", 0.5))
    take(frontier)
    assert frontier.head(5) == [1, 2]


def test_what_is_withdrawn_is_neither_leased_nor_counted_nor_offered_again() -> None:
    frontier = Frontier(delay=0)
    urls = [f"http://a.example/{number}" for number in range(200)]
    offer(frontier, *(proposal(url, 1 - number / 1_000) for number, url in enumerate(urls)))
    lease = frontier.lease(0.0)
    assert lease is not None
    frontier.release(lease.seq, 0.0)
    frontier.postpone(lease.seq, 5.0)
    for seq in range(150):
        frontier.withdraw(seq)
    assert frontier.queued == 50
    assert frontier.urls.unfinished_seqs().tolist() == list(range(150, 200))
    assert len(frontier.hosts.by_number[0].ranks) <= 64 + 2 * 50
    offer(frontier, proposal(urls[0], 2.0))
    assert [take(frontier, 10.0) for _ in range(51)] == [*range(150, 200), None]
    assert frontier.queued == 0
    with pytest.raises(ValueError, match="is not queued"):
        frontier.withdraw(0)


def test_a_rebuild_after_a_withdrawal_counts_right() -> None:
    frontier = Frontier(delay=0)
    offer(frontier, proposal("http://a.example/0", 0.9), proposal("http://b.example/1", 0.8))
    lease = frontier.lease(0.0)
    assert lease is not None
    frontier.release(lease.seq, 0.0)
    frontier.postpone(lease.seq, 5.0)
    frontier.withdraw(lease.seq)
    frontier.overwrite(
        Ranking(keys=np.array([], np.int64), tiers=np.array([], np.int32), scores=np.array([]), parts={})
    )
    assert frontier.queued == 1
