"""Homing from Python: the loop over visits, asynchronous and blocking."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.little import WEB, Settings, served

import homing
from homing.config import Config
from homing.errors import OtherCrawlError, UnreadableError, UsageError
from homing.model import Visit
from homing.store.lock import Lock
from homing.store.views.reader import Reader


@pytest.fixture
def settings() -> Iterator[Settings]:
    with served() as settings:
        yield settings


def order(folder: Path) -> list[str]:
    with Reader(folder) as reader:
        return [row.url for row in reader.pages() if row.status == 200]


def reason(folder: Path) -> object:
    with Reader(folder) as reader:
        return reader.figures()["stop_reason"]


def is_free(folder: Path) -> bool:
    Lock(folder / "lock", command="a test").release()
    return True


def test_visits_come_in_the_order_of_the_crawl(settings: Settings, tmp_path: Path) -> None:
    async def crawl() -> list[Visit]:
        visits = homing.crawl(WEB.topic, WEB.seeds, out=tmp_path / "c", pages=40, settings=settings)
        return [visit async for visit in visits]

    visits = asyncio.run(crawl())
    steps = [visit.step for visit in visits]
    assert steps == sorted(steps)
    assert [visit.entry.url for visit in visits] == order(tmp_path / "c")
    assert visits[0].entry.url == WEB.seeds[0]
    assert any(visit.judgement.relevant for visit in visits)
    assert reason(tmp_path / "c") == "pages"


def test_the_blocking_twin_makes_the_same_crawl(settings: Settings, tmp_path: Path) -> None:
    settings["fetch"]["concurrency"] = 1

    async def crawl() -> list[str]:
        visits = homing.crawl(WEB.topic, WEB.seeds, out=tmp_path / "a", pages=30, settings=settings)
        return [visit.entry.url async for visit in visits]

    one = [
        visit.entry.url
        for visit in homing.crawl_sync(WEB.topic, WEB.seeds, out=tmp_path / "b", pages=30, settings=settings)
    ]
    assert one == asyncio.run(crawl())
    assert is_free(tmp_path / "b")


def test_names_and_limits_are_passed_on(settings: Settings, tmp_path: Path) -> None:
    visits = homing.crawl_sync(
        WEB.topic,
        WEB.seeds,
        out=str(tmp_path / "c"),
        relevant=1,
        minutes=1.0,
        strategy="best_first",
        judge="keywords",
        settings=settings,
    )
    assert sum(visit.judgement.relevant for visit in visits) >= 1
    stored = Config.load(tmp_path / "c" / "crawl.toml")
    assert (stored.strategy.name, stored.stop.relevant, stored.stop.minutes) == ("best-first", 1, 1.0)
    assert reason(tmp_path / "c") == "relevant"


def test_a_topic_can_be_given_by_pages_instead_of_words(settings: Settings, tmp_path: Path) -> None:
    target, *more = sorted(WEB.targets)
    (tmp_path / "example.html").write_bytes(WEB.pages[more[0]].body)

    async def crawl() -> list[Visit]:
        visits = homing.crawl(
            seeds=WEB.seeds,
            out=tmp_path / "c",
            examples=[target, tmp_path / "example.html"],
            negatives=[WEB.seeds[0]],
            pages=20,
            settings=settings,
        )
        return [visit async for visit in visits]

    visits = asyncio.run(crawl())
    assert {visit.judgement.judge for visit in visits} == {"examples"}
    stored = Config.load(tmp_path / "c" / "crawl.toml")
    assert stored.topic.examples == (target, str(tmp_path / "example.html"))
    assert len((tmp_path / "c" / "topic.jsonl").read_text().splitlines()) == 3


def test_an_example_that_cannot_be_had_is_an_error_and_no_crawl(settings: Settings, tmp_path: Path) -> None:
    missing = f"{WEB.seeds[0]}no-such-page"
    with pytest.raises(UnreadableError, match="the host answered 404"):
        list(homing.crawl_sync(seeds=WEB.seeds, out=tmp_path / "c", examples=[missing], settings=settings))
    assert not (tmp_path / "c").exists()


def test_a_loop_that_is_left_stops_cleanly_and_can_be_resumed(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "c"

    async def crawl() -> None:
        seen = 0
        async for _ in homing.crawl(WEB.topic, WEB.seeds, out=folder, pages=60, settings=settings):
            seen += 1
            if seen == 5:
                break

    asyncio.run(crawl())
    assert is_free(folder)
    # The event loop was closed at once: either may be first.
    assert reason(folder) in ("left", "broken off")
    before = order(folder)
    assert len(before) >= 5
    rest = [
        visit.entry.url
        for visit in homing.crawl_sync(WEB.topic, WEB.seeds, out=folder, pages=60, settings=settings)
    ]
    assert order(folder) == [*before, *rest]
    assert len(set(order(folder))) == len(order(folder))


def test_a_cancelled_loop_stops_cleanly(settings: Settings, tmp_path: Path) -> None:
    async def crawl() -> None:
        async for _ in homing.crawl(WEB.topic, WEB.seeds, out=tmp_path / "c", settings=settings):
            pass

    async def for_a_moment() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await crawl()

    asyncio.run(for_a_moment())
    assert is_free(tmp_path / "c")
    assert reason(tmp_path / "c") == "left"


def test_a_blocking_loop_that_is_left_stops_cleanly(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    for visit in homing.crawl_sync(WEB.topic, WEB.seeds, out=folder, pages=60, settings=settings):
        if visit.step >= 5:
            break
    assert is_free(folder)
    assert reason(folder) == "left"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("homing")]
    before = order(folder)
    rest = [
        visit.entry.url
        for visit in homing.crawl_sync(WEB.topic, WEB.seeds, out=folder, pages=60, settings=settings)
    ]
    assert order(folder) == [*before, *rest]


def test_an_exception_in_the_body_of_a_blocking_loop_stops_the_crawl(
    settings: Settings, tmp_path: Path
) -> None:
    def count() -> None:
        for visit in homing.crawl_sync(WEB.topic, WEB.seeds, out=tmp_path / "c", settings=settings):
            if visit.step == 3:
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        count()
    assert is_free(tmp_path / "c")
    assert reason(tmp_path / "c") == "left"


def test_an_exception_in_the_body_of_a_loop_stops_the_crawl(settings: Settings, tmp_path: Path) -> None:
    async def crawl() -> None:
        async for visit in homing.crawl(WEB.topic, WEB.seeds, out=tmp_path / "c", settings=settings):
            if visit.step == 3:
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(crawl())
    assert is_free(tmp_path / "c")
    assert reason(tmp_path / "c") == "left"


def test_the_crawl_continues_while_a_blocking_caller_is_busy(settings: Settings, tmp_path: Path) -> None:
    settings["fetch"]["concurrency"] = 1
    folder = tmp_path / "c"
    visits = homing.crawl_sync(WEB.topic, WEB.seeds, out=folder, pages=10, settings=settings)
    first = next(visits)
    assert first.step == 1
    for _ in range(100):
        if len(order(folder)) >= 5:
            break
        threading.Event().wait(0.1)
    else:
        raise AssertionError("nothing happened")
    assert [visit.step for visit in visits][-1] == 10


@pytest.mark.parametrize("twin", ["crawl", "crawl_sync"])
def test_errors_come_out_plainly(settings: Settings, tmp_path: Path, twin: str) -> None:
    folder = tmp_path / "c"

    def visit_all(topic: str, **options: object) -> int:
        if twin == "crawl_sync":
            return len(list(homing.crawl_sync(topic, WEB.seeds, out=folder, **options)))  # type: ignore[arg-type]

        async def count() -> int:
            return len([v async for v in homing.crawl(topic, WEB.seeds, out=folder, **options)])  # type: ignore[arg-type]

        return asyncio.run(count())

    with pytest.raises(UsageError, match='no strategy "best-frist"; did you mean "best-first"'):
        visit_all(WEB.topic, strategy="best-frist")
    with pytest.raises(UsageError, match=r'\[pace\] has no key "dealy"'):
        visit_all(WEB.topic, settings={"pace": {"dealy": 1}})
    with pytest.raises(UsageError, match="pages must be at least 1"):
        visit_all(WEB.topic, pages=0)
    with pytest.raises(UsageError, match="no topic"):
        visit_all(" ")
    assert not folder.exists()
    assert visit_all(WEB.topic, pages=2, settings=settings) >= 1
    with pytest.raises(OtherCrawlError, match='"wasps" given'):
        visit_all("wasps", settings=settings)


SCRIPT = """
import homing, json, sys
folder, settings = sys.argv[1], json.loads(sys.argv[2])
visits = homing.crawl_sync("{topic}", ["{seed}"], out=folder, settings=settings)
print(next(visits).step)
"""


def test_a_script_that_forgets_to_finish_its_loop_ends_nevertheless(
    settings: Settings, tmp_path: Path
) -> None:
    """The loop variable lives as long as the interpreter, and its crawl has a thread."""
    script = SCRIPT.format(topic=WEB.topic, seed=WEB.seeds[0])
    command = [sys.executable, "-c", script, str(tmp_path / "c"), json.dumps(settings)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("1\n", "", 0)
    assert is_free(tmp_path / "c")
    again = homing.crawl_sync(WEB.topic, WEB.seeds, out=tmp_path / "c", pages=40, settings=settings)
    assert len(list(again)) > 5


def test_closing_a_blocking_loop_twice_does_no_harm(settings: Settings, tmp_path: Path) -> None:
    visits = homing.crawl_sync(WEB.topic, WEB.seeds, out=tmp_path / "c", settings=settings)
    with closing(visits):
        next(visits)
    visits.close()
    assert is_free(tmp_path / "c")
