"""Steering a crawl through the app: by REST and by forms, running or not."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from tests.serve.crawling import RunningCrawl
from tests.serve.serving import TOKEN, serving

from homing.store.views.reader import Reader


def until(holds: Callable[[], object], seconds: float = 10.0) -> None:
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.05)


def results(client: httpx.Client, *commands: dict[str, object]) -> list[str]:
    """Send commands by REST and return their results."""
    sent = [client.post("/api/wishes", json=command) for command in commands]
    assert {reply.status_code for reply in sent} == {202}
    answers: list[str | None] = [None]

    def answered() -> bool:
        answers[:] = [client.get(f"/api/wishes/{reply.json()['number']}").json()["answer"] for reply in sent]
        return None not in answers

    until(answered)
    return [str(answer) for answer in answers]


def fetched(folder: Path) -> int:
    with Reader(folder) as reader:
        return sum(1 for _ in reader.pages())


def test_a_running_crawl_is_steered_by_rest(running: RunningCrawl) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with (
        serving(running.folder) as address,
        httpx.Client(base_url=address, trust_env=False, headers=headers) as client,
    ):
        until(lambda: fetched(running.folder) > 20)
        pace = [{"kind": "delay", "seconds": 0.1}, {"kind": "pages-per-second", "pages": 30}]
        assert results(client, {"kind": "pause"}, *pace) == ["done"] * 3
        pages = client.get("/api/pages?verdict=relevant&limit=2").json()["pages"]
        before = client.get("/api/report").json()["fetched"]
        wrong, right = (page["url"] for page in pages)
        said = client.post("/api/labels", json={"url": wrong, "relevant": False}).json()
        client.post("/api/labels", json={"url": right, "relevant": True})
        host = httpx.URL(wrong).host
        learnt, blocked = results(client, {"kind": "relearn"}, {"kind": "block", "pattern": host})
        assert learnt.startswith("learnt from 1 right and 1 wrong; of ")
        assert "left the queue" in blocked
        assert client.get(f"/api/wishes/{said['wish']}").json()["answer"] == "done"
        labels = {each["url"]: each["relevant"] for each in client.get("/api/labels").json()}
        assert labels == {wrong: False, right: True}
        assert host in client.get("/steer").text
        paused_with = fetched(running.folder)
        assert paused_with - before <= 3  # those in flight
        assert results(client, {"kind": "pages-per-second", "pages": None}, {"kind": "go-on"}) == ["done"] * 2
        until(lambda: fetched(running.folder) > paused_with)
        assert results(client, {"kind": "stop"}) == ["done"]
        until(lambda: client.get("/api/report").json()["stop_reason"] == "asked to stop")


def test_a_page_of_a_finished_crawl_is_labelled_at_once(owner: httpx.Client) -> None:
    first, second = owner.get("/api/pages?order=best&limit=2").json()["pages"]
    reply = owner.post("/api/labels", json={"url": first["url"], "relevant": True})
    assert reply.json() == {"url": first["url"], "relevant": True, "wish": None}
    # By a form without a script: the page comes back, and shows what was said.
    reply = owner.post("/label", data={"url": second["url"], "relevant": "false"}, follow_redirects=True)
    assert reply.url.path == f"/pages/{second['seq']}"
    pressed = 'value="false" aria-pressed="true"'
    assert pressed in reply.text
    assert pressed in owner.get("/pages?order=best").text


def test_what_no_crawl_is_there_for_waits_and_the_page_says_so(owner: httpx.Client) -> None:
    reply = owner.post("/steer", data={"kind": "block", "pattern": "a.example"}, follow_redirects=True)
    assert "no crawl is running; queued for the next run" in reply.text
    assert owner.get("/api/wishes").json()[0]["answer"] is None
    reply = owner.post("/steer", data={"kind": "stop"})
    assert reply.status_code == 409
    assert "no crawl is running" in reply.text


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ({"kind": "delay", "seconds": "-1"}, "delay: Input should be greater than or equal to 0"),
        ({"kind": "delay", "seconds": "soon"}, "delay: Input should be a valid number"),
        ({"kind": "pages-per-second", "pages": "0"}, "pages per second: "),
        ({"kind": "seeds", "urls": "example.org"}, "did you mean https://example.org?"),
        ({"kind": "block", "pattern": " "}, "pattern: "),
        ({"kind": "dance"}, "dance"),
    ],
)
def test_an_invalid_command_is_refused(owner: httpx.Client, command: dict[str, str], said: str) -> None:
    before = owner.get("/api/wishes").json()
    reply = owner.post("/steer", data=command, headers={"HX-Request": "true"})
    assert reply.status_code == 400
    assert said in reply.text
    assert "<html" not in reply.text
    assert owner.post("/api/wishes", json=command).status_code == 422
    assert owner.get("/api/wishes").json() == before


def test_unknown_pages_and_commands_are_not_found(owner: httpx.Client) -> None:
    unknown = {"url": "https://nowhere.example/", "relevant": True}
    reply = owner.post("/api/labels", json=unknown)
    assert reply.status_code == 404
    assert reply.json()["detail"].startswith("https://nowhere.example/ is unknown to this crawl")
    assert owner.post("/label", data={**unknown, "relevant": "true"}).status_code == 404
    assert owner.get("/api/wishes/999999").status_code == 404
    assert owner.get("/wishes/999999").status_code == 404


def test_a_page_that_only_waits_cannot_be_labelled(owner: httpx.Client, crawled: Path) -> None:
    with Reader(crawled) as reader:
        seq, url = max(reader.addresses())
        assert reader.visit(seq) is None
    reply = owner.post("/api/labels", json={"url": url, "relevant": True})
    assert reply.status_code == 409
    assert "has not been fetched" in reply.json()["detail"]


@pytest.mark.parametrize("path", ["/steer", "/label", "/api/wishes", "/api/labels"])
def test_nothing_changes_without_the_token(client: httpx.Client, path: str) -> None:
    assert client.post(path, json={"kind": "pause"}).status_code == 401
    wrong = {"Authorization": "Bearer of-bad-news"}
    assert client.post(path, json={"kind": "pause"}, headers=wrong).status_code == 403


def test_the_description_has_the_changes(client: httpx.Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {"get", "post"} <= paths["/api/wishes"].keys() & paths["/api/labels"].keys()
    assert "calendar" in client.get("/api").text
