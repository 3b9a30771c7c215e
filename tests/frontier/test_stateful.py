"""Frontier and store against a model that looks at everything, over random crawls with random crashes.

Hypothesis plays the web: it decides what is proposed, what hosts answer, when time passes, when the process
is killed. After each step frontier, store and model (``brute.py``) must be of one mind.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.frontier.brute import Brute, Url
from tests.frontier.rig import Rig, fleeting_folder, page

from homing.frontier.frontier import Frontier
from homing.model import Entry, Failure, Priority, Proposal, Ranking, Reply, Standing, Visit, Wait
from homing.strategies import Strategy
from homing.urls import host, key

URLS = [f"http://{name}/{n}" for n in range(4) for name in ("a.one.example", "b.one.example", "two.example")]
SEEDS = URLS[:3]
AT_ONCE = Priority(score=1.0)
"""What a seed begins with."""
DELAY = 2.0
RETRY = 30.0
AT_A_TIME = 3
RESTS = st.sampled_from([None, 1.0, 9.0])
PRIORITIES = st.builds(
    Priority, tier=st.sampled_from([-1, 0, 1]), score=st.sampled_from([-1.0, 0.0, 0.5, 1.0, 4.0])
)
PROPOSALS = st.lists(
    st.builds(Proposal, url=st.sampled_from(URLS), priority=PRIORITIES, revisit=st.booleans()),
    max_size=6,
    unique_by=lambda each: each.url,
)
ANSWERED = {Standing.DONE, Standing.FAILED}
"""An error status is as good an answer as any to the frontier; only the store tells them apart."""
WHICH = st.integers(0, 9)


class Scripted(Strategy):
    """Proposes what it is told to; of two words on one URL the better one counts."""

    name = "scripted"

    def __init__(self, script: list[Proposal]) -> None:
        self.script = script

    def score(self, visit: Visit) -> Iterable[Proposal]:
        return list(self.script)

    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]:
        return list(self.script)


class Additive(Scripted):
    """The same, where they add up."""

    additive = True

    def merge(self, old: Entry, new: Proposal) -> Proposal:
        score = old.priority.score + new.priority.score
        return Proposal(url=old.url, priority=Priority(score=score), revisit=new.revisit)


class Crawls(RuleBasedStateMachine):
    """Rules are what may happen to a crawl; invariants what must hold after each of them."""

    @initialize(
        additive=st.booleans(),
        patient=st.booleans(),
        pages_per_host=st.sampled_from([None, None, 2]),
        pages_per_domain=st.sampled_from([None, None, 3]),
    )
    def begin(
        self, additive: bool, patient: bool, pages_per_host: int | None, pages_per_domain: int | None
    ) -> None:
        self.folder = fleeting_folder()
        self.script: list[Proposal] = []
        self.model = Brute(DELAY, additive, patient, pages_per_host, pages_per_domain)
        self.rig = Rig(
            Path(self.folder.name),
            SEEDS,
            strategy=lambda: (Additive if additive else Scripted)(self.script),
            frontier=lambda: Frontier(
                delay=DELAY,
                pages_per_host=pages_per_host,
                pages_per_domain=pages_per_domain,
                patient=patient,
            ),
        )
        self._woken()

    def teardown(self) -> None:
        if hasattr(self, "rig"):
            self.rig.close()
            self.folder.cleanup()

    def _woken(self) -> None:
        """Waking up: hosts rest; seeds that are new are offered, and all that failed if nothing came yet."""
        self.model.wake(self.rig.clock.wall())
        new = [url for url in SEEDS if url not in self.rig.roots]
        self.model.offer(Proposal(url=url, priority=AT_ONCE) for url in new)
        if not self.model.pages:
            again = [url for url in SEEDS if self._stands(url) in (Standing.FAILED, Standing.REFUSED)]
            self.model.offer(Proposal(url=url, priority=AT_ONCE, revisit=True) for url in again)
        self.saved = self.model.saved()

    def _stands(self, url: str) -> Standing | None:
        each = self.model.find(url)
        return each.standing if each else None

    # -- leases

    @rule()
    def a_url_is_leased(self) -> None:
        self._lease()

    def _lease(self) -> Url | None:
        """The best URL whose host may be asked; if there is none, the frontier knows when there will be."""
        wall, frontier = self.rig.clock.wall(), self.rig.parts.frontier
        expected = self.model.best(wall)
        chance = self.model.next_chance(wall)
        entry = self.rig.lease()
        assert (entry and entry.url) == (expected and expected.url)
        if expected is None:
            moment = frontier.next_time()
            assert chance is None or (moment is not None and moment + self.rig.clock.born <= chance)
            assert not (frontier.is_stuck() and chance is not None)
            return None
        assert entry is not None
        assert entry.priority == expected.priority
        expected.leased = True
        return expected

    def _answer(self, which: int, result: Reply | Failure | Wait | None) -> Url | None:
        """Ask as the engine does, wait for a host if need be, and answer one request; its host then rests."""
        while len(self.rig.leases) < AT_A_TIME and self._lease():
            pass
        chance = self.model.next_chance(self.rig.clock.wall())
        if not self.rig.leases and chance is not None:
            self.rig.clock.seconds = chance
            self._lease()
        if not self.rig.leases:
            return None
        seq = sorted(self.rig.leases)[which % len(self.rig.leases)]
        each, name = self.model.urls[seq], host(self.model.urls[seq].url)
        if isinstance(result, Wait) and result.delay is not None:
            self.model.delays[name] = result.delay
        self.rig.answer(seq, result)
        if not (result is None or (isinstance(result, Failure) and not result.requested)):
            self.model.rest(name, self.rig.clock.wall(), result.rest)
        return each

    # -- what hosts answer

    @rule(which=WHICH, script=PROPOSALS)
    def a_page_comes(self, which: int, script: list[Proposal]) -> None:
        self.script[:] = script
        if each := self._answer(which, page()):
            self._count(each)
            each.settle(Standing.DONE)
            self.model.offer(script)

    @rule(which=WHICH, script=PROPOSALS)
    def a_page_is_missing(self, which: int, script: list[Proposal]) -> None:
        self.script[:] = script
        if each := self._answer(which, page(status=404)):
            self._count(each)
            each.settle(Standing.FAILED)
            self.model.offer(script, only_known=True)

    @rule(which=WHICH)
    def a_page_is_unchanged(self, which: int) -> None:
        self.script[:] = []
        if each := self._answer(which, page(status=304)):
            each.settle(Standing.DONE)

    @rule(which=WHICH, where=st.sampled_from(URLS))
    def a_url_leads_to_another(self, which: int, where: str) -> None:
        if each := self._answer(which, page(status=302, Location=where)):
            held = each.priority
            each.settle(Standing.REDIRECTED)
            self.model.offer([Proposal(url=where, priority=held)])

    @rule(which=WHICH, rest=RESTS)
    def an_attempt_fails(self, which: int, rest: float | None) -> None:
        if each := self._answer(which, Failure(url="", kind="timeout", retry_in=RETRY, rest=rest)):
            each.leased, each.until = False, self.rig.clock.wall() + RETRY

    @rule(which=WHICH, script=PROPOSALS, rest=RESTS, asked=st.booleans())
    def a_url_is_given_up(self, which: int, script: list[Proposal], rest: float | None, asked: bool) -> None:
        self.script[:] = script
        if each := self._answer(which, Failure(url="", kind="dns", rest=rest, requested=asked)):
            each.settle(Standing.FAILED if asked else Standing.REFUSED)
            self.model.offer(script, only_known=True)

    @rule(which=WHICH, rest=RESTS, delay=st.sampled_from([None, 5.0]))
    def robots_txt_comes_first(self, which: int, rest: float | None, delay: float | None) -> None:
        if each := self._answer(which, Wait(url="", rest=rest, delay=delay)):
            each.leased = False

    @rule(which=WHICH)
    def a_request_is_not_sent(self, which: int) -> None:
        if each := self._answer(which, None):
            each.leased = False

    def _count(self, each: Url) -> None:
        self.model.asked[host(each.url)] += 1
        self.model.pages += 1

    # -- what else may happen

    @rule(url=st.sampled_from(URLS))
    def a_seed_is_added(self, url: str) -> None:
        self.rig.engine.offers.seeds([url])
        self.model.offer([Proposal(url=url, priority=AT_ONCE)])

    @rule(changes=st.dictionaries(st.sampled_from(URLS), PRIORITIES, max_size=8))
    def all_is_ranked_anew(self, changes: dict[str, Priority]) -> None:
        keys = np.array([key(url) for url in changes], np.int64)
        tiers = np.array([each.tier for each in changes.values()], np.int32)
        scores = np.array([each.score for each in changes.values()], np.float64)
        self.rig.parts.frontier.overwrite(Ranking(keys=keys, tiers=tiers, scores=scores, parts={}))
        for url, priority in changes.items():
            each = self.model.find(url)
            if each is not None and each.standing is Standing.WAITING:
                each.priority = priority

    @rule(seconds=st.sampled_from([1.0, 2.0, 5.0, 70.0]))
    def time_passes(self, seconds: float) -> None:
        self.rig.clock.seconds += seconds

    @rule()
    def the_store_commits(self) -> None:
        self.rig.commit()
        self.saved = self.model.saved()

    @rule()
    def the_process_is_killed(self) -> None:
        self.model = self.saved
        self.rig.crash()
        self._woken()

    @rule()
    def the_crawl_is_stopped_and_goes_on(self) -> None:
        for each in self.model.urls:
            each.leased = False
        self.rig.stop()
        self._woken()

    # -- what must hold

    @invariant()
    def no_url_is_lost_and_each_stands_where_it_should(self) -> None:
        frontier, urls = self.rig.parts.frontier, self.model.urls
        assert len(frontier.urls) == len(urls)
        for seq, each in enumerate(urls):
            assert frontier.urls.seq_of(key(each.url)) == seq
            assert {frontier.urls.standing_of(seq), each.standing} <= ANSWERED or (
                frontier.urls.standing_of(seq) is each.standing
            )
            assert frontier.urls.priority_of(seq) == each.priority
        assert frontier.queued == sum(each.waits for each in urls)

    @invariant()
    def the_store_knows_the_same(self) -> None:
        known, urls = self.rig.parts.store.known(), self.model.urls
        assert known.keys.tolist() == [key(each.url) for each in urls]
        assert known.standings.tolist() == [each.standing for each in urls]
        assert known.tiers.tolist() == [each.stored.tier for each in urls]
        assert known.scores.tolist() == [each.stored.score for each in urls]
        assert [self.rig.parts.store.entry(seq).url for seq in range(len(urls))] == [
            each.url for each in urls
        ]

    @invariant()
    def there_is_one_lease_a_url_and_a_host(self) -> None:
        leased = [seq for seq, each in enumerate(self.model.urls) if each.leased]
        assert sorted(self.rig.leases) == leased
        assert self.rig.parts.frontier.leased == len(leased)
        assert len({host(self.model.urls[seq].url) for seq in leased}) == len(leased)


TestCrawls = Crawls.TestCase
TestCrawls.settings = settings(max_examples=50, stateful_step_count=30)
