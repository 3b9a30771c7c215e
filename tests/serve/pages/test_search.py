"""The search page: the results of homing search, in the browser."""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path

import httpx
import pytest
from tests.serve.serving import serving

from homing.store.index import Search
from homing.store.views.reader import Reader


def test_the_page_finds_what_the_index_finds(client: httpx.Client, crawled: Path) -> None:
    found = Search(crawled).search("butterfly nectar", limit=10)
    page = unescape(client.get("/search", params={"q": "butterfly nectar"}).text)
    places = [page.index(f'class="url" href="{hit.url}"') for hit in found.hits]
    assert len(places) == 10
    assert places == sorted(places)
    assert f"{found.total} pages" in page
    assert "<mark>" in page


def test_a_result_leads_to_its_page_its_text_and_pages_like_it(client: httpx.Client) -> None:
    page = client.get("/search?q=nectar").text
    for path in ("/page", "/text", "/similar"):
        link = re.search(rf'href="({path}\?url=[^"]+)"', page)
        assert link, path
        assert client.get(unescape(link[1]), follow_redirects=True).status_code == 200


def test_results_continue_over_pages(client: httpx.Client, crawled: Path) -> None:
    hits = [hit.url for hit in Search(crawled).search("garden", limit=25).hits]
    seen = list[str]()
    path = "/search?q=garden"
    for _ in range(3):
        page = client.get(path).text
        seen += map(unescape, re.findall(r'<p><a class="url" href="([^"]+)"', page))
        onward = re.search(r'<a href="([^"]+)" rel="next"', page)
        path = unescape(onward[1]) if onward else ""
    assert seen[:25] == hits


def test_filters_without_words_list_pages(client: httpx.Client, crawled: Path) -> None:
    with Reader(crawled) as reader:
        host = next(reader.pages()).url.split("/")[2]
    page = client.get("/search", params={"host": host, "sort": "date"}).text
    assert {url.split("/")[2] for url in re.findall(r'<p><a class="url" href="([^"]+)"', page)} == {host}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("q=%22moth", "quotation mark"),
        ("q=OR", "OR stands between"),
        ("q=-moth", "only says what to leave out"),
        ("q=titel:moth", "did you mean"),
        ("q=moth&score=2", "score must be from 0 to 1"),
        ("q=moth&score=nan", "score must be from 0 to 1"),
        ("q=moth&since=yesterday", "write a date like"),
        ("q=moth&until=9999-12-31", "write a date like"),
    ],
)
def test_a_query_that_makes_no_sense_is_reported_beside_the_form(
    client: httpx.Client, query: str, said: str
) -> None:
    page, document = client.get(f"/search?{query}"), client.get(f"/api/search?{query}")
    assert (page.status_code, document.status_code) == (400, 400)
    assert said in unescape(page.text)
    assert '<input id="q"' in page.text
    assert said in document.json()["detail"]


@pytest.mark.parametrize("path", ["/text", "/similar"])
def test_an_unknown_page_is_not_found(client: httpx.Client, path: str) -> None:
    for prefix in ("", "/api"):
        reply = client.get(prefix + path, params={"url": "http://unknown.example/"})
        assert reply.status_code == 404
        assert "is not in the index" in reply.text


def test_a_crawl_without_an_index_says_how_to_make_one(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(crawled, folder, ignore=shutil.ignore_patterns("index"))
    with serving(folder) as address:
        reply = httpx.get(f"{address}/search?q=moth")
        assert reply.status_code == 503
        assert "homing index" in reply.text
        assert httpx.get(f"{address}/api/search?q=moth").status_code == 503
        # Once it is there, it is searched.
        shutil.copytree(crawled / "index", folder / "index")
        assert httpx.get(f"{address}/search?q=moth").status_code == 200
