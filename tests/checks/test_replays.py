"""The small crawl of the batteries does as the engine does. Covers ``replays`` and ``webs``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec.structs import replace

from homing.checks.replays import ToyCrawl
from homing.checks.webs import toy_web
from homing.model import Entry, Failure, Priority, Proposal, Ranking, Visit
from homing.ports import View
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.link_context import LinkContext


class Reverse(BreadthFirst):
    """At a re-rank, the URL found last is next."""

    rerank_every = 5

    def rerank(self, view: View) -> Ranking | None:
        waiting = view.waiting()
        places = waiting.astype(np.float64)
        tiers = np.full(len(waiting), -1, dtype=np.int32)
        return Ranking(keys=view.keys(waiting), tiers=tiers, scores=places, parts={"place": places})


def test_a_ranking_replaces_the_priorities_of_queued_urls() -> None:
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


def test_pages_that_fail_are_reported_and_not_visited() -> None:
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
