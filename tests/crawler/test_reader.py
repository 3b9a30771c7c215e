"""Steps 3 and 4: in this process, in workers, and in workers that have to be killed."""

from __future__ import annotations

import asyncio
import importlib
import os
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from homing.crawler import reader as reading
from homing.crawler.engine import Engine
from homing.crawler.events import Visited
from homing.crawler.progress import Limits
from homing.crawler.reader import BIG_PAGE, PageReader, Reader
from homing.crawler.requests import BYTES_A_LINK
from homing.demo.web.little_web import LittleWeb
from homing.demo.web_server import serve
from homing.fetch.body import BodyBudget
from homing.judge import JUDGES, Brief
from homing.model import Judgement, Page, Reading, Reply
from homing.parse import PageParser
from homing.store.memory import MemoryStore
from homing.store.views.reader import Reader as CatalogReader
from homing.strategies.breadth_first import BreadthFirst

if TYPE_CHECKING:
    from tests.crawler.conftest import Build, Folder, Run, SmallWeb

PARSERS = '''
import os, time
from pathlib import Path
from homing.parse import PageParser

class Noting(PageParser):
    """Notes which process read what."""
    def __init__(self, notes):
        super().__init__()
        self.notes = notes
    def read(self, reply, kind="page"):
        with open(self.notes, "a") as file:
            file.write(f"{os.getpid()} {kind} {reply.url}\\n")
        if b"hang here" in reply.body:
            time.sleep(600)
        if b"die here" in reply.body:
            os._exit(3)
        return super().read(reply, kind)
'''
"""A worker is another process: what it is to run must be importable there."""

FILLING = "<p>" + "lorem ipsum " * (BIG_PAGE // 12 + 1) + "</p>"
SEED = "http://a.example/"


@pytest.fixture
def parsers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "noting_parsers.py").write_text(PARSERS)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("noting_parsers")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes.txt"


def readers_of(notes: Path, url: str) -> list[int]:
    """Which processes have read a URL."""
    lines = [line.split() for line in notes.read_text().splitlines()]
    return [int(pid) for pid, _, read in lines if read == url]


def reader_of(language: str = "", workers: int = 0) -> Reader:
    judge = JUDGES.get("keywords")(Brief(text="butterfly gardening"))
    return Reader(PageParser(), judge, language=language, workers=workers)


def judged(html: str, language: str = "") -> Judgement:
    reader = reader_of(language)
    return reader.judge(reader.parse(reply(html), "page"))


def reply(html: str) -> Reply:
    return Reply(
        url=SEED, final_url=SEED, status=200, headers=(("Content-Type", "text/html"),), body=html.encode()
    )


ON_TOPIC = "<p>Butterfly gardening: nectar for every butterfly, and a garden full of butterflies.</p>" * 5


def test_a_page_in_another_language_is_not_relevant_and_says_why() -> None:
    page = f'<html lang="en">{ON_TOPIC}</html>'
    assert judged(page).relevant
    assert judged(page, "en").relevant
    other = judged(page, "de")
    assert (other.score, other.relevant, other.why) == (0.0, False, (("language en", 0.0),))


def test_a_country_in_the_wanted_language_changes_nothing() -> None:
    assert judged(f'<html lang="en-GB">{ON_TOPIC}</html>', "en-us").relevant


def test_a_page_whose_language_cannot_be_told_is_judged_by_its_words() -> None:
    title = "<title>Butterfly gardening</title>"
    assert reader_of().parse(reply(title), "page").language == ""
    assert judged(title, "de").score > 0


def test_only_pages_in_the_language_asked_for_are_relevant(small: SmallWeb, folder: Folder) -> None:
    small.page(SEED, "/en", "/de", head="<title>Start</title>")
    for code in ("en", "de"):
        small.page(f"http://a.example/{code}", html=f'<html lang="{code}">{ON_TOPIC}</html>')
    folder.run(SEED, scope={"language": "de"})
    with CatalogReader(folder.root) as reader:
        relevant = {row.url: row.relevant for row in reader.pages()}
    assert relevant == {SEED: False, "http://a.example/en": False, "http://a.example/de": True}


def test_a_sitemap_is_not_judged() -> None:
    inside = PageReader(parser=PageParser(), judge=JUDGES.get("keywords")(Brief(text="butterfly gardening")))
    assert inside.read(reply("http://a.example/1"), "sitemap").judgement is None


def test_what_a_worker_judged_counts_until_the_judge_is_replaced() -> None:
    reader = reader_of()
    page = reader.parse(reply(ON_TOPIC), "page")
    by_worker = Judgement(score=0.1, relevant=False, judge="keywords")
    reading = Reading(page=page, judgement=by_worker)
    assert reader.judge(page, reading) is by_worker
    reader.use(JUDGES.get("keywords")(Brief(text="butterfly gardening")))
    assert reader.judge(page, reading).relevant


