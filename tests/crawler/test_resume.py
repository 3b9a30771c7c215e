"""Going on with a crawl: after a clean stop as if there had been none, after a crash without a loss."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from homing.crawler.progress import Limits
from homing.crawler.view import SITEMAPS_FIRST, CrawlView
from homing.errors import OldStateError
from homing.frontier.frontier import Frontier
from homing.model import Priority, Proposal, Ranking, State, Visit, Why
from homing.ports import Store, View
from homing.steps import KeepBetter
from homing.store.folder import open_catalog
from homing.store.memory import MemoryStore
from homing.strategies import Strategy
from homing.urls import key

if TYPE_CHECKING:
    from tests.crawler.conftest import Build, Folder, Run, Serve, SmallWeb

SEED = "http://a.example/0"
WIDTH = 60


class Pupil(Strategy):
    """Remembers what it was shown; with each page its mind on what waits may change."""

    name = "pupil"

    def __init__(self, rerank_every: int = 0, *, is_newer: bool = False) -> None:
        self.rerank_every = rerank_every
        self.is_newer = is_newer
        self.seen: list[str] = []
        self.links: list[int] = []
        self.whys: list[Why] = []
        """Why each page was taken; forgotten at a stop."""

    def learn(self, visit: Visit) -> None:
        self.seen.append(visit.entry.url)
        self.whys.append(visit.entry.why)
        self.links.append(len(visit.page.links))

    def score(self, visit: Visit) -> Iterator[Proposal]:
        for link in visit.page.links:
            why = (("link", 1.0),)
            yield Proposal(url=link.url, priority=Priority(tier=1), memo=link.anchor.encode(), why=why)

    def rerank(self, view: View) -> Ranking:
        keys = view.keys(view.waiting())
        scores = ((keys >> 9) % (97 + len(self.seen))).astype(np.float64)
        tiers = np.ones(len(keys), dtype=np.int32)
        return Ranking(keys=keys, tiers=tiers, scores=scores, parts={"mood": scores})

    def state(self) -> State:
        return {"seen": self.seen, "links": self.links}

    def restore(self, state: State) -> None:
        if self.is_newer:
            raise OldStateError("another version")
        seen, links = state["seen"], state["links"]
        assert isinstance(seen, list)
        assert isinstance(links, list)
        self.seen, self.links = list(seen), list(links)


@pytest.fixture(autouse=True)
def wide(small: SmallWeb) -> None:
    """A page with many links, each to a page with two more."""
    small.page(SEED, *(f"/{number}" for number in range(1, WIDTH)))
    for number in range(1, 2 * WIDTH):
        small.page(f"http://a.example/{number}", f"/{number + 1}", f"/{(number * 7) % (2 * WIDTH)}")


Stores = Callable[[str], Store]


@pytest.fixture(params=["memory", "catalog"])
def store_of(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    """The same store again by its name, in memory or reopened from the disk."""
    kept: dict[str, MemoryStore] = {}
    opened: list[Store] = []

    def reopen(name: str) -> Store:
        if request.param == "memory":
            return kept.setdefault(name, MemoryStore())
        for store in opened:
            store.close()
        opened[:] = [open_catalog(tmp_path / name, strategy="pupil", judge="keywords", wall=lambda: 1.7e9)]
        return opened[0]

    yield reopen
    for store in opened:
        store.close()


def crawl(
    small: SmallWeb, build: Build, run: Run, store: Store, pages: int, rerank_every: int = 0
) -> tuple[list[str], Pupil]:
    """Go on until there are so many pages; what this run asked for, and its strategy at the end."""
    small.log.clear()
    strategy = Pupil(rerank_every)
    run(lambda: build(strategy, store, [SEED], limits=Limits(concurrency=1, pages=pages)))
    return small.asked(), strategy


def test_what_another_version_has_saved_is_learnt_anew_from_all_pages(
    small: SmallWeb, build: Build, run: Run, store_of: Stores
) -> None:
    before, _ = crawl(small, build, run, store_of("one"), 10)
    strategy = Pupil(is_newer=True)
    run(lambda: build(strategy, store_of("one"), [SEED], limits=Limits(concurrency=1, pages=15)))
    assert strategy.seen[:10] == before
    assert len(strategy.seen) == len(set(strategy.seen)) == 15


def test_after_a_clean_stop_nothing_is_learnt_twice(
    small: SmallWeb, build: Build, run: Run, store_of: Stores
) -> None:
    first, _ = crawl(small, build, run, store_of("a"), 7)
    second, pupil = crawl(small, build, run, store_of("a"), 12)
    assert pupil.seen == [*first, *second]
    assert len(pupil.seen) == 12


def test_after_a_crash_the_visits_since_the_saved_state_are_learnt_again(
    small: SmallWeb, build: Build, run: Run, store_of: Stores
) -> None:
    store = store_of("a")
    first, pupil = crawl(small, build, run, store, 7)
    # As a crash leaves it: all visits are committed, but the state was last saved at the third.
    store.save_strategy(3, {"seen": pupil.seen[:3], "links": pupil.links[:3]})
    store.commit()
    second, again = crawl(small, build, run, store_of("a"), 12)
    assert again.seen == [*first, *second]
    assert again.links[:7] == pupil.links  # the pages were read again from the archive


def test_a_crash_before_any_state_was_saved_teaches_everything_again(
    small: SmallWeb, build: Build, run: Run
) -> None:
    store = MemoryStore()
    first, _ = crawl(small, build, run, store, 7)
    store._strategy = None
    second, again = crawl(small, build, run, store, 9)
    assert again.seen == [*first, *second]


@pytest.mark.parametrize("stops", [(6,), (5,), (6, 7), (1, 2, 3, 11, 12, 13)])
def test_a_crawl_that_reranks_is_the_same_with_and_without_stops(
    small: SmallWeb, build: Build, run: Run, store_of: Stores, stops: tuple[int, ...]
) -> None:
    whole, pupil = crawl(small, build, run, store_of("whole"), 24, rerank_every=5)
    assert {name for why in pupil.whys for name, _ in why} == {"seed", "link", "mood"}
    parts: list[str] = []
    whys: list[Why] = []
    for pages in (*stops, 24):
        asked, woken = crawl(small, build, run, store_of("parts"), pages, rerank_every=5)
        parts += asked
        whys += woken.whys
    assert parts == whole
    assert whys == pupil.whys
    unranked, _ = crawl(small, build, run, store_of("unranked"), 24)
    assert unranked != whole  # or nothing has been shown


def test_after_a_crash_a_strategy_that_reranks_does_so_again(
    small: SmallWeb, build: Build, run: Run, store_of: Stores
) -> None:
    whole, _ = crawl(small, build, run, store_of("whole"), 14, rerank_every=5)
    store = store_of("crashed")
    first, pupil = crawl(small, build, run, store, 10, rerank_every=5)
    store.save_strategy(8, {"seen": pupil.seen[:8], "links": pupil.links[:8]})
    store.ranking()  # a crash saves none
    store.commit()
    second, _ = crawl(small, build, run, store_of("crashed"), 14, rerank_every=5)
    assert [*first, *second] == whole


def test_a_url_that_waits_for_another_attempt_keeps_the_rank_it_was_given() -> None:
    frontier = Frontier(delay=0.0)
    store = MemoryStore()
    urls = [f"http://{host}.example/" for host in "ab"]
    frontier.offer([(key(url), Proposal(url=url)) for url in urls], KeepBetter(), store.entry)
    lease = frontier.lease(0.0)
    assert lease is not None
    frontier.release(lease.seq, 0.0)
    frontier.postpone(lease.seq, 10.0)
    keys = np.array([key(url) for url in urls], dtype=np.int64)
    scores = np.array([0.25, 0.75])
    given = Ranking(keys=keys, tiers=np.zeros(2, dtype=np.int32), scores=scores, parts={"mood": scores})
    frontier.overwrite(given)
    saved = frontier.urls.ranking()
    assert dict(zip(saved.keys.tolist(), saved.scores.tolist(), strict=True)) == {
        keys[0]: 0.25,
        keys[1]: 0.75,
    }


def test_a_re_rank_leaves_sitemaps_first() -> None:
    frontier, store = Frontier(delay=0.0), MemoryStore()
    page, sitemap = "http://a.example/", "http://b.example/map.xml"
    offered = [Proposal(url=page), Proposal(url=sitemap, priority=SITEMAPS_FIRST)]
    frontier.offer([(key(each.url), each) for each in offered], KeepBetter(), store.entry)
    waiting = CrawlView(frontier, store).waiting()
    assert waiting.tolist() == [frontier.urls.seq_of(key(page))]


def test_what_is_to_be_tried_again_later_is_so_after_a_stop_too(
    small: SmallWeb, folder: Folder, serve: Serve
) -> None:
    small.page("http://b.example/", status=503)
    small.page("http://c.example/", seconds=0.3)
    seeds = ("http://b.example/", "http://c.example/")
    slow = {"retry_base_seconds": 30.0}

    async def first() -> None:
        async with serve(small):
            opened = folder.open(*seeds, fetch=slow | {"connect_to": small.address})
            try:
                running = asyncio.create_task(opened.run())
                while "http://b.example/" not in small.asked():
                    await asyncio.sleep(0.01)
                await asyncio.sleep(0.1)
                opened.stop("interrupted")
                await running
            finally:
                opened.close()

    asyncio.run(first())
    assert folder.failure("http://b.example/") == ("http", "503")
    small.log.clear()
    assert folder.run(*seeds, stop={"minutes": 0.7 / 60}) == "minutes"
    assert small.asked() == []


def test_figures_go_on_from_where_they_were(small: SmallWeb, folder: Folder) -> None:
    folder.run(SEED, stop={"pages": 4})
    before = folder.figures()
    folder.run(SEED, stop={"pages": 6})
    after = folder.figures()
    assert (before["fetched"], after["fetched"]) == (4, 6)
    assert float(str(after["seconds"])) > float(str(before["seconds"]))


def test_new_seeds_may_join_a_crawl_that_is_gone_on_with(small: SmallWeb, folder: Folder) -> None:
    small.page("http://new.example/")
    folder.run(SEED, stop={"pages": 2})
    folder.run(SEED, "http://new.example/", stop={"pages": 3})
    assert folder.pages()[2] == "http://new.example/"


def test_a_seed_that_failed_gets_another_chance_while_nothing_has_come(
    small: SmallWeb, folder: Folder
) -> None:
    folder.run(SEED, fetch={"connect_to": "127.0.0.1:1", "retries": 0})
    assert folder.failure(SEED) is not None
    assert folder.pages() == []
    folder.run(SEED, stop={"pages": 3})
    assert folder.pages()[0] == SEED
    assert folder.figures()["failed"] == {}
