"""Commands from outside: carried out within a second, in order, each with its result.

``pause``, ``resume`` and ``stop`` are tried on the real command: tests/integration/test_steering.py.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec.structs import replace

from homing.crawler.crawl import Crawl
from homing.crawler.live.verbs import VERBS
from homing.crawler.offers import Found
from homing.model import Priority, Proposal
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.store.inbox import Inbox
from homing.store.views.reader import Reader
from homing.urls import key

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, Serve, SmallWeb

SEED = "http://a.example/0"
MANY = 10_000
"""Queued URLs of one host."""


def endless(small: SmallWeb, *hosts: str, seconds: float = 0.05) -> None:
    for host in hosts or ("a",):
        for number in range(400):
            small.page(f"http://{host}.example/{number}", f"/{number + 1}", seconds=seconds)


UNTIL = "until set_pace with reset"


def done(answer: str | None) -> bool:
    return (answer or "").startswith("done")


def notes(folder: Folder) -> list[tuple[str, str | None]]:
    with closing(sqlite3.connect(folder.root / "inbox.db")) as db:
        return db.execute("SELECT kind, note FROM commands ORDER BY id").fetchall()


async def until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.02)


def steer(
    folder: Folder,
    serve: Serve,
    send: Callable[[Inbox], Awaitable[None]],
    *seeds: str,
    **sections: dict[str, object],
) -> str:
    """Crawl, and meanwhile leave commands in the inbox; why the crawl stopped."""

    async def crawl() -> str:
        async with serve(folder.small):
            opened: Crawl = folder.open(*(seeds or (SEED,)), **sections)
            inbox = Inbox(folder.root)
            try:
                running = asyncio.create_task(opened.run())
                await until(lambda: len(folder.small.log) > 3)
                await send(inbox)
                return await asyncio.wait_for(running, 10)
            finally:
                opened.close()
                inbox.close()

    return asyncio.run(crawl())


def test_blocked_urls_are_not_requested_any_more_nor_after_a_restart(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    endless(small, "a", "b")
    seeds = ("http://a.example/0", "http://b.example/0")

    async def block(inbox: Inbox) -> None:
        inbox.send("block", {"pattern": "b.example"})
        await until(lambda: notes(folder)[0][1] is not None)
        await asyncio.sleep(0.15)
        blocked = len(small.moments("b.example"))
        others = len(small.moments("a.example"))
        await until(lambda: len(small.moments("a.example")) > others + 4)
        assert len(small.moments("b.example")) == blocked
        inbox.send("stop", {})

    assert steer(folder, serve, block, *seeds) == "stop command"
    asked = len(small.moments("b.example"))
    small.page("http://b.example/new")
    folder.run(*seeds, "http://b.example/new", stop={"pages": len(folder.pages()) + 5})
    assert len(small.moments("b.example")) == asked
    # The new seed, and the one that waited unless it was in flight: that one left the queue at once.
    left = folder.figures()["failed"] == {"scope": 2}
    assert notes(folder)[0] == ("block", f"done; {int(left)} queued URL{'s' * (not left)} removed")
    assert folder.figures()["failed"] in ({"scope": 1}, {"scope": 2})


def test_a_glob_can_be_blocked_and_invalid_commands_are_answered(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    endless(small)

    async def send(inbox: Inbox) -> None:
        inbox.send("block", {"pattern": ""})
        inbox.send("set_pace", {"delay": -1})
        inbox.send("set_pace", {"delay": "long"})
        inbox.send("dance", {})
        inbox.send("set_pace", {"pages_per_second": 0})
        inbox.send("label", {"url": SEED})
        inbox.send("label", {"url": "http://z.example/", "relevant": True})
        inbox.send("label", {"url": "http://a.example/399", "relevant": True})
        inbox.send("add_seeds", {"urls": ["http://c.example/", "ftp://c.example/"]})
        inbox.send("unblock", {"pattern": "c.example"})
        inbox.send("add_seeds", {"urls": ["http://c.example/"]})
        inbox.send("block", {"pattern": "http://a.example/*"})

    assert steer(folder, serve, send) == "frontier empty"
    answers = [note for _, note in notes(folder)]
    assert answers[:-1] == [
        "pattern must be a host, or a glob over whole URLs",
        "delay must be at least 0, not -1",
        'delay must be a number, not "long"',
        f'there is no command "dance"; there is: {", ".join(sorted(VERBS))}',
        "pages_per_second must be more than 0, not 0",
        "relevant is missing",
        "http://z.example/ is unknown to this crawl",
        "http://a.example/399 is unknown to this crawl",
        'urls "ftp://c.example/": a seed must start with http:// or https://',
        "c.example is not blocked in this crawl",
        "1 of 1 taken",
    ]
    assert (answers[-1] or "").startswith("done; ")
    assert "http://c.example/" in small.asked()


def test_seeds_join_a_running_crawl_whatever_its_scope(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    endless(small)
    small.page("http://c.example/", "/below", "http://d.example/")
    small.page("http://c.example/below")

    async def add(inbox: Inbox) -> None:
        inbox.send("add_seeds", {"urls": ["http://c.example/"]})
        await until(lambda: "http://c.example/below" in small.asked())
        inbox.send("stop", {})

    steer(folder, serve, add, scope={"within": "host"})
    assert not small.moments("d.example")


def test_another_delay_holds_from_then_on(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    endless(small, seconds=0.0)

    async def slow_down(inbox: Inbox) -> None:
        inbox.send("set_pace", {"delay": 0.4})
        await until(lambda: done(notes(folder)[0][1]))
        asked = len(small.log)
        await until(lambda: len(small.log) >= asked + 3)
        inbox.send("stop", {})

    steer(folder, serve, slow_down, pace={"delay": 0.05})
    moments = small.moments("a.example")
    assert moments[-1] - moments[-2] >= 0.39
    assert moments[-2] - moments[-3] >= 0.39
    assert min(after - before for before, after in pairwise(moments)) < 0.39


ALL_DAY: dict[str, object] = {
    "windows": [
        {"start": "00:00", "end": "12:00", "delay": 0.05, "pages_per_second": 100.0},
        {"start": "12:00", "end": "00:00", "delay": 0.05, "pages_per_second": 100.0},
    ]
}


def test_a_command_holds_within_a_window_too(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    endless(small, seconds=0.0)

    async def slow_down(inbox: Inbox) -> None:
        inbox.send("set_pace", {"delay": 0.4})
        await until(lambda: done(notes(folder)[0][1]))
        await asyncio.sleep(1.2)  # past the next look at the time of day
        asked = len(small.log)
        await until(lambda: len(small.log) >= asked + 2)
        inbox.send("stop", {})

    steer(folder, serve, slow_down, pace=ALL_DAY)
    moments = small.moments("a.example")
    assert moments[-1] - moments[-2] >= 0.39


def test_a_steered_pace_outlives_a_restart_until_it_is_reset(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    endless(small, seconds=0.0)

    async def slow_down(inbox: Inbox) -> None:
        number = inbox.send("set_pace", {"delay": 0.3})
        await until(lambda: done(inbox.answer(number)))
        assert inbox.answer(number) == f"done; 0.3 s between two requests to a host, {UNTIL}"
        inbox.send("stop", {})

    steer(folder, serve, slow_down, pace=ALL_DAY)

    async def delays() -> list[float]:
        found = []
        for pace in (ALL_DAY, ALL_DAY, {**ALL_DAY, "delay": 0.2}, {**ALL_DAY, "delay": 0.2}):
            opened = folder.open(SEED, pace=pace)
            try:
                found.append(opened._parts.frontier.hosts.delay)
                assert len(opened.notices) == (found[-1] == 0.3)
                assert all("0.3 s between two requests to a host" in each for each in opened.notices)
            finally:
                opened.close()
        return found

    # Another delay in the configuration counts: the user has said so later.
    assert asyncio.run(delays()) == [0.3, 0.3, 0.05, 0.05]

    async def reset(inbox: Inbox) -> None:
        inbox.send("set_pace", {"delay": 0.3})
        number = inbox.send("set_pace", {"reset": True})
        await until(lambda: done(inbox.answer(number)))
        assert inbox.answer(number) == "done; the rate limits are those of crawl.toml"
        inbox.send("stop", {})

    small.log.clear()
    steer(folder, serve, reset, pace=ALL_DAY)
    opened = folder.open(SEED, pace=ALL_DAY)
    try:
        assert (opened._parts.frontier.hosts.delay, opened.notices) == (0.05, ())
    finally:
        opened.close()


def test_a_crawl_knows_at_once_whether_it_is_paused(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    endless(small)

    def known() -> bool | None:
        return CrawlFolder(folder.root).overview().paused

    async def crawl() -> None:
        async with serve(small):
            opened = folder.open(SEED)
            assert not opened.paused
            assert known() is False
            try:
                running = asyncio.create_task(opened.run())
                await opened.pause()
                assert opened.paused
                assert known() is True
                await opened.resume()
                assert known() is False
                await opened.pause()
                opened.stop()
                await running
            finally:
                opened.close()
        assert known() is None  # it does not run
        opened = folder.open(SEED)
        assert (opened.paused, known()) == (False, False)  # a pause is for one run
        opened.close()

    asyncio.run(crawl())


def test_a_command_is_safe_before_it_is_called_done(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    """A block that took effect must not be lost by a crash half a second later."""
    endless(small)

    async def crawl() -> list[str]:
        async with serve(small):
            opened = folder.open(SEED)
            inbox = Inbox(folder.root)
            try:
                inbox.send("block", {"pattern": "b.example"})
                opened._tick()
            finally:
                opened.close()  # without a commit, as in a crash
                inbox.close()
        with closing(sqlite3.connect(folder.root / "crawl.db")) as db:
            return [row[0] for row in db.execute("SELECT value FROM facts WHERE name = 'blocks'")]

    assert asyncio.run(crawl()) == ['["b.example"]']
    assert notes(folder) == [("block", None)]  # queued URLs could not be removed: the next run does that
    small.page("http://a.example/0")
    folder.run(SEED)
    assert notes(folder) == [("block", "done; 0 queued URLs removed")]
    with closing(sqlite3.connect(folder.root / "crawl.db")) as db:
        assert db.execute("SELECT value FROM facts WHERE name = 'blocks'").fetchall() == [('["b.example"]',)]


def test_a_block_removes_all_that_matches_from_the_queue_and_records_why(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    hosts = ("b.example", "sub.b.example", "c.example")
    links = [f"http://{host}/{number}" for host in hosts for number in range(30)]
    for number in range(5):  # a chain; the last of it comes late, and breadth-first takes the links after it
        small.page(f"http://a.example/{number}", f"/{number + 1}", *(links if number == 4 else []))
    small.page("http://a.example/5", seconds=2.0)

    async def block(inbox: Inbox) -> None:
        await until(lambda: "http://a.example/5" in small.asked())
        first = inbox.send("block", {"pattern": "b.example"})
        second = inbox.send("block", {"pattern": "http://c.example/1*"})
        await until(lambda: inbox.answer(second) is not None)
        assert inbox.answer(first) == "done; 60 queued URLs removed"
        assert inbox.answer(second) == "done; 11 queued URLs removed"
        assert inbox.answer(second + 1) is None
        inbox.send("stop", {})

    steer(folder, serve, block, fetch={"concurrency": 1})
    assert folder.failure("http://sub.b.example/7") == ("scope", "blocked host sub.b.example")
    assert folder.failure("http://c.example/17") == ("scope", "block http://c.example/1*")
    assert folder.failure("http://c.example/2") is None
    assert folder.figures()["failed"] == {"scope": 71}


def test_a_host_with_very_many_queued_urls_is_blocked_without_a_stall(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    endless(small)
    late: list[float] = []

    async def beat() -> None:
        while True:
            began, used = time.perf_counter(), time.process_time()
            await asyncio.sleep(0.005)
            # As far as this process was at work: what others take from it is not its fault.
            late.append(min(time.perf_counter() - began, time.process_time() - used) - 0.005)

    async def crawl() -> str | None:
        async with serve(small):
            opened = folder.open(SEED)
            inbox = Inbox(folder.root)
            try:
                wait = Proposal(url="", priority=Priority(score=-1.0))
                offers = opened._engine.offers
                for start in range(0, MANY, 1_000):
                    urls = (f"http://b.example/{number}" for number in range(start, start + 1_000))
                    offers._offer(
                        ((key(url), replace(wait, url=url)) for url in urls),
                        Found(depth=1, parent=0),
                    )
                running = asyncio.create_task(opened.run())
                beating = asyncio.create_task(beat())
                await until(lambda: len(small.moments("a.example")) > 3)
                number = inbox.send("block", {"pattern": "b.example"})
                asked = len(small.moments("a.example"))
                await until(lambda: inbox.answer(number) is not None, 60)
                assert len(small.moments("a.example")) > asked, "the crawl continues meanwhile"
                opened.stop("enough")
                await running
                beating.cancel()
                assert opened.counters.frontier <= 2
                return inbox.answer(number)
            finally:
                opened.close()
                inbox.close()

    answer = asyncio.run(crawl())
    assert answer is not None
    fetched = len({url for url in small.asked() if url.startswith("http://b.example/")})
    assert answer == f"done; {MANY - fetched:,} queued URLs removed"
    assert max(late) < 0.1


def test_pages_per_second_can_be_limited_and_set_free_again(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    endless(small, seconds=0.0)

    async def slow_down(inbox: Inbox) -> None:
        number = inbox.send("set_pace", {"pages_per_second": 4})
        await until(lambda: done(inbox.answer(number)))
        asked = len(small.log)
        await until(lambda: len(small.log) >= asked + 3)
        number = inbox.send("set_pace", {"pages_per_second": None})
        await until(lambda: done(inbox.answer(number)))
        inbox.send("stop", {})

    steer(folder, serve, slow_down, pace={"delay": 0.02})
    moments = [asked.began for asked in small.log]
    pauses = [after - before for before, after in pairwise(moments)]
    assert sum(pause > 0.2 for pause in pauses) >= 2
    assert sorted(pauses)[len(pauses) // 2] < 0.2


def test_open_commands_of_the_first_version_are_carried_out(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    small.page(SEED)
    small.page("http://c.example/")
    folder.run(SEED)
    with closing(sqlite3.connect(folder.root / "inbox.db")) as db, db:
        db.execute("ALTER TABLE commands RENAME TO wishes")  # and the commands had other names
        for kind, payload in (
            ("pages-per-second", '{"pages": null}'),
            ("delay", '{"seconds": 0}'),
            ("seeds", '{"urls": ["http://c.example/"]}'),
            ("block", '{"pattern": "b.example"}'),
        ):
            db.execute("INSERT INTO wishes (kind, payload) VALUES (?, ?)", (kind, payload))
    folder.run(SEED)
    assert folder.pages() == [SEED, "http://c.example/"]
    assert notes(folder) == [
        ("set_pace", f"done; any number of pages a second, {UNTIL}"),
        ("set_pace", f"done; 0 s between two requests to a host, any number of pages a second, {UNTIL}"),
        ("add_seeds", "1 of 1 taken"),
        ("block", "done; 0 queued URLs removed"),
    ]


def test_a_label_is_kept_and_the_last_word_counts(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    endless(small)

    async def label(inbox: Inbox) -> None:
        for relevant in (True, False):
            number = inbox.send("label", {"url": SEED, "relevant": relevant})
        await until(lambda: inbox.answer(number) == "done")
        with Reader(folder.root) as reader:  # while the crawl runs: what is called done is committed
            assert [(each.url, each.relevant) for each in reader.labels()] == [(SEED, False)]
        inbox.send("stop", {})

    steer(folder, serve, label)
