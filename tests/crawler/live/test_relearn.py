"""Pages are called right or wrong while a crawl runs, and judge and frontier follow."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from homing.crawler.crawl import Crawl
from homing.model import Page, Standing
from homing.store.archive.warc import file_name
from homing.store.inbox import Inbox
from homing.store.views.reader import Reader
from homing.urls import key

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, Serve, SmallWeb

SEED = "http://seed.example/"
WORDS = {
    "cat": "jungle prey river spotted hunts cubs rainforest claws fur territory deer swims Amazon night paws",
    "car": "engine motor wheels dealer saloon gearbox petrol racing coupe leather brakes tyres Coventry",
}
COUNT = 6
SECTIONS: dict[str, dict[str, object]] = {
    "topic": {"text": "jaguar"},
    "strategy": {"name": "link-context"},
    "fetch": {"concurrency": 1},
    "stop": {"pages": 1 + 2 * COUNT},
}


def url_of(kind: str, number: int) -> str:
    return f"http://{kind}s.example/{number}"


def ambiguous_web(small: SmallWeb) -> None:
    """Pages on the cat and pages on the car, all of which speak of jaguars, and each leads to its like."""
    first = [url_of(kind, number) for number in range(COUNT) for kind in ("car", "cat")]
    links = "".join(f'<li><a href="{url}">jaguar</a></li>' for url in first)
    small.page(SEED, html=f"<title>Jaguars</title><ul>{links}</ul>")
    for kind, words in WORDS.items():
        for number in range(3 * COUNT):
            dice = random.Random(f"{kind}{number}")
            text = " ".join(f"The jaguar {' '.join(dice.choices(words.split(), k=8))}." for _ in range(30))
            link = f'<a href="{url_of(kind, number + COUNT)}">{" ".join(words.split()[:6])}</a>'
            title = f"Jaguar {kind} {number}"
            small.page(url_of(kind, number), html=f"<title>{title}</title><p>{text}</p><p>{link}</p>")


async def until(true: Callable[[], object], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.02)


class Standstill:
    """A paused crawl that takes commands."""

    def __init__(self, opened: Crawl, inbox: Inbox) -> None:
        self.engine = opened._engine
        self._inbox = inbox

    async def send(self, kind: str, **payload: object) -> str:
        """Send a command, and return its result."""
        number = self._inbox.send(kind, payload)
        await until(lambda: self._inbox.answer(number) is not None)
        return self._inbox.answer(number) or ""

    async def label(self, **kinds: bool) -> None:
        """Call two pages of each kind right or wrong, the first that were fetched."""
        numbers = [
            self._inbox.send("label", {"url": url, "relevant": relevant})
            for kind, relevant in kinds.items()
            for url in self.fetched(kind)[:2]
        ]
        await until(lambda: all(self._inbox.answer(number) == "done" for number in numbers))

    def fetched(self, kind: str) -> list[str]:
        frontier = self.engine.parts.frontier
        seqs = (
            (url, frontier.urls.seq_of(key(url))) for url in (url_of(kind, number) for number in range(18))
        )
        return [
            url for url, seq in seqs if seq is not None and frontier.urls.standing_of(seq) is Standing.DONE
        ]

    def waiting(self) -> list[str]:
        """Queued URLs, best first."""
        store = self.engine.parts.store
        return [store.entry(seq).url for seq in self.engine.parts.frontier.head(100)]


Steer = Callable[[Standstill], Awaitable[None]]


def standstill(folder: Folder, serve: Serve, steer: Steer, **sections: dict[str, object]) -> str:
    """Resume a paused crawl, steer it, and let it run on unless it was stopped."""

    async def crawl() -> str:
        async with serve(folder.small):
            opened = folder.open(SEED, **sections)
            with closing(Inbox(folder.root)) as inbox:
                try:
                    opened._engine.requests.paused = True
                    running = asyncio.create_task(opened.run())
                    await steer(Standstill(opened, inbox))
                    opened._engine.requests.paused = False
                    return await asyncio.wait_for(running, 20)
                finally:
                    opened.close()

    return asyncio.run(crawl())


@pytest.fixture
def crawled(small: SmallWeb, folder: Folder) -> Folder:
    """All first pages are fetched; the pages they lead to are queued."""
    ambiguous_web(small)
    assert folder.run(SEED, **SECTIONS) == "pages"
    assert folder.figures()["relevant"] == 1 + 2 * COUNT
    return folder


def verdicts(folder: Folder) -> dict[str, bool]:
    with Reader(folder.root) as reader:
        return {row.url: row.relevant for row in reader.pages() if row.url != SEED and row.status == 200}


def more(pages: int) -> dict[str, dict[str, object]]:
    return SECTIONS | {"stop": {"pages": pages}}


def test_labels_change_verdicts_and_the_order_of_the_frontier(crawled: Folder, serve: Serve) -> None:
    async def steer(crawl: Standstill) -> None:
        mixed = ["cars" in url for url in crawl.waiting()]
        assert mixed != sorted(mixed)
        await crawl.label(cat=True, car=False)
        answer = await crawl.send("relearn")
        assert answer.startswith("trained on 2 right and 2 wrong; of 13 pages, 0 became relevant and ")
        assert url_of("car", 1) in answer
        assert crawl.waiting() == sorted(crawl.waiting(), key=lambda url: "cars" in url)
        entries = [crawl.engine.parts.store.entry(seq) for seq in crawl.engine.parts.frontier.head(1)]
        why = crawl.engine.parts.frontier.urls.current(entries[0]).why
        assert [name for name, _ in why] == ["page", "context"]

    assert standstill(crawled, serve, steer, **more(1 + 3 * COUNT)) == "pages"
    found = verdicts(crawled)
    assert {url for url, relevant in found.items() if relevant} == {url for url in found if "cats" in url}
    # The first pages fetched afterwards are the cats.
    assert all("cats" in url for url in crawled.pages()[1 + 2 * COUNT :][:COUNT])
    assert '"relearnt"' not in (crawled.root / "crawl.log").read_text()
    assert "relearn: trained on 2 right" in (crawled.root / "crawl.log").read_text()
    with Reader(crawled.root) as reader:
        assert reader.facts()["judge"] == "examples"
        assert reader.facts()["relearnt"] == {
            "times": 1,
            "step": 1 + 2 * COUNT,
            "to_relevant": 0,
            "to_irrelevant": COUNT + 1,  # the seed has nothing to say of cats
        }
        assert reader.figures()["relevant"] == sum(found.values())


def test_a_stop_after_learning_changes_nothing(small: SmallWeb, crawled: Folder, serve: Serve) -> None:
    """The same crawl twice: one continues at once, one is stopped and resumed."""
    orders: list[list[str]] = []

    async def learn(crawl: Standstill) -> None:
        await crawl.label(cat=True, car=False)
        assert (await crawl.send("relearn")).startswith("trained")
        orders.append(crawl.waiting())

    async def learn_and_stop(crawl: Standstill) -> None:
        await learn(crawl)
        crawl.engine.stop("enough for now")

    async def look(crawl: Standstill) -> None:
        orders.append(crawl.waiting())
        assert crawl.engine.parts.reader.judge(Page(url=SEED)).judge == "examples"

    other = type(crawled)(small, crawled.root.with_name("other"))
    assert other.run(SEED, **SECTIONS) == "pages"
    everything = more(1 + 6 * COUNT)
    standstill(other, serve, learn, **everything)
    standstill(crawled, serve, learn_and_stop, **everything)
    standstill(crawled, serve, look, **everything)
    assert orders[0] == orders[1] == orders[2]
    assert crawled.pages() == other.pages()
    with Reader(crawled.root) as mine, Reader(other.root) as theirs:
        assert [row.score for row in mine.pages()] == [row.score for row in theirs.pages()]


def test_relearning_that_a_stop_has_cut_short_is_done_by_the_next_run(crawled: Folder, serve: Serve) -> None:
    async def leave(crawl: Standstill) -> None:
        await crawl.label(cat=True, car=False)
        crawl._inbox.send("relearn", {})
        await until(lambda: crawl.engine.chores)
        crawl.engine.stop("enough for now")

    async def wait(crawl: Standstill) -> None:
        await until(lambda: (crawl._inbox.answer(5) or "").startswith("trained on 2 right"))
        crawl.engine.stop("enough")

    standstill(crawled, serve, leave, **more(100))
    standstill(crawled, serve, wait, **more(100))
    assert not verdicts(crawled)[url_of("car", 3)]


def test_labels_can_train_the_judge_without_a_command(crawled: Folder, serve: Serve) -> None:
    async def steer(crawl: Standstill) -> None:
        await crawl.label(cat=True, car=False)
        await until(lambda: not crawl.engine.chores)
        crawl.engine.stop("enough")

    standstill(crawled, serve, steer, **more(100), judge={"relearn_every": 4})
    assert not verdicts(crawled)[url_of("car", 3)]
    assert '"relearnt","detail":"trained on 2 right and 2 wrong' in (crawled.root / "crawl.log").read_text()


def test_unusable_labels_are_reported_and_change_nothing(crawled: Folder, serve: Serve) -> None:
    async def steer(crawl: Standstill) -> None:
        assert (await crawl.send("relearn")).startswith("not trained: no labelled page has its text")
        await crawl.label(car=False)
        assert "needs pages on the topic" in await crawl.send("relearn")
        crawl.engine.stop("enough")

    standstill(crawled, serve, steer, **more(100))
    assert all(verdicts(crawled).values())
    assert not (crawled.root / "taught.jsonl").exists()


def test_inherited_scent_is_passed_on_again(small: SmallWeb, folder: Folder, serve: Serve) -> None:
    """Shark-search keeps what a link inherits in the URL's memo: that too is of the new judge."""
    ambiguous_web(small)
    sections = SECTIONS | {"strategy": {"name": "shark-search"}}
    folder.run(SEED, **sections)

    def memo(crawl: Standstill, url: str) -> bytes:
        store, frontier = crawl.engine.parts.store, crawl.engine.parts.frontier
        return next(store.entry(seq).memo for seq in frontier.head(100) if store.entry(seq).url == url)

    async def steer(crawl: Standstill) -> None:
        before = memo(crawl, url_of("car", COUNT))
        await crawl.label(cat=True, car=False)
        await crawl.send("relearn")
        assert memo(crawl, url_of("car", COUNT)) != before
        crawl.engine.stop("seen")

    standstill(folder, serve, steer, **(sections | {"stop": {"pages": 100}}))


