"""What a store promises of visits: ``ports.VisitStore``."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from homing.checks.store.little_crawl import fill, visit
from homing.model import Failure, Priority, Standing
from homing.ports import Store


def _what_is_added_comes_back(store: Store) -> None:
    entries = fill(store)
    assert [store.entry(entry.seq) for entry in entries] == entries
    known = store.known()
    assert known.keys.tolist() == [entry.key for entry in entries]
    assert known.hosts.tolist() == [0, 1, 1]
    assert known.standings.tolist() == [Standing.WAITING] * 3
    assert known.tiers.tolist() == [entry.priority.tier for entry in entries]
    assert known.scores.tolist() == [entry.priority.score for entry in entries]
    types = [array.dtype for array in (known.keys, known.hosts, known.standings, known.tiers, known.scores)]
    assert types == [np.int64, np.int32, np.int8, np.int32, np.float64]
    assert [host.name for host in store.hosts()] == ["a.example", "b.example"]
    assert store.roots() == [entries[0].url]


def _updates_replace_priority_memo_and_why(store: Store) -> None:
    entries = fill(store)
    better = replace(entries[1], priority=Priority(tier=-2, score=9.5), memo=b"\x00new", why=(("new", 1.0),))
    store.update([better])
    assert store.entry(1) == better
    store.update([replace(entries[0], parent=2, anchor="home")])
    assert store.entry(0).parent is None, "a seed stays a seed, whichever page links to it"
    assert store.entry(2) == entries[2]
    assert store.known().scores.tolist()[1] == 9.5


def _a_kept_page_is_done_and_has_spent_its_priority(store: Store) -> None:
    entries = fill(store)
    visit(store, entries[1], step=1)
    assert store.known().standings.tolist() == [Standing.WAITING, Standing.DONE, Standing.WAITING]
    spent = store.entry(1)
    assert (spent.priority, spent.memo, spent.why) == (Priority(), b"", ())
    assert (spent.url, spent.parent, spent.anchor) == (entries[1].url, entries[1].parent, entries[1].anchor)


def _a_page_may_be_queued_again(store: Store) -> None:
    entries = fill(store)
    visit(store, entries[1], step=1)
    visit(store, entries[2], step=2)
    credit = [replace(entry, priority=Priority(score=0.25)) for entry in entries[1:]]
    store.update(credit, revisits={2})
    assert store.known().standings.tolist() == [Standing.WAITING, Standing.DONE, Standing.WAITING]
    assert store.entry(1).priority == store.entry(2).priority == Priority(score=0.25)


def _validators_come_from_the_last_page(store: Store) -> None:
    entries = fill(store)
    dates = ("Last-Modified", "Mon, 05 Jan 2026 10:00:00 GMT")
    visit(store, entries[0], step=1, headers=(("ETag", '"one"'), dates))
    assert store.entry(0).validators == ('"one"', dates[1])
    visit(store, entries[0], step=1, status=304, headers=())
    assert store.entry(0).validators == ('"one"', dates[1]), "a 304 need not repeat them"
    visit(store, entries[0], step=2, headers=())
    assert store.entry(0).validators == ("", "")


def _only_pages_count_as_given_by_a_host(store: Store) -> None:
    entries = fill(store)
    visit(store, entries[1], step=1)
    visit(store, entries[2], step=1, status=301, standing=Standing.REDIRECTED)
    visit(store, replace(entries[0], kind="sitemap"), step=1)
    visit(store, entries[1], step=1, status=304)
    assert [host.pages for host in store.hosts()] == [0, 1]
    tally = store.tally()
    assert (tally.pages, tally.relevant, tally.redirects) == (1, 1, 1)
    assert store.known().standings.tolist() == [Standing.DONE, Standing.DONE, Standing.REDIRECTED]


def _a_page_counts_once_however_often_it_is_fetched(store: Store) -> None:
    entries = fill(store)
    assert store.entry(1).relevant is None
    visit(store, entries[1], step=1)
    visit(store, entries[1], step=2)
    visit(store, entries[1], step=2, status=304)
    visit(store, entries[2], step=3, score=0.25)
    assert (store.entry(1).relevant, store.entry(2).relevant) == (True, False)
    tally = store.tally()
    assert (tally.pages, tally.relevant, tally.steps, tally.unchanged) == (2, 1, 3, 1)
    visit(store, entries[2], step=4)
    visit(store, entries[1], step=5, status=404, standing=Standing.FAILED)
    assert (store.tally().pages, store.tally().relevant) == (2, 1)
    visit(store, entries[2], step=5, status=301, standing=Standing.REDIRECTED)
    assert store.entry(2).relevant is None
    tally = store.tally()
    assert (tally.pages, tally.relevant, tally.steps, tally.redirects) == (1, 0, 5, 1)


def _a_settled_url_is_no_longer_queued(store: Store) -> None:
    entries = fill(store)
    failure = Failure(url=entries[1].url, kind="dns", detail="no such host \udce9")
    store.postpone(entries[1], failure, 5_000.0)
    store.settle(entries[1], Standing.FAILED, failure)
    store.settle(entries[2], Standing.REFUSED, replace(failure, kind="robots"))
    assert store.known().standings.tolist() == [Standing.WAITING, Standing.FAILED, Standing.REFUSED]
    assert store.delayed() == []
    assert store.tally().failed == {"dns": 1, "robots": 1}
    assert store.entry(1).priority == Priority()


def _a_postponed_url_stays_queued_until_its_time(store: Store) -> None:
    entries = fill(store)
    failure = Failure(url=entries[1].url, kind="timeout")
    store.postpone(entries[1], failure, 9_000.0)
    store.postpone(entries[2], failure, 5_000.0)
    store.postpone(entries[1], failure, 7_000.0)
    assert store.delayed() == [(2, 5_000.0), (1, 7_000.0)]
    assert [store.entry(seq).tries for seq in range(3)] == [0, 2, 1]
    assert store.entry(1).priority == entries[1].priority, "a retry keeps its priority"
    assert store.known().standings.tolist() == [Standing.WAITING] * 3
    assert store.tally().failed == {}
    visit(store, entries[1], step=1)
    assert store.delayed() == [(2, 5_000.0)]
    assert store.entry(1).tries == 0


CHECKS = (
    _what_is_added_comes_back,
    _updates_replace_priority_memo_and_why,
    _a_kept_page_is_done_and_has_spent_its_priority,
    _a_page_may_be_queued_again,
    _validators_come_from_the_last_page,
    _only_pages_count_as_given_by_a_host,
    _a_page_counts_once_however_often_it_is_fetched,
    _a_settled_url_is_no_longer_queued,
    _a_postponed_url_stays_queued_until_its_time,
)
