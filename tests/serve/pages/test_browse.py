"""The tables of pages, hosts and failures, and one page with the picture of its links (``neighbourhood``)."""

from __future__ import annotations

import re
import time
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest
from tests.serve.conftest import HOSTILE_ANCHOR, HOSTILE_TITLE, PAGES
from tests.serve.serving import serving

from homing.crawler.index.catch_up import catch_up
from homing.serve.pages.neighbourhood import SIDE, WIDTH, draw
from homing.store.folder import open_catalog
from homing.store.views.browsing import Browser
from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader


def rows_of(crawled: Path) -> list[PageRow]:
    with Reader(crawled) as reader:
        return list(reader.pages())


def walk(client: httpx.Client, path: str) -> list[int]:
    """The numbers of the pages in a table, screen by screen by the link Next."""
    found = list[int]()
    while path:
        page = client.get(path).text
        found += map(int, re.findall(r'<th scope="row" class="wide"><a href="/pages/(\d+)"', page))
        onward = re.search(r'<a href="([^"]+)" rel="next"', page)
        path = unescape(onward[1]) if onward else ""
    return found


def test_the_newest_pages_come_first_and_each_once(client: httpx.Client, crawled: Path) -> None:
    assert walk(client, "/pages") == [row.seq for row in reversed(rows_of(crawled))]


def test_the_best_pages_come_first_and_each_once(client: httpx.Client, crawled: Path) -> None:
    judged = [row for row in rows_of(crawled) if row.score is not None]
    best = sorted(judged, key=lambda row: (-(row.score or 0.0), row.step))
    assert walk(client, "/pages?order=best") == [row.seq for row in best]


def test_filters_choose(client: httpx.Client, crawled: Path) -> None:
    rows = rows_of(crawled)
    relevant = [row.seq for row in reversed(rows) if row.relevant]
    assert walk(client, "/pages?verdict=relevant") == relevant
    assert sorted(walk(client, "/pages?verdict=other") + relevant) == sorted(row.seq for row in rows)
    host, count = Counter(row.url.split("/")[2] for row in rows).most_common(1)[0]
    assert len(walk(client, f"/pages?host={host.upper()}&answer=ok")) == count
    assert walk(client, "/pages?answer=error") == []


def test_a_filter_for_an_unknown_host_is_reported(client: httpx.Client) -> None:
    reply = client.get("/pages?host=nowhere.example")
    assert reply.status_code == 404
    assert "knows no host nowhere.example" in reply.text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/pages/999999", 404),
        ("/pages/99999999999999999999999", 404),
        ("/pages/-1", 404),
        ("/pages/x", 422),
        ("/pages?order=worst", 422),
        ("/pages?after=99999999999999999999999", 422),
        ("/page?url=http://unknown.example/", 404),
        ("/page?url=", 404),
        ("/page", 422),
        ("/hosts/unknown.example", 404),
        ("/hosts?start=-1", 422),
        ("/nothing", 404),
    ],
)
def test_what_is_not_there_is_reported_in_a_line(client: httpx.Client, path: str, status: int) -> None:
    page, document = client.get(path), client.get("/api" + path)
    assert page.status_code == status
    assert len(re.findall(r'<p class="message" role="alert" id="found"><bdi>[^<]+</bdi></p>', page.text)) == 1
    assert document.status_code in (404, 422)
    assert isinstance(document.json()["detail"], str)


def test_a_page_explains_itself(client: httpx.Client, crawled: Path) -> None:
    row = max(rows_of(crawled), key=lambda row: row.depth)
    with Reader(crawled) as reader:
        way = reader.way(row.seq)
    page = client.get("/page", params={"url": row.url}, follow_redirects=True)
    assert page.url.path == f"/pages/{row.seq}"
    text = unescape(page.text)
    places = [text.index(f'<a class="url" href="/pages/{stage.seq}">') for stage in way[:-1]]
    assert len(places) >= 3
    assert places == sorted(places)
    assert all(stage.anchor in text for stage in way[1:])
    for name, value in (*row.priority_why, *row.why[:15]):
        assert f'<bdi>{name}</bdi></th><td class="number">{value:+.3f}</td>' in text


def test_a_queued_url_has_a_page_too(client: httpx.Client, crawled: Path) -> None:
    with Reader(crawled) as reader:
        waiting = next(seq for seq, _ in reader.addresses() if not reader.visit(seq))
    page = client.get(f"/pages/{waiting}").text
    assert "<strong>Queued</strong>" in page
    assert "Its priority" in page