def test_only_big_pages_go_to_a_worker(
    small: SmallWeb, build: Build, run: Run, parsers: ModuleType, notes: Path
) -> None:
    small.page(SEED, "/big", "/small")
    small.page("http://a.example/big", html=FILLING + '<a href="/behind">x</a>')
    small.page("http://a.example/small")
    small.page("http://a.example/behind")
    run(lambda: build(BreadthFirst(), MemoryStore(), [SEED], parser=parsers.Noting(notes)))
    assert set(small.asked()) == {f"http://a.example/{name}" for name in ("", "big", "small", "behind")}
    here = os.getpid()
    (worker,) = readers_of(notes, "http://a.example/big")
    assert worker != here
    assert [readers_of(notes, f"http://a.example/{name}") for name in ("", "small", "behind")] == [[here]] * 3


def test_what_a_worker_made_of_a_page_counts_in_the_budget_until_it_is_taken_in(
    small: SmallWeb, build: Build, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    granted: list[int] = []
    grant = BodyBudget.grant

    def note(budget: BodyBudget, holder: int, size: int) -> bool:
        granted.append(size)
        return grant(budget, holder, size)

    monkeypatch.setattr(BodyBudget, "grant", note)
    small.page(SEED, *(f"http://a.example/{number}" for number in range(3_000)))
    engines: list[Engine] = []

    def build_and_keep() -> Engine:
        limits = Limits(pages=1)
        engines.append(build(BreadthFirst(), MemoryStore(), [SEED], limits=limits))
        return engines[0]

    run(build_and_keep)
    assert max(granted) > 3_000 * BYTES_A_LINK
    assert engines[0].parts.budget.grant(7, 8 * 2**20), "nobody holds anything any more"


def test_a_page_that_takes_too_long_or_kills_its_worker_is_empty_and_the_crawl_goes_on(
    small: SmallWeb,
    build: Build,
    run: Run,
    parsers: ModuleType,
    notes: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "SECONDS_A_PAGE", 3.0)  # a worker needs one of them to start
    small.page(SEED, "/hang", "/die", "/big")
    small.page("http://a.example/hang", html=FILLING + "hang here <a href='/1'>x</a>")
    small.page("http://a.example/die", html=FILLING + "die here <a href='/2'>x</a>")
    small.page("http://a.example/big", html=FILLING + '<a href="/behind">x</a>')
    pages: dict[str, Page] = {}
    why: dict[str, object] = {}

    def build_and_listen() -> Engine:
        engine = build(BreadthFirst(), MemoryStore(), [SEED], parser=parsers.Noting(notes))

        def listen(event: object) -> None:
            if isinstance(event, Visited):
                pages[event.visit.entry.url] = event.visit.page
                why[event.visit.entry.url] = event.visit.judgement.why

        engine.listeners.append(listen)
        return engine

    assert run(build_and_listen) == "frontier empty"
    for name in ("hang", "die"):
        url = f"http://a.example/{name}"
        assert pages[url] == Page(url=url)
        assert why[url] == (("could not be parsed", 0.0),)
    assert [link.url for link in pages["http://a.example/big"].links] == ["http://a.example/behind"]
    asked = [f"http://a.example/{name}" for name in ("", "hang", "die", "big", "behind")]
    assert small.asked() == asked
    readers = [readers_of(notes, url)[0] for url in asked[1:4]]
    assert len(set(readers)) == 3  # each a process of its own, for the one before was ended
    for pid in readers:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_big_sitemap_too_is_read_by_a_worker_and_only_there(
    small: SmallWeb, build: Build, run: Run, parsers: ModuleType, notes: Path
) -> None:
    small.robots("http://a.example", "Sitemap: http://a.example/map.txt")
    lines = [f"http://a.example/{number:0250}" for number in range(BIG_PAGE // 250)]
    small.text("http://a.example/map.txt", "\n".join(lines), "text/plain")
    small.page(SEED)
    store = MemoryStore()
    limits = Limits(concurrency=1, pages=2)
    run(lambda: build(BreadthFirst(), store, [SEED], parser=parsers.Noting(notes), limits=limits))
    (worker,) = readers_of(notes, "http://a.example/map.txt")
    assert worker != os.getpid()
    assert len(store.known().keys) == len(lines) + 2


def test_two_workers_make_the_same_crawl_as_none(folder: Folder, tmp_path: Path) -> None:
    web = LittleWeb(1, pages=100, hosts=6)

    async def crawl(workers: int) -> list[tuple[str, float | None]]:
        async with serve(web) as server:
            folder.small.address, folder.root = server.address, tmp_path / f"crawl-{workers}"
            fetch = {"workers": workers, "concurrency": 1, "connect_to": server.address}
            opened = folder.open(*web.seeds, fetch=fetch, stop={"pages": 80})
            try:
                assert await opened.run() == "pages"
            finally:
                opened.close()
        with CatalogReader(folder.root) as reader:
            return [(row.url, row.score) for row in reader.pages()]

    assert asyncio.run(crawl(2)) == asyncio.run(crawl(0))


def test_workers_end_with_the_crawl() -> None:
    async def read() -> int:
        workers = reader_of(workers=1)
        try:
            result = await workers.read(reply(ON_TOPIC), "page")
            assert result.judgement is not None
            assert result.judgement.relevant
            worker = workers._places._queue[0]  # type: ignore[attr-defined]
            pid = worker._process.pid
            assert isinstance(pid, int)
            os.kill(pid, 0)
            return pid
        finally:
            workers.close()

    with pytest.raises(ProcessLookupError):
        os.kill(asyncio.run(read()), 0)
