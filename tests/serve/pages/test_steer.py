"""Steering a crawl through the app: by REST and by forms, running or not."""

from __future__ import annotations

import re
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
    sent = [client.post("/api/commands", json=command) for command in commands]
    assert {reply.status_code for reply in sent} == {202}
    answers: list[str | None] = [None]

    def answered() -> bool:
        answers[:] = [
            client.get(f"/api/commands/{reply.json()['number']}").json()["answer"] for reply in sent
        ]
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
        pace = {"kind": "set_pace", "delay": 0.1, "pages_per_second": 30}
        paused, steered = results(client, {"kind": "pause"}, pace)
        assert paused == "done"
        assert steered.startswith("done; 0.1 s between two requests to a host, 30 pages a second, until")
        assert client.get("/api/report").json()["paused"]
        pages = client.get("/api/pages?verdict=relevant&limit=2").json()["pages"]
        before = client.get("/api/report").json()["fetched"]
        wrong, right = (page["url"] for page in pages)
        labelled = client.post("/api/labels", json={"url": wrong, "relevant": False}).json()
        results(client, {"kind": "label", "url": right, "relevant": True})
        host = httpx.URL(wrong).host
        trained, blocked = results(client, {"kind": "relearn"}, {"kind": "block", "pattern": host})
        assert trained.startswith("trained on 1 right and 1 wrong; of ")
        assert re.fullmatch("done; [0-9,]+ queued URLs? removed", blocked)
        assert client.get(f"/api/commands/{labelled['command']}").json()["answer"] == "done"
        labels = {each["url"]: each["relevant"] for each in client.get("/api/labels").json()}
        assert labels == {wrong: False, right: True}
        assert f"<bdi>{host}</bdi>" in client.get("/steer").text
        assert "refused URL" in results(client, {"kind": "unblock", "pattern": host})[0]
        assert f"<bdi>{host}</bdi>" not in client.get("/steer").text
        paused_with = fetched(running.folder)
        assert paused_with - before <= 3  # those in flight
        no_limit: dict[str, object] = {"kind": "set_pace", "pages_per_second": None}
        as_configured: dict[str, object] = {"kind": "set_pace", "reset": True}
        free, reset, resumed = results(client, no_limit, as_configured, {"kind": "resume"})
        assert "any number of pages a second" in free
        assert (reset, resumed) == ("done; the rate limits are those of crawl.toml", "done")
        until(lambda: fetched(running.folder) > paused_with)
        assert results(client, {"kind": "stop"}) == ["done"]
        until(lambda: client.get("/api/report").json()["stop_reason"] == "stop command")


def test_a_page_of_a_finished_crawl_is_labelled_at_once(owner: httpx.Client) -> None:
    first, second = owner.get("/api/pages?order=best&limit=2").json()["pages"]
    reply = owner.post("/api/labels", json={"url": first["url"], "relevant": True})
    assert reply.json() == {"url": first["url"], "relevant": True, "command": None}
    # By a form without a script: the page comes back, and shows what was said.
    reply = owner.post("/label", data={"url": second["url"], "relevant": "false"}, follow_redirects=True)
    assert reply.url.path == f"/pages/{second['seq']}"
    pressed = 'value="false" aria-pressed="true"'
    assert pressed in reply.text
    assert pressed in owner.get("/pages?order=best").text


def test_without_a_running_crawl_a_command_is_queued_and_the_page_says_so(owner: httpx.Client) -> None:
    reply = owner.post("/steer", data={"kind": "block", "pattern": "a.example"}, follow_redirects=True)
    assert "no crawl is running; queued for the next run" in reply.text
    assert owner.get("/api/commands").json()[0]["answer"] is None
    reply = owner.post("/steer", data={"kind": "stop"})
    assert reply.status_code == 409
    assert "no crawl is running" in reply.text


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ({"kind": "set_pace", "delay": "-1"}, "delay must be at least 0, not -1"),
        ({"kind": "set_pace", "delay": "soon"}, "delay must be a number, not &#34;soon&#34;"),
        ({"kind": "set_pace", "delay": " "}, "nothing to set: give delay, pages_per_second or reset"),
        ({"kind": "set_pace", "pages_per_second": "0"}, "pages_per_second must be more than 0, not 0"),
        ({"kind": "add_seeds", "urls": "example.org"}, "did you mean https://example.org?"),
        ({"kind": "add_seeds", "urls": ""}, "urls must hold at least one URL"),
        ({"kind": "block", "pattern": " "}, "pattern must be a host, or a glob over whole URLs"),
        ({"kind": "dance"}, "there is no command &#34;dance&#34;"),
    ],
)
def test_an_invalid_command_is_refused(owner: httpx.Client, command: dict[str, str], said: str) -> None:
    before = owner.get("/api/commands").json()
    reply = owner.post("/steer", data=command, headers={"HX-Request": "true"})
    assert reply.status_code == 400
    assert said in reply.text
    assert "<html" not in reply.text
    assert owner.post("/api/commands", json=command).status_code == 422
    assert owner.get("/api/commands").json() == before


def test_a_field_that_is_too_long_is_refused(owner: httpx.Client) -> None:
    before = owner.get("/api/commands").json()
    reply = owner.post("/steer", data={"kind": "add_seeds", "urls": "https://a.example/\n" * 60_000})
    assert reply.status_code == 400
    assert owner.get("/api/commands").json() == before


def test_unknown_pages_and_commands_are_not_found(owner: httpx.Client) -> None:
    unknown = {"url": "https://nowhere.example/", "relevant": True}
    reply = owner.post("/api/labels", json=unknown)
    assert reply.status_code == 404
    assert reply.json()["detail"].startswith("https://nowhere.example/ is unknown to this crawl")
    assert owner.post("/label", data={**unknown, "relevant": "true"}).status_code == 404
    assert owner.get("/api/commands/999999").status_code == 404
    assert owner.get("/commands/999999").status_code == 404


def test_a_queued_url_cannot_be_labelled(owner: httpx.Client, crawled: Path) -> None:
    with Reader(crawled) as reader:
        seq, url = max(reader.addresses())
        assert reader.visit(seq) is None
    reply = owner.post("/api/labels", json={"url": url, "relevant": True})
    assert reply.status_code == 409
    assert "has not been fetched" in reply.json()["detail"]


@pytest.mark.parametrize("path", ["/steer", "/label", "/api/commands", "/api/labels"])
def test_nothing_changes_without_the_token(client: httpx.Client, path: str) -> None:
    assert client.post(path, json={"kind": "pause"}).status_code == 401
    wrong = {"Authorization": "Bearer of-bad-news"}
    assert client.post(path, json={"kind": "pause"}, headers=wrong).status_code == 403


def test_the_description_has_the_changes(client: httpx.Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {"get", "post"} <= paths["/api/commands"].keys() & paths["/api/labels"].keys()
    assert "calendar" in client.get("/api").text
