"""The battery for strategies finds those that break their promises, and the small crawl keeps its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from homing.checks.replays import ToyCrawl
from homing.checks.strategy import check_strategy
from homing.checks.webs import toy_web
from homing.model import Entry, Failure, Priority, Proposal, Ranking, State, Visit
from homing.ports import View
from homing.strategies import Strategy
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.link_context import LinkContext


class Hoarder(LinkContext):
    """Saves the text of every page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def learn(self, visit: Visit) -> None:
        self.texts.append(visit.page.text.encode("ascii", "ignore").decode())

    def state(self) -> State:
        return {"texts": self.texts}

    def restore(self, state: State) -> None:
        self.texts = list(map(str, list(state["texts"])))  # type: ignore[call-overload]


class SecretHoarder(LinkContext):
    """Keeps every visit, and does not save it."""

    def __init__(self) -> None:
        super().__init__()
        self.visits: list[Visit] = []

    def learn(self, visit: Visit) -> None:
        self.visits.append(visit)


class Moody(LinkContext):
    """Turns the frontier around at a re-rank, once, and forgets that it did."""

    rerank_every = 50
    reranks = 0

    def rerank(self, view: View) -> Ranking | None:
        self.reranks += 1
        waiting = view.waiting()
        scores = 0.1 * self.reranks * (waiting % 7).astype(np.float64)
        return Ranking(
            keys=view.keys(waiting),
            tiers=np.zeros(len(waiting), dtype=np.int32),
            scores=scores,
            parts={"mood": scores},
        )


class Taciturn(Moody):
    """Ranks URLs anew and does not say why."""

    def rerank(self, view: View) -> Ranking | None:
        ranking = super().rerank(view)
        return ranking and replace(ranking, parts={})


class Counting(LinkContext):
    """Changes when a page does not come."""

    failures = 0

    def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]:
        self.failures += 1
        return ()

    def state(self) -> State:
        return {"failures": self.failures}


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (Hoarder, "the state grows by"),
        (SecretHoarder, "bytes of memory a page"),
        (Moody, "with stops"),
        (Taciturn, "does not say why"),
        (Counting, "missed"),
    ],
)
def test_the_battery_finds_a_strategy_that_breaks_its_promises(make: type[Strategy], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_strategy(make)


class Reverse(BreadthFirst):
    """At a re-rank, the URL found last is next."""

    rerank_every = 5

    def rerank(self, view: View) -> Ranking | None:
        waiting = view.waiting()
        places = waiting.astype(np.float64)
        tiers = np.full(len(waiting), -1, dtype=np.int32)
        return Ranking(keys=view.keys(waiting), tiers=tiers, scores=places, parts={"place": places})


def test_a_ranking_replaces_the_priorities_of_urls_that_wait() -> None:
    crawl = ToyCrawl(toy_web(seed=1), Reverse())
    crawl.run(5)
    last = max(crawl.view().waiting().tolist())
    assert list(crawl.entries.values())[last].why == (("place", float(last)),)
    crawl.run(6)
    assert crawl.order[5] == list(crawl.entries)[last]
    assert crawl.entries[crawl.order[0]].priority == Priority()


def test_the_view_shows_links_scores_and_priorities() -> None:
    crawl = ToyCrawl(toy_web(seed=1), BreadthFirst())
    crawl.run(3)
    view = crawl.view()
    sources, targets = view.links()
    assert set(sources.tolist()) == {crawl.entries[url].seq for url in crawl.order}
    assert set(targets.tolist()) <= set(range(len(crawl.entries)))
    judged, scores = view.judged()
    assert (len(judged), len(scores)) == (3, 3)
    tiers, _ = view.priorities(view.waiting())
    assert set(tiers.tolist()) == {1, 2}


def test_pages_that_do_not_come_are_told_and_not_visited() -> None:
    told: list[str] = []

    class Told(BreadthFirst):
        def missed(self, entry: Entry, failure: Failure) -> Iterable[Proposal]:
            told.append(entry.url)
            return [Proposal(url="http://unknown.example/")]

    web = toy_web(seed=1)
    dead = list(web.pages)[5:8]
    crawl = ToyCrawl(web, Told(), dead=dead)
    crawl.run(10_000)
    assert sorted(told) == sorted(set(dead) & set(crawl.entries))
    assert not set(told) & set(crawl.order)
    assert "http://unknown.example/" not in crawl.entries


def test_urls_in_flight_are_handed_out_before_what_arrives_can_change_the_order() -> None:
    web = toy_web(seed=1)
    one, three = (ToyCrawl(web, LinkContext(), in_flight=number) for number in (1, 3))
    for crawl in (one, three):
        crawl.run(60)
    assert one.order != three.order


def test_credit_reaches_a_url_in_flight() -> None:
    class Sum(BreadthFirst):
        additive = True

        def score(self, visit: Visit) -> Iterator[Proposal]:
            return iter([Proposal(url=link.url, priority=Priority(score=1.0)) for link in visit.page.links])

        def merge(self, old: Entry, new: Proposal) -> Proposal:
            return replace(new, priority=Priority(score=old.priority.score + new.priority.score))

        def learn(self, visit: Visit) -> None:
            seen.append(visit.entry.priority.score)

    seen: list[float] = []
    crawl = ToyCrawl(toy_web(seed=1), Sum(), in_flight=8)
    crawl.run(4)
    assert seen[1] < seen[2] < seen[3]
