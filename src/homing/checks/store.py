"""The battery that every ``ports.Store`` passes.

>>> from homing.store.memory import MemoryStore
>>> check_store(MemoryStore)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from homing.model import (
    Entry,
    Failure,
    Host,
    Judgement,
    Page,
    Priority,
    Ranking,
    Reply,
    RobotsRecord,
    Standing,
)
from homing.ports import Store

Make = Callable[[], Store]
Reopen = Callable[[Store], Store]


def check_store(make: Make, reopen: Reopen | None = None) -> None:
    """Raise ``AssertionError`` at the first promise that a store does not keep.

    Parameters
    ----------
    make
        Makes an empty store, a new one at each call.
    reopen
        Closes a store and opens the same one again; ``None`` for a store that does not outlive its
        process.
    """
    for check in (
        _an_empty_store_knows_nothing,
        _what_is_added_comes_back,
        _updates_replace_priority_memo_and_why,
        _a_kept_page_is_done_and_has_spent_its_priority,
        _a_page_may_wait_again,
        _validators_come_from_the_last_page,
        _only_pages_count_as_given_by_a_host,
        _a_settled_url_no_longer_waits,
        _a_postponed_url_waits_for_its_time,
        _links_and_scores_are_those_of_the_last_visit,
        _visits_come_back_in_order_with_what_they_were_taken_with,
        _labels_and_second_thoughts_are_kept,
        _facts_state_and_ranking_come_back,
    ):
        store = make()
        try:
            check(store)
        finally:
            store.close()
    if reopen is not None:
        _check_durable(make, reopen)


def _an_empty_store_knows_nothing(store: Store) -> None:
    assert len(store.known().keys) == 0
    assert store.hosts() == []
    assert store.delayed() == []
    assert store.roots() == []
    assert store.tally().pages == 0
    assert store.fact("stop_reason") is None
    assert store.strategy_state() is None
    assert store.ranking() is None
    assert list(store.visits_since(0)) == []
    assert [len(array) for array in (*store.links(), *store.judged())] == [0, 0, 0, 0]
    try:
        store.entry(0)
    except LookupError:
        return
    raise AssertionError("a URL that is not known has no entry")


def _what_is_added_comes_back(store: Store) -> None:
    entries = _fill(store)
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
    entries = _fill(store)
    better = replace(entries[1], priority=Priority(tier=-2, score=9.5), memo=b"\x00new", why=(("new", 1.0),))
    store.update([better])
    assert store.entry(1) == better
    store.update([replace(entries[0], parent=2, anchor="home")])
    assert store.entry(0).parent is None, "a seed stays a seed, whoever links to it"
    assert store.entry(2) == entries[2]
    assert store.known().scores.tolist()[1] == 9.5


def _a_kept_page_is_done_and_has_spent_its_priority(store: Store) -> None:
    entries = _fill(store)
    _visit(store, entries[1], step=1)
    assert store.known().standings.tolist() == [Standing.WAITING, Standing.DONE, Standing.WAITING]
    spent = store.entry(1)
    assert (spent.priority, spent.memo, spent.why) == (Priority(), b"", ())
    assert (spent.url, spent.parent, spent.anchor) == (entries[1].url, entries[1].parent, entries[1].anchor)


def _a_page_may_wait_again(store: Store) -> None:
    entries = _fill(store)
    _visit(store, entries[1], step=1)
    _visit(store, entries[2], step=2)
    credit = [replace(entry, priority=Priority(score=0.25)) for entry in entries[1:]]
    store.update(credit, revisits={2})
    assert store.known().standings.tolist() == [Standing.WAITING, Standing.DONE, Standing.WAITING]
    assert store.entry(1).priority == store.entry(2).priority == Priority(score=0.25)


def _validators_come_from_the_last_page(store: Store) -> None:
    entries = _fill(store)
    dates = ("Last-Modified", "Mon, 05 Jan 2026 10:00:00 GMT")
    _visit(store, entries[0], step=1, headers=(("ETag", '"one"'), dates))
    assert store.entry(0).validators == ('"one"', dates[1])
    _visit(store, entries[0], step=1, status=304, headers=())
    assert store.entry(0).validators == ('"one"', dates[1]), "a 304 need not repeat them"
    _visit(store, entries[0], step=2, headers=())
    assert store.entry(0).validators == ("", "")


def _only_pages_count_as_given_by_a_host(store: Store) -> None:
    entries = _fill(store)
    _visit(store, entries[1], step=1)
    _visit(store, entries[2], step=1, status=301, standing=Standing.REDIRECTED)
    _visit(store, replace(entries[0], kind="sitemap"), step=1)
    _visit(store, entries[1], step=1, status=304)
    assert [host.asked for host in store.hosts()] == [0, 1]
    tally = store.tally()
    assert (tally.pages, tally.relevant, tally.redirects) == (1, 1, 1)
    assert store.known().standings.tolist() == [Standing.DONE, Standing.DONE, Standing.REDIRECTED]


def _a_settled_url_no_longer_waits(store: Store) -> None:
    entries = _fill(store)
    failure = Failure(url=entries[1].url, kind="dns", detail="no such host \udce9")
    store.postpone(entries[1], failure, 5_000.0)
    store.settle(entries[1], Standing.FAILED, failure)
    store.settle(entries[2], Standing.REFUSED, replace(failure, kind="robots"))
    assert store.known().standings.tolist() == [Standing.WAITING, Standing.FAILED, Standing.REFUSED]
    assert store.delayed() == []
    assert store.tally().failed == {"dns": 1, "robots": 1}
    assert store.entry(1).priority == Priority()


def _a_postponed_url_waits_for_its_time(store: Store) -> None:
    entries = _fill(store)
    failure = Failure(url=entries[1].url, kind="timeout")
    store.postpone(entries[1], failure, 9_000.0)
    store.postpone(entries[2], failure, 5_000.0)
    store.postpone(entries[1], failure, 7_000.0)
    assert store.delayed() == [(2, 5_000.0), (1, 7_000.0)]
    assert [store.entry(seq).tries for seq in range(3)] == [0, 2, 1]
    assert store.entry(1).priority == entries[1].priority, "a retry keeps its priority"
    assert store.known().standings.tolist() == [Standing.WAITING] * 3
    assert store.tally().failed == {}
    _visit(store, entries[1], step=1)
    assert store.delayed() == [(2, 5_000.0)]
    assert store.entry(1).tries == 0


def _links_and_scores_are_those_of_the_last_visit(store: Store) -> None:
    entries = _fill(store)
    _visit(store, entries[2], step=1, links=(0, 1, 0), score=0.2)
    _visit(store, entries[0], step=2, links=(2,), score=0.7)
    _visit(store, entries[1], step=3, links=(), score=None)
    sources, targets = store.links()
    assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == [(0, 2), (2, 0), (2, 1), (2, 0)]
    seqs, scores = store.judged()
    assert dict(zip(seqs.tolist(), scores.tolist(), strict=True)) == {0: 0.7, 2: 0.2}
    _visit(store, entries[2], step=4, links=(1,), score=0.9)
    assert store.links()[1].tolist() == [2, 1]
    assert [list(store.targets(seq)) for seq in (2, 0, 1)] == [[1], [2], []]
    assert dict(zip(*(array.tolist() for array in store.judged()), strict=True)) == {0: 0.7, 2: 0.9}


def _visits_come_back_in_order_with_what_they_were_taken_with(store: Store) -> None:
    entries = _fill(store)
    replies = [_visit(store, entry, step=step) for step, entry in ((1, entries[2]), (2, entries[0]))]
    _visit(store, entries[1], step=2, status=302, standing=Standing.REDIRECTED, score=None)
    visits = list(store.visits_since(0))
    assert [step for step, *_ in visits] == [1, 2]
    assert [(entry.seq, entry.priority, entry.memo, entry.why) for _, entry, *_ in visits] == [
        (entry.seq, entry.priority, entry.memo, entry.why) for entry in (entries[2], entries[0])
    ]
    assert [reply.body for _, _, reply, _ in visits] == [reply.body for reply in replies]
    assert visits[0][3] == _judgement(0.75)
    assert [step for step, *_ in store.visits_since(1)] == [2]
    _visit(store, entries[1], step=3, status=404, standing=Standing.FAILED, score=None)
    assert list(store.answers()) == [
        (entries[2].url, 200, 2**64 - 1),
        (entries[0].url, 200, 2**64 - 1),
        (entries[1].url, 404, None),
    ]


def _labels_and_second_thoughts_are_kept(store: Store) -> None:
    entries = _fill(store)
    _visit(store, entries[1], step=1)
    _visit(store, entries[2], step=2)
    assert store.labels() == {}
    for seq, relevant in ((2, True), (1, True), (2, False)):
        store.label(seq, relevant)
    assert store.labels() == {1: True, 2: False}
    store.rejudge(2, _judgement(0.25))
    assert [judgement for *_, judgement in store.visits_since(0)] == [_judgement(0.75), _judgement(0.25)]
    assert dict(zip(*(array.tolist() for array in store.judged()), strict=True)) == {1: 0.75, 2: 0.25}
    assert store.tally().relevant == 1


def _facts_state_and_ranking_come_back(store: Store) -> None:
    store.note("stop_reason", "pages")
    store.note("seconds", 1.5)
    store.note("seconds", 2.5)
    assert (store.fact("stop_reason"), store.fact("seconds")) == ("pages", 2.5)
    store.save_strategy(3, {"weights": [0.5, 1.0], "seen": {"a": 1}})
    store.save_strategy(7, {"weights": [0.25], "seen": {}})
    assert store.strategy_state() == (7, {"weights": [0.25], "seen": {}})
    store.save_ranking(_ranking())
    _same_ranking(store.ranking())
    assert store.ranking() is None, "a ranking is only true for the moment of the stop"


def _check_durable(make: Make, reopen: Reopen) -> None:
    """What was committed is there after closing and opening again; what was not is gone as a whole."""
    store = make()
    entries = _fill(store)
    reply = _visit(store, entries[1], step=1, links=(0, 2), headers=(("ETag", '"x"'),))
    store.postpone(entries[2], Failure(url=entries[2].url, kind="timeout"), 5_000.0)
    store.set_delay(1, 4.0)
    store.keep_robots(
        RobotsRecord(origin="https://a.example", status=200, text="Disallow: /", fetched_at=1.0)
    )
    store.save_strategy(1, {"n": 1})
    store.save_ranking(_ranking())
    store.note("seconds", 3.0)
    store.commit()
    _visit(store, entries[0], step=2, links=(1,))
    store.settle(entries[2], Standing.FAILED, Failure(url=entries[2].url, kind="dns"))
    store.add([replace(entries[2], seq=3, key=99, url="https://b.example/3")], [1])
    store.note("seconds", 99.0)
    store = reopen(store)
    try:
        assert store.known().standings.tolist() == [Standing.WAITING, Standing.DONE, Standing.WAITING]
        assert store.entry(0) == entries[0]
        assert store.entry(1).validators == ('"x"', "")
        assert store.hosts()[1] == Host(number=1, name="b.example", delay=4.0, asked=1)
        assert store.delayed() == [(2, 5_000.0)]
        assert store.links()[1].tolist() == [0, 2]
        assert store.judged()[0].tolist() == [1]
        assert (store.tally().pages, store.tally().failed) == (1, {})
        assert (store.strategy_state(), store.fact("seconds")) == ((1, {"n": 1}), 3.0)
        assert [kept.body for _, _, kept, _ in store.visits_since(0)] == [reply.body]
        _visit(store, store.entry(0), step=2)
        assert [step for step, *_ in store.visits_since(0)] == [1, 2], "a crawl goes on where it was"
        _same_ranking(store.ranking())
        store.commit()
        store = reopen(store)
        assert store.tally().pages == 2
        assert store.ranking() is None
    finally:
        store.close()


def _fill(store: Store) -> list[Entry]:
    """Three URLs on two hosts: a seed and what it links to, with everything an entry can hold."""
    entries = [
        Entry(key=-(2**63), url="https://a.example/", priority=Priority(tier=1, score=-0.5), seq=0),
        Entry(
            key=2**63 - 1,
            url="https://b.example/1",
            priority=Priority(tier=-3, score=1e-9),
            memo=b"\x00\xff\x00",
            why=(("anchor", 0.5), ("blüte", 1e300)),
            depth=1,
            parent=0,
            anchor="Schmetterlinge 蝶 and a 'quote'",
            seq=1,
            hops=2,
        ),
        Entry(key=0, url="https://b.example/2", priority=Priority(), depth=1, parent=0, seq=2),
    ]
    store.add_hosts([Host(number=0, name="a.example"), Host(number=1, name="b.example")])
    store.add(entries, [0, 1, 1])
    return entries


def _visit(
    store: Store,
    entry: Entry,
    *,
    step: int,
    status: int = 200,
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/html; charset=utf-8"),),
    links: tuple[int, ...] = (),
    score: float | None = 0.75,
    standing: Standing = Standing.DONE,
) -> Reply:
    reply = Reply(
        url=entry.url,
        final_url=entry.url,
        status=status,
        headers=headers,
        body=f"<p>visit of {entry.url} at {step}</p>".encode() if status == 200 else b"",
        asked_at=1_700_000_000.0 + step,
        took=0.25,
    )
    page = (
        Page(url=entry.url, title=f"Page {entry.seq} \udce9", fingerprint=2**64 - 1)
        if status == 200
        else None
    )
    store.keep(
        reply,
        entry,
        step=step,
        page=page,
        judgement=_judgement(score) if page and score is not None else None,
        standing=standing,
    )
    store.link(entry.seq, links)
    return reply


def _judgement(score: float) -> Judgement:
    return Judgement(score=score, relevant=score >= 0.5, judge="keywords", why=(("butterfly", score),))


def _ranking() -> Ranking:
    return Ranking(
        keys=np.array([0, -(2**63)], dtype=np.int64),
        tiers=np.array([-1, 2], dtype=np.int32),
        scores=np.array([0.125, -7.0], dtype=np.float64),
        parts={"rank": np.array([0.5, np.nan]), "context": np.array([0.25, -7.0])},
    )


def _same_ranking(ranking: Ranking | None) -> None:
    assert ranking is not None
    assert ranking.keys.tolist() == [0, -(2**63)]
    assert ranking.tiers.tolist() == [-1, 2]
    assert ranking.scores.tolist() == [0.125, -7.0]
    assert [ranking.why(row) for row in (0, 1)] == [(("rank", 0.5), ("context", 0.25)), (("context", -7.0),)]
