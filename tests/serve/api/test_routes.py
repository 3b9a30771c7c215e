"""The REST API with its ``schemas``, and the ``metrics``: the same figures for programs."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.serve.crawling import RunningCrawl
from tests.serve.serving import serving

from homing.cli import main
from homing.serve.api.metrics import CONTENT_TYPE
from homing.store.index import Search
from homing.store.views.reader import Reader


def printed(capfd: pytest.CaptureFixture[str], *words: object) -> Any:
    """What a command prints as JSON."""
    capfd.readouterr()
    with pytest.raises(SystemExit) as left:
        main([*map(str, words), "--json"])
    out, err = capfd.readouterr()
    assert not left.value.code, err
    return json.loads(out)


def test_the_report_is_that_of_the_command(
    client: httpx.Client, crawled: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    report = client.get("/api/report").json()
    assert printed(capfd, "report", crawled).items() <= report.items()
    assert (report["running"], report["paused"]) == (False, None)


def test_an_explanation_is_that_of_the_command(
    client: httpx.Client, crawled: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Reader(crawled) as reader:
        urls = [url for _, url in reader.addresses()]
    for url in (urls[0], urls[40], urls[-1]):
        explained = client.get("/api/explain", params={"url": url}).json()
        assert explained == printed(capfd, "explain", crawled, url)


def test_a_search_is_that_of_the_command_but_for_the_form_of_times(
    client: httpx.Client, crawled: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = client.get("/api/search", params={"q": "nectar", "limit": 5}).json()
    expected = printed(capfd, "search", crawled, "nectar", "--limit", 5)
    assert found["total"] == expected["total"]
    for ours, theirs in zip(found["results"], expected["results"], strict=True):
        assert {**ours, "fetched_at": None} == {**theirs, "fetched_at": None}


def test_a_page_as_text_and_pages_like_it_are_those_of_the_index(client: httpx.Client, crawled: Path) -> None:
    index = Search(crawled)
    url = index.search("nectar").hits[0].url
    assert client.get("/api/text", params={"url": url}).json()["text"] == index.page_text(url).text
    similar = client.get("/api/similar", params={"url": url, "limit": 3}).json()["results"]
    assert [hit["url"] for hit in similar] == [hit.url for hit in index.similar(url, limit=3).hits]


def test_the_frontier_of_a_crawl_that_is_not_running_is_null(client: httpx.Client) -> None:
    assert client.get("/api/frontier").json() is None


def test_the_frontier_of_a_running_crawl_is_returned_once_it_is_watched(running: RunningCrawl) -> None:
    with serving(running.folder) as address, httpx.Client(base_url=address) as client:
        until = time.monotonic() + 15
        while (head := client.get("/api/frontier").json()) is None:
            assert time.monotonic() < until
            time.sleep(0.2)
    scores = [each["score"] for each in head]
    assert scores == sorted(scores, reverse=True)
    assert all(each["url"].startswith("http://") and each["why"] for each in head)


def test_batches_of_pages_continue_to_the_end(client: httpx.Client, crawled: Path) -> None:
    seen, after = list[str](), None
    while True:
        found = client.get("/api/pages", params={"limit": 50} | ({"after": after} if after else {})).json()
        seen += [page["url"] for page in found["pages"]]
        after = found["next"]
        if after is None:
            break
    with Reader(crawled) as reader:
        assert seen[::-1] == [row.url for row in reader.pages()]


def test_a_curve_ends_with_the_figures_of_the_report(client: httpx.Client) -> None:
    report, series = client.get("/api/report").json(), client.get("/api/series").json()
    assert series[-1]["fetched"] == report["fetched"]
    assert series[-1]["relevant"] == report["relevant"]


def test_hosts_and_failures_are_lists(client: httpx.Client) -> None:
    report, hosts = client.get("/api/report").json(), client.get("/api/hosts?limit=1000").json()
    assert sum(host["fetched"] for host in hosts) == report["fetched"]
    assert client.get("/api/hosts", params={"start": len(hosts) - 1}).json() == hosts[-1:]
    assert client.get("/api/failures").json() == []


def test_all_of_it_is_described(client: httpx.Client) -> None:
    description = client.get("/api/openapi.json").json()
    assert description["openapi"].startswith("3.")
    page = client.get("/api").text
    for path, operations in description["paths"].items():
        assert path.startswith("/api/")
        assert path in page
        for operation in operations.values():
            assert operation["description"], path
            assert all(parameter["description"] for parameter in operation.get("parameters", [])), path


def test_the_metrics_are_in_the_format_of_prometheus(client: httpx.Client) -> None:
    reply = client.get("/metrics")
    assert reply.headers["content-type"] == CONTENT_TYPE
    report = client.get("/api/report").json()
    values = dict[str, float]()
    announced = ""
    for line in reply.text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP|TYPE) (homing_\w+) .+", line), line
            announced = line.split()[2]
        else:
            sample = re.fullmatch(r'(homing_\w+)((?:\{\w+="[^"]*"\})?) (\S+)', line)
            assert sample, line
            assert sample[1] == announced
            values[sample[1] + sample[2]] = float(sample[3])
    assert values["homing_pages_total"] == report["fetched"]
    assert values["homing_frontier_urls"] == report["frontier"]
    assert values["homing_running"] == 0
    assert values['homing_disk_bytes{part="archive"}'] > 0
