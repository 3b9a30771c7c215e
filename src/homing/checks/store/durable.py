"""What a store on disk promises: what was committed outlives the process."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from homing.checks.store.little_crawl import check_ranking, fill, make_ranking, visit
from homing.model import Failure, Host, RobotsRecord, Standing
from homing.ports import Store

Make = Callable[[], Store]
Reopen = Callable[[Store], Store]


def check_durable(make: Make, reopen: Reopen) -> None:
    """Check that what was committed is there after closing and opening, and nothing else."""
    store = make()
    entries = fill(store)
    reply = visit(store, entries[1], step=1, links=(0, 2), headers=(("ETag", '"x"'),))
    store.postpone(entries[2], Failure(url=entries[2].url, kind="timeout"), 5_000.0)
    store.set_delay(1, 4.0)
    store.keep_robots(
        RobotsRecord(origin="https://a.example", status=200, text="Disallow: /", fetched_at=1.0)
    )
    store.save_strategy(1, {"n": 1})
    store.save_ranking(make_ranking())
    store.note("seconds", 3.0)
    store.commit()
    visit(store, entries[0], step=2, links=(1,))
    store.settle(entries[2], Standing.FAILED, Failure(url=entries[2].url, kind="dns"))
    store.add([replace(entries[2], seq=3, key=99, url="https://b.example/3")], [1])
    store.note("seconds", 99.0)
    store = reopen(store)
    try:
        assert store.known().standings.tolist() == [Standing.WAITING, Standing.DONE, Standing.WAITING]
        assert store.entry(0) == entries[0]
        assert store.entry(1).validators == ('"x"', "")
        assert store.hosts()[1] == Host(number=1, name="b.example", delay=4.0, pages=1)
        assert store.delayed() == [(2, 5_000.0)]
        assert store.links()[1].tolist() == [0, 2]
        assert store.judged()[0].tolist() == [1]
        assert (store.tally().pages, store.tally().failed) == (1, {})
        assert (store.strategy_state(), store.fact("seconds")) == ((1, {"n": 1}), 3.0)
        assert [kept.body for _, _, kept, _ in store.visits_since(0)] == [reply.body]
        visit(store, store.entry(0), step=2)
        assert [step for step, *_ in store.visits_since(0)] == [1, 2], "a crawl resumes where it was"
        check_ranking(store.ranking())
        store.commit()
        store = reopen(store)
        assert store.tally().pages == 2
        assert store.ranking() is None
    finally:
        store.close()
