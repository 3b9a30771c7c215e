"""What a store promises to a crawl that resumes: ``ports.ResumeStore``."""

from __future__ import annotations

from homing.checks.store.little_crawl import check_ranking, fill, judgement_of, make_ranking, visit
from homing.model import Standing
from homing.ports import Store


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


def _visits_come_back_in_order_with_what_they_were_taken_with(store: Store) -> None:
    entries = fill(store)
    replies = [visit(store, entry, step=step) for step, entry in ((1, entries[2]), (2, entries[0]))]
    visit(store, entries[1], step=2, status=302, standing=Standing.REDIRECTED, score=None)
    visits = list(store.visits_since(0))
    assert [step for step, *_ in visits] == [1, 2]
    assert [(entry.seq, entry.priority, entry.memo, entry.why) for _, entry, *_ in visits] == [
        (entry.seq, entry.priority, entry.memo, entry.why) for entry in (entries[2], entries[0])
    ]
    assert [reply.body for _, _, reply, _ in visits] == [reply.body for reply in replies]
    assert visits[0][3] == judgement_of(0.75)
    assert [step for step, *_ in store.visits_since(1)] == [2]
    visit(store, entries[1], step=3, status=404, standing=Standing.FAILED, score=None)
    assert list(store.answers()) == [
        (entries[2].url, 200, 2**64 - 1),
        (entries[0].url, 200, 2**64 - 1),
        (entries[1].url, 404, None),
    ]


def _labels_and_second_thoughts_are_kept(store: Store) -> None:
    entries = fill(store)
    visit(store, entries[1], step=1)
    visit(store, entries[2], step=2)
    assert store.labels() == {}
    for seq, relevant in ((2, True), (1, True), (2, False)):
        store.label(seq, relevant)
    assert store.labels() == {1: True, 2: False}
    store.rejudge(2, judgement_of(0.25))
    assert [judgement for *_, judgement in store.visits_since(0)] == [judgement_of(0.75), judgement_of(0.25)]
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
    store.save_ranking(make_ranking())
    check_ranking(store.ranking())
    assert store.ranking() is None, "a ranking is only true for the moment of the stop"


CHECKS = (
    _an_empty_store_knows_nothing,
    _visits_come_back_in_order_with_what_they_were_taken_with,
    _labels_and_second_thoughts_are_kept,
    _facts_state_and_ranking_come_back,
)
