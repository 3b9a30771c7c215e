"""Cash is neither made nor lost, whatever hosts answer and whenever the process is killed.

Strategies that move cash along links keep it in three places: scores of URLs in the frontier, the accounts
of pages already fetched, and the virtual page. Together they hold what the seeds brought and what was gained.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.frontier.rig import Rig, fleeting_folder, page

from homing.frontier.frontier import Frontier
from homing.model import Failure, Proposal, Reply
from homing.strategies.cash.flow import CashFlow
from homing.strategies.cash.opic import Opic
from homing.strategies.cash.otie import Otie

URLS = [f"http://{name}.example/{number}" for number in range(2) for name in ("a", "b", "c")]
SEEDS = URLS[:3]
AT_A_TIME = 3
MAKERS = [
    partial(kind, recrawl=recrawl, recrawl_every=2, accounts=10)
    for kind in (Opic, Otie)
    for recrawl in ("virtual", "fetch", "off")
]
PAGES = st.lists(st.sampled_from(URLS), max_size=2, unique=True).map(lambda links: page(*links))
ANSWERS = st.one_of(
    PAGES,
    PAGES,
    st.sampled_from(URLS).map(lambda where: page(status=301, Location=where)),
    st.sampled_from([page(status=404), page(status=503)]),
    st.sampled_from([Failure(url="", kind="timeout", retry_in=2.0), Failure(url="", kind="timeout"), None]),
)
"""What may become of a request: a page, another address, an error, silence, nothing at all.

Not "unchanged", and no refusal: both have faults of their own (``tests/frontier/test_faults.py``)."""


class Cash(RuleBasedStateMachine):
    """A crawl by a strategy that moves cash."""

    @initialize(make=st.sampled_from(MAKERS))
    def begin(self, make: partial[CashFlow]) -> None:
        self.folder = fleeting_folder()
        self.paid_in = self.paid_in_before = 0.0
        self.rig = Rig(
            Path(self.folder.name),
            SEEDS,
            strategy=lambda: self._counted(make()),
            frontier=lambda: Frontier(delay=0.0),
        )
        self.paid_in_before = self.paid_in

    def teardown(self) -> None:
        if hasattr(self, "rig"):
            self.rig.close()
            self.folder.cleanup()

    def _counted(self, strategy: CashFlow) -> CashFlow:
        """The same strategy, with an eye on what seeds bring in."""
        start = strategy.start

        def counting(url: str) -> Proposal:
            proposal = start(url)
            self.paid_in += proposal.priority.score
            return proposal

        strategy.start = counting  # type: ignore[method-assign]
        self.strategy = strategy
        return strategy

    # One rule for all: Hypothesis likes to leave rules out, and nothing happens in a crawl without answers.
    @rule(
        answers=st.lists(st.tuples(st.integers(0, AT_A_TIME - 1), ANSWERS), min_size=1, max_size=6),
        then=st.sampled_from(["on", "commit", "save", "kill", "commit and kill", "commit and kill", "stop"]),
    )
    def hosts_answer(self, answers: list[tuple[int, Reply | Failure | None]], then: str) -> None:
        for which, result in answers:
            self.rig.clock.seconds += 1
            while len(self.rig.leases) < AT_A_TIME and self.rig.lease():
                pass
            if not self.rig.leases:  # all has been crawled: go on elsewhere
                self.rig.engine.offers.seeds([f"http://a.example/{len(self.rig.parts.frontier.urls)}/"])
                assert self.rig.lease()
            self.rig.answer(sorted(self.rig.leases)[which % len(self.rig.leases)], result)
            self.all_cash_is_somewhere()
        match then:
            case "commit":
                self._commit()
            case "save":  # after more than a minute the state of the strategy goes with it
                self.rig.clock.seconds += 70
                self._commit()
            case "kill" | "commit and kill":
                if then != "kill":
                    self._commit()
                self.paid_in = self.paid_in_before
                self.rig.crash()
                self.paid_in_before = self.paid_in
            case "stop":
                self.rig.stop()
                self.paid_in_before = self.paid_in

    def _commit(self) -> None:
        self.rig.commit()
        self.paid_in_before = self.paid_in

    @rule(url=st.sampled_from(URLS))
    def a_seed_is_added(self, url: str) -> None:
        self.rig.engine.offers.seeds([url])

    @invariant()
    def all_cash_is_somewhere(self) -> None:
        frontier = self.rig.parts.frontier
        in_frontier = sum(frontier.urls.priority_of(seq).score for seq in range(len(frontier.urls)))
        held = in_frontier + self.strategy.waiting + self.strategy.virtual
        assert held == pytest.approx(self.paid_in + self.strategy.gained, abs=1e-9)


TestCash = Cash.TestCase
TestCash.settings = settings(max_examples=25, stateful_step_count=20)