def test_neighbours_are_those_of_the_links(crawled: Path) -> None:
    with Browser(crawled) as browser:
        edges = list(browser.edges())
        popular, _ = Counter(target for _, target in edges).most_common(1)[0]
        sources = {source for source, target in edges if target == popular}
        assert {each.seq for each in browser.linking_to(popular)} == sources
        assert len(sources) > 3
        for seq, url in browser.addresses():
            assert {each.url for each in browser.linked_from(seq)} == set(browser.targets(seq)), url


def test_the_picture_has_the_best_neighbours_within_its_frame(crawled: Path) -> None:
    with Browser(crawled) as browser:
        for row in browser.pages():
            before, after = browser.linking_to(row.seq), browser.linked_from(row.seq)
            picture = draw(browser.neighbour(row.seq), before, after)
            others = [box for box in picture.boxes if not box.is_centre]
            assert len(others) == len(picture.lines) <= 2 * SIDE
            for box in picture.boxes:
                assert box.x > 0
                assert box.x + picture.box_width < WIDTH
                assert box.y - picture.box_height / 2 >= 0
                assert box.y + picture.box_height / 2 <= picture.height
            assert row.seq not in {box.seq for box in others}


def test_a_host_shows_its_pages_and_its_robots_txt(client: httpx.Client, crawled: Path) -> None:
    rows = rows_of(crawled)
    name, count = Counter(row.url.split("/")[2] for row in rows).most_common(1)[0]
    page = client.get(f"/hosts/{name}").text
    assert f"<dt>Fetched</dt><dd>{count}</dd>" in page
    assert "User-agent" in page
    assert (
        walk(client, f"/hosts/{name}")
        == [row.seq for row in reversed(rows) if row.url.split("/")[2] == name][:10]
    )
    assert f"/hosts/{name}" in client.get("/hosts").text


def test_failures_are_listed_by_kind(hostile: Path) -> None:
    with serving(hostile) as address, httpx.Client(base_url=address) as client:
        pages = client.get("/api/pages?answer=error").json()["pages"]
        assert [page["status"] for page in pages] == [410]
        assert client.get("/failures").status_code == 200
        assert "No failed attempts of this kind." in client.get("/failures?kind=dns").text


def test_hostile_titles_and_urls_stay_text(hostile: Path) -> None:
    with serving(hostile) as address, httpx.Client(base_url=address) as client:
        seqs = [page["seq"] for page in client.get("/api/pages").json()["pages"]]
        assert len(seqs) >= 2
        paths = ["/", "/pages", "/hosts", "/hosts/hostile.example", "/search?q=butterfly", "/failures"]
        paths += [f"/pages/{seq}" for seq in seqs]
        paths += ["/text?url=http://hostile.example/", "/similar?url=http://hostile.example/"]
        paths += ["/search?q=<script>alert(1)</script>", "/search?q=%22<img src=x>", "/page?url=<script>"]
        seen = ""
        for path in paths:
            page = client.get(path, follow_redirects=True).text
            tags = Tags()
            tags.feed(page)
            assert tags.suspicious == [], path
            seen += unescape(page)
        assert HOSTILE_TITLE in seen
        assert HOSTILE_ANCHOR in seen


class Tags(HTMLParser):
    """Finds what a page of ours never has: scripts and styles in the page, attributes that run, odd links."""

    def __init__(self) -> None:
        super().__init__()
        self.suspicious: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        source = given.get("src", "/static/")
        target = given.get("href", "/")
        if (
            (tag == "script" and "src" not in given)
            or not source.startswith("/static/")
            or not target.startswith(("/", "#", "http://"))
            or any(name.startswith("on") or name == "style" for name in given)
        ):
            self.suspicious.append(self.get_starttag_text() or tag)


def test_every_page_of_the_crawl_can_be_shown(client: httpx.Client) -> None:
    statuses = Counter(client.get(f"/pages/{seq}").status_code for seq in range(0, PAGES, 7))
    assert set(statuses) == {200}


def test_a_crawl_that_has_nothing_yet_can_be_looked_at(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    open_catalog(folder, strategy="link-context", judge="keywords", wall=time.time).close()
    catch_up(folder, command="test")
    with serving(folder) as address, httpx.Client(base_url=address) as client:
        for path in ("/", "/pages", "/hosts", "/failures", "/search?q=moth", "/api/series", "/metrics"):
            assert client.get(path).status_code == 200, path
        assert "No relevant page yet." in client.get("/").text
        assert client.get("/api/report").json()["harvest_rate"] == 0
