"""What registered domains may give: quotas, allowances, probes."""

import math

import pytest

from homing.frontier.domains import ALLOWANCE, PROBES, SAVINGS, Domain, earned
from homing.frontier.frontier import Frontier
from homing.model import Entry, Lease, Priority, Proposal, Standing
from homing.steps import KeepBetter
from homing.urls import key


def offer(frontier: Frontier, *urls: str) -> None:
    proposals = [(key(url), Proposal(url=url, priority=Priority())) for url in urls]
    frontier.offer(proposals, KeepBetter(), lambda seq: Entry(key=0, url="", priority=Priority(), seq=seq))


def take(frontier: Frontier) -> Lease | None:
    """Fetch the best page, which says nothing about its domain."""
    lease = frontier.lease(0.0)
    if lease is not None:
        frontier.release(lease.seq, 0.0, counted=True)
        frontier.settle(lease.seq, Standing.DONE)
    return lease


def farm(pages: int, trusted: frozenset[str] = frozenset()) -> Frontier:
    frontier = Frontier(delay=0.0, trusted=trusted)
    offer(frontier, *(f"http://h{number % 7}.farm.example/{number}" for number in range(pages)))
    return frontier


@pytest.mark.parametrize(
    ("born", "confirmed", "pages"), [(0, 0, 3), (1, 0, 3), (2, 0, 0), (40, 9, 0), (40, 10, 3)]
)
def test_a_page_earns_by_links_that_are_known_or_few(born: int, confirmed: int, pages: int) -> None:
    assert earned(born, confirmed) == pages


def test_a_domain_that_earns_nothing_is_held_back_with_all_its_hosts() -> None:
    frontier = farm(ALLOWANCE + 40)
    fetched = sum(take(frontier) is not None for _ in range(ALLOWANCE + 40))
    assert fetched == ALLOWANCE + 1, "a probe, as more than enough pages have passed since the last one"
    assert frontier.hosts.held_back() == {"farm.example": frontier.queued}
    assert frontier.is_stuck()


def test_a_trusted_domain_has_no_allowance() -> None:
    frontier = farm(300, trusted=frozenset({"farm.example"}))
    assert sum(take(frontier) is not None for _ in range(300)) == 300


def test_without_trust_in_mind_no_domain_is_limited() -> None:
    frontier = Frontier(delay=0.0)
    offer(frontier, *(f"http://a.example/{number}" for number in range(300)))
    assert sum(take(frontier) is not None for _ in range(300)) == 300


def test_probes_come_to_an_end_unless_one_of_them_earns_something() -> None:
    frontier = farm(400)
    while take(frontier) is not None:
        pass
    probes = 0
    while frontier.probe():
        probes += 1
        lease = take(frontier)
        assert lease is not None
    assert 0 < probes <= PROBES
    frontier.earn(0, 3)
    assert [take(frontier) is not None for _ in range(4)] == [True, True, True, False]
    assert frontier.probe()


def test_what_an_error_has_cost_is_given_back() -> None:
    frontier = farm(300)
    for _ in range(200):
        lease = take(frontier)
        assert lease is not None
        frontier.earn(lease.seq, 1)


def test_links_that_another_page_has_shown_are_confirmed_once() -> None:
    frontier = farm(10)
    hosts = set(range(7))
    assert frontier.urls.confirm([1, 2, 8, 9], 8, hosts) == (2, 2)
    assert frontier.urls.confirm([1, 2, 3], 10, hosts) == (0, 1)
    assert frontier.urls.confirm([4, 5], 10, {4}) == (0, 1)


def test_savings_are_bounded_and_infinite_allowances_stay_so() -> None:
    domain = Domain("a.example", quota=None, has_allowance=True)
    for _ in range(SAVINGS):
        domain.earn(3)
    assert domain.allowance == SAVINGS
    free = Domain("a.example", quota=5, has_allowance=False)
    free.earn(3)
    free.spend(5)
    assert (free.allowance, free.is_full, free.is_held_back) == (math.inf, True, False)


def test_a_resumed_crawl_has_the_allowances_of_before() -> None:
    frontier = farm(100)
    while take(frontier) is not None:
        pass
    again = farm(100)
    again.hosts.restore_allowances(frontier.hosts.allowances())
    assert take(again) is None
    assert again.hosts.held_back() == {"farm.example": 100}