@pytest.mark.parametrize("strategy", ["otie", "navigational-rank", "memm"])
def test_every_kind_of_strategy_can_relearn(
    small: SmallWeb, folder: Folder, serve: Serve, strategy: str
) -> None:
    ambiguous_web(small)
    sections = SECTIONS | {"strategy": {"name": strategy}}
    folder.run(SEED, **sections)

    async def steer(crawl: Standstill) -> None:
        waiting = crawl.waiting()
        await crawl.label(cat=True, car=False)
        assert (await crawl.send("relearn")).startswith("trained on 2 right")
        assert sorted(crawl.waiting()) == sorted(waiting)

    standstill(folder, serve, steer, **(sections | {"stop": {"pages": 1 + 6 * COUNT}}))
    assert len(folder.pages()) == 1 + 6 * COUNT
    found = verdicts(folder)
    assert sum("cars" in url for url, relevant in found.items() if relevant) == 0
    assert sum("cats" in url for url, relevant in found.items() if relevant) > COUNT


def test_a_damaged_record_is_left_out_and_counted(crawled: Folder, serve: Serve) -> None:
    with closing(sqlite3.connect(crawled.root / "crawl.db")) as db:
        query = "SELECT warc_offset FROM visits JOIN urls USING (seq) WHERE url = ?"
        ((offset,),) = db.execute(query, (url_of("car", 3),))
    with (crawled.root / "warc" / file_name(1)).open("r+b") as archive:
        archive.seek(offset + 100)
        archive.write(b"damaged")

    async def steer(crawl: Standstill) -> None:
        await crawl.label(cat=True, car=False)
        answer = await crawl.send("relearn")
        assert "of 12 pages" in answer
        assert f"1 archived page was left out: {crawled.root}" in answer
        assert "--mend" in answer

    assert standstill(crawled, serve, steer, **more(1 + 3 * COUNT)) == "pages"
