"""The index follows the catalog, whatever happens in between."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from homing.crawler.index import catch_up as indexing
from homing.crawler.index import thread as indexer
from homing.crawler.index.catch_up import catch_up, rebuild
from homing.errors import FolderError, LockedError
from homing.model import Entry, Reply, Standing
from homing.ports import NewVisit
from homing.store.folder import Layout, open_catalog
from homing.store.index import IndexedPage, Search, Writer, held
from homing.store.views.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawler.conftest import Folder, Serve, SmallWeb

SEED = "http://a.example/"
OFF = {"index": False}


def fill(small: SmallWeb) -> None:
    """A seed, five pages, one of which wants not to be found, and one that is not there."""
    links = [*(f"/{number}" for number in range(5)), "/secret", "/missing"]
    small.page(SEED, *links, text="All about butterfly gardening")
    for number in range(5):
        small.page(f"http://a.example/{number}", "/", text=f"Butterfly number{number} in the garden")
    small.page("http://a.example/secret", text="Hush", head="<meta name=robots content=noindex>")


def found(root: Path, query: str) -> list[str]:
    return sorted(hit.url for hit in Search(root).search(query, limit=100).hits)


def everything(root: Path) -> dict[str, IndexedPage]:
    search = Search(root)
    return {hit.url: search.page_text(hit.url) for hit in search.search("", limit=100).hits}


def test_what_a_crawl_has_kept_is_found_when_it_ends(small: SmallWeb, folder: Folder) -> None:
    fill(small)
    folder.run(SEED)
    assert found(folder.root, "number3") == ["http://a.example/3"]
    assert len(everything(folder.root)) == 6
    assert found(folder.root, "hush") == []


def test_only_pages_whose_bodies_were_kept_are_found(small: SmallWeb, folder: Folder) -> None:
    small.page(SEED, "/moth", text="Butterfly gardening for beginners: butterfly plants in a garden")
    small.page("http://a.example/moth", text="The stock market fell again, and banks with it")
    folder.run(SEED, store={"keep": "relevant"})
    assert folder.figures()["fetched"] == 2
    assert list(everything(folder.root)) == [SEED]


def test_a_crawl_without_an_index_gets_one_when_it_is_searched(small: SmallWeb, folder: Folder) -> None:
    fill(small)
    folder.run(SEED, store=OFF)
    assert not Layout(folder.root).index.exists()
    told: list[int] = []
    catch_up(folder.root, command="test", tell=told.append)
    assert told == [8]
    assert found(folder.root, "number3") == ["http://a.example/3"]


def test_a_long_way_is_caught_up_with_in_portions(
    small: SmallWeb, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(small)
    folder.run(SEED, store=OFF)
    monkeypatch.setattr(indexing, "PORTION", 2)
    catch_up(folder.root, command="test")
    assert len(everything(folder.root)) == 6
    rebuild(folder.root, command="test")
    assert len(everything(folder.root)) == 6


def test_pages_are_found_while_the_crawl_runs(
    small: SmallWeb, folder: Folder, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexer, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(indexer, "LOOKS_A_COMMIT", 1)
    for number in range(100):
        links = f"/{number + 1}"
        small.page(f"http://a.example/{number}", links, text=f"Butterfly number{number}", seconds=0.1)

    async def crawl() -> bool:
        async with serve(small):
            opened = folder.open("http://a.example/0")
            try:
                async with aclosing(opened.visits()) as visits:
                    async for _ in visits:
                        if held(Layout(folder.root).index) and found(folder.root, "number0"):
                            return True
                return False
            finally:
                opened.close()

    assert asyncio.run(crawl())
    assert folder.figures()["stop_reason"] == "left"


def test_going_on_takes_in_what_an_earlier_run_has_committed_and_not_indexed(
    small: SmallWeb, folder: Folder
) -> None:
    fill(small)
    folder.run(SEED, stop={"pages": 3})
    folder.run(SEED, stop={"pages": 5}, store=OFF)  # as if killed between the two commits
    assert len(everything(folder.root)) == 3
    folder.run(SEED, stop={"pages": 100}, store={"index": True})
    assert len(everything(folder.root)) == 6


def test_a_rebuilt_index_is_equal_and_knows_the_words_of_all_links(small: SmallWeb, folder: Folder) -> None:
    for number, other in ((1, 2), (2, 1)):
        links = f'<a href="/3">anchor{number}</a> <a href="/{other}">other</a>'
        small.page(f"http://a.example/{number}", html=f"<title>{number}</title><p>Butterflies {links}</p>")
    small.page("http://a.example/3", text="Butterfly gardening")
    folder.run("http://a.example/1")
    before = everything(folder.root)
    assert len(before) == 3
    by_anchor = [found(folder.root, f"anchor{number}") for number in (1, 2)]
    assert sorted(map(len, by_anchor)) == [1, 2]  # on its own page, and of one of them the page it leads to
    rebuild(folder.root, command="test")
    assert everything(folder.root) == before
    for number in (1, 2):
        assert found(folder.root, f"anchor{number}") == [f"http://a.example/{number}", "http://a.example/3"]
    catch_up(folder.root, command="test")
    assert everything(folder.root) == before


def test_an_index_that_is_ahead_of_the_catalog_is_cleared(small: SmallWeb, folder: Folder) -> None:
    fill(small)
    folder.run(SEED)
    stray = replace(everything(folder.root)[SEED], url="http://stray.example/", text="stray")
    with Writer(Layout(folder.root).index, command="test") as writer:
        writer.put(1_000, stray, [])
        writer.commit(1_000)
    assert found(folder.root, "stray") == ["http://stray.example/"]
    catch_up(folder.root, command="test")
    assert found(folder.root, "stray") == []
    assert len(everything(folder.root)) == 6


@pytest.mark.parametrize(("status", "standing"), [(410, Standing.DONE), (301, Standing.REDIRECTED)])
def test_a_page_that_has_gone_leaves_the_index(
    small: SmallWeb, folder: Folder, status: int, standing: Standing
) -> None:
    fill(small)
    folder.run(SEED)
    gone = "http://a.example/3"
    visit_again(folder.root, gone, Reply(url=gone, final_url=gone, status=status, requested_at=2e9), standing)
    catch_up(folder.root, command="test")
    assert gone not in everything(folder.root)
    assert len(everything(folder.root)) == 5


def test_a_page_that_has_changed_is_found_by_its_new_words(small: SmallWeb, folder: Folder) -> None:
    fill(small)
    folder.run(SEED)
    url = "http://a.example/3"
    headers = (("Content-Type", "text/html"),)
    body = b"<p>Butterfly renamed in the garden</p>"
    reply = Reply(url=url, final_url=url, status=200, headers=headers, body=body, requested_at=2e9)
    visit_again(folder.root, url, reply, Standing.DONE)
    catch_up(folder.root, command="test")
    assert found(folder.root, "renamed") == [url]
    assert found(folder.root, "number3") == []


def test_an_index_that_is_up_to_date_is_left_alone_and_one_that_is_not_is_locked(
    small: SmallWeb, folder: Folder
) -> None:
    fill(small)
    folder.run(SEED)
    with Writer(Layout(folder.root).index, command="homing crawl"):
        catch_up(folder.root, command="homing search")
    folder.run(SEED, "http://a.example/new", store=OFF)
    with (
        Writer(Layout(folder.root).index, command="homing crawl"),
        pytest.raises(LockedError, match="homing crawl"),
    ):
        catch_up(folder.root, command="homing search")


def test_trouble_with_the_index_is_reported_and_does_not_stop_the_crawl(
    small: SmallWeb, folder: Folder
) -> None:
    fill(small)
    folder.root.mkdir()
    open_catalog(folder.root, strategy="breadth-first", judge="keywords", wall=lambda: 0.0).close()
    Layout(folder.root).index.write_text("in the way")
    assert folder.run(SEED) == "frontier empty"
    events = [json.loads(line) for line in Layout(folder.root).log.read_text().splitlines()]
    (trouble,) = [event for event in events if event["event"] == "index"]
    assert "cannot be written" in trouble["detail"]


def test_a_folder_that_is_no_crawl_is_refused_and_left_alone(tmp_path: Path) -> None:
    for make in (catch_up, rebuild):
        with pytest.raises(FolderError, match="holds no crawl"):
            make(tmp_path, command="test")
    assert list(tmp_path.iterdir()) == []


def visit_again(root: Path, url: str, reply: Reply, standing: Standing) -> None:
    """As a crawl would that comes by later."""
    with Reader(root) as reader:
        entry: Entry | None = reader.find(url)
        row = reader.visit(entry.seq) if entry else None
    assert entry
    assert row
    store = open_catalog(root, strategy="breadth-first", judge="keywords", wall=lambda: 2e9)
    store.keep(NewVisit(reply=reply, entry=entry, step=1_000, standing=standing))
    store.commit()
    store.close()
