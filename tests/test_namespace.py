"""What ``import homing`` gives: an open crawl with its commands, and the names for classes of one's own."""

from __future__ import annotations

import asyncio
import math
import pydoc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.calling import called
from tests.little import WEB, Settings, served

import homing
from homing.config import Config
from homing.errors import UsageError
from homing.judge import JUDGES
from homing.store.lock import Lock
from homing.store.views.reader import Reader
from homing.strategies import STRATEGIES
from homing.urls import host

if TYPE_CHECKING:
    from homing.ports import View


@pytest.fixture
def settings() -> Iterator[Settings]:
    with served() as settings:
        settings["fetch"]["concurrency"] = 1
        yield settings


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the classes that a test adds: other tests count them."""
    for registry in (STRATEGIES, JUDGES):
        monkeypatch.setattr(registry, "_added", {})


def reason(folder: Path) -> object:
    Lock(folder / "lock", command="a test").release()  # the folder is free
    with Reader(folder) as reader:
        return reader.figures()["stop_reason"]


# -- the names


def test_every_name_is_there_once_it_is_needed() -> None:
    assert set(homing.__all__) <= set(dir(homing))
    for name in homing.__all__:
        assert getattr(homing, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'crawler_of_worlds'"):
        getattr(homing, "crawler_of_worlds")  # noqa: B009  (to a type checker it is no name)


def test_help_shows_all_of_it() -> None:
    text = pydoc.plain(pydoc.render_doc(homing))
    assert "class Ranking" in text
    assert "class Judgement" in text


class Relatives(homing.Strategy):
    """Takes links of relevant pages first, and those to pages near the seeds."""

    name = "relatives"
    rerank_every = 10

    def __init__(self, **parameters: object) -> None:
        super().__init__(**parameters)
        self.visited: list[homing.Entry] = []

    def learn(self, visit: homing.Visit) -> None:
        self.visited.append(visit.entry)

    def score(self, visit: homing.Visit) -> Iterable[homing.Proposal]:
        return [self._proposal(link, visit.judgement) for link in visit.page.links]

    def _proposal(self, link: homing.Link, judgement: homing.Judgement) -> homing.Proposal:
        priority = homing.Priority(score=judgement.score + bool(link.anchor) / 10)
        return homing.Proposal(url=link.url, priority=priority, why=(("page", judgement.score),))

    def rerank(self, view: View) -> homing.Ranking | None:
        return None


class FirstWord(homing.Judge):
    """Looks for the first word of the topic."""

    name = "first-word"

    @property
    def word(self) -> str:
        return self.brief.text.split()[0]

    def judge(self, page: homing.Page) -> homing.Judgement:
        return self.judgement(1.0 if self.word in page.text.lower() else 0.0)

    def rate(self, texts: list[str]) -> list[float]:
        return [float(self.word in text.lower()) for text in texts]


def test_a_crawl_takes_classes_of_ones_own_and_resumes_with_them(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "c"

    def visits(pages: int) -> list[homing.Visit]:
        return list(
            homing.crawl_sync(
                WEB.topic,
                WEB.seeds,
                out=folder,
                pages=pages,
                strategy=Relatives,
                judge=FirstWord,
                settings=settings,
            )
        )

    first = visits(30)
    assert {visit.judgement.judge for visit in first} == {"first-word"}
    relevant = [visit for visit in first if visit.judgement.relevant]
    assert relevant
    assert all("butterfly" in visit.page.text.lower() for visit in relevant)
    assert dict(first[-1].entry.why).keys() == {"page"}
    assert [visit.step for visit in visits(40)] == list(range(31, 41))
    stored = Config.load(folder / "crawl.toml")
    assert (stored.strategy.name, stored.judge.name) == ("relatives", "first-word")
    assert called("report", folder).returncode == 0


def test_a_class_needs_a_name_that_is_free(tmp_path: Path) -> None:
    class Nameless(Relatives):
        """Has none."""

        name = ""

    class Impostor(FirstWord):
        """Has one that is taken."""

        name = "keywords"

    with pytest.raises(UsageError, match="Nameless has no name"):
        list(homing.crawl_sync("moths", WEB.seeds, out=tmp_path / "c", strategy=Nameless))
    with pytest.raises(UsageError, match='"keywords" is a built-in judge'):
        list(homing.crawl_sync("moths", WEB.seeds, out=tmp_path / "c", judge=Impostor))


# -- an open crawl


def test_commands_are_given_before_the_crawl_runs_and_meanwhile(settings: Settings, tmp_path: Path) -> None:
    folder, other = tmp_path / "c", next(name for name in WEB.hosts if name != host(WEB.seeds[0]))
    late: list[str] = []

    async def crawl() -> None:
        async with homing.open(WEB.topic, WEB.seeds, out=folder, pages=40, settings=settings) as crawl:
            assert isinstance(crawl, homing.Crawl)
            assert not crawl.resumed
            assert await crawl.block("*/no-such-folder/*") == 0
            await crawl.set_pace(pages_per_second=math.inf)
            assert await crawl.add_seeds(WEB.seeds) == len(WEB.seeds)
            async for visit in crawl.visits():
                if visit.step == 10:
                    with pytest.raises(UsageError, match="relevant"):
                        await crawl.label(visit.entry.url, relevant="yes")  # type: ignore[arg-type]
                    await crawl.label(visit.entry.url, relevant=True)
                    await crawl.block(other)
                    fetched = crawl.counters.pages
                    head = (await crawl.snapshot()).head
                    assert not [each.url for each in head if host(each.url) == other]
                    late.append("")
                elif late and visit.step > fetched + 1:  # one was in flight
                    late.append(host(visit.entry.url))

    asyncio.run(crawl())
    assert reason(folder) == "pages"
    assert len(late) > 10
    assert other not in late
    with Reader(folder) as reader:
        assert [label.relevant for label in reader.labels()] == [True]
        assert reader.facts()["blocks"] == ["*/no-such-folder/*", other]


def test_a_block_lifted_before_the_next_run_queues_its_urls_again(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "c"

    async def crawl() -> tuple[int, int, int]:
        async with homing.open(WEB.topic, WEB.seeds, out=folder, pages=10, settings=settings) as crawl:
            assert await crawl.run() == "pages"
        async with homing.open(WEB.topic, WEB.seeds, out=folder, pages=10, settings=settings) as crawl:
            assert crawl.resumed
            removed = await crawl.block("http://*")
        async with homing.open(WEB.topic, WEB.seeds, out=folder, pages=20, settings=settings) as crawl:
            queued = await crawl.unblock("http://*")
            return removed, queued, len([visit async for visit in crawl.visits()])

    removed, queued, visited = asyncio.run(crawl())
    assert removed == queued > 0
    assert visited == 10


def test_leaving_the_block_within_the_loop_stops_the_crawl_cleanly(
    settings: Settings, tmp_path: Path
) -> None:
    settings["fetch"]["concurrency"] = 16
    folder = tmp_path / "c"

    async def crawl() -> None:
        async with homing.open(WEB.topic, WEB.seeds, out=folder, settings=settings) as crawl:
            async for visit in crawl.visits():
                if visit.step == 5:
                    break

    asyncio.run(crawl())
    assert reason(folder) == "left"
    with Reader(folder) as reader:
        before = [row.url for row in reader.pages()]
    more = homing.crawl_sync(WEB.topic, WEB.seeds, out=folder, pages=len(before) + 20, settings=settings)
    after = [visit.entry.url for visit in more]
    assert len(after) >= 10
    assert not {*before} & {*after}


def test_an_error_in_the_block_stops_the_crawl_and_comes_out(settings: Settings, tmp_path: Path) -> None:
    async def crawl() -> None:
        async with homing.open(WEB.topic, WEB.seeds, out=tmp_path / "c", settings=settings) as crawl:
            async for visit in crawl.visits():
                if visit.step == 3:
                    await crawl.set_pace(delay=-1)

    with pytest.raises(UsageError, match="delay must be at least 0, not -1"):
        asyncio.run(crawl())
    assert reason(tmp_path / "c") == "left"


def test_a_crawl_that_cannot_be_opened_leaves_nothing_behind(tmp_path: Path) -> None:
    async def crawl() -> None:
        async with homing.open("moths", [], out=tmp_path / "c"):
            raise AssertionError("opened")

    with pytest.raises(UsageError, match="no seeds"):
        asyncio.run(crawl())
    assert not (tmp_path / "c").exists()
