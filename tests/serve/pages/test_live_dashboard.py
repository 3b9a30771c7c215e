"""The server-sent events of the dashboard."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import msgspec
from tests.serve.crawling import RunningCrawl
from tests.serve.serving import serving

from homing.serve.pages.live_dashboard import PANELS


def events(client: httpx.Client) -> Iterator[dict[str, str]]:
    """What the stream says, a blank message for a line that says nothing."""
    with client.stream("GET", "/events", timeout=10) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("data: "):
                yield msgspec.json.decode(line.removeprefix("data: "), type=dict[str, str])
            elif line.startswith(":"):
                yield {}


def test_the_stream_begins_with_everything_and_continues_with_what_changed(client: httpx.Client) -> None:
    stream = events(client)
    assert next(stream).keys() == {*PANELS, "curves"}
    assert next(stream) == {}


def test_the_stream_follows_a_running_crawl(running: RunningCrawl) -> None:
    fetched = list[int]()
    with serving(running.folder) as address, httpx.Client(base_url=address) as client:
        for parts in events(client):
            if "state" in parts and not fetched:
                assert "Running" in parts["state"]
            if "curves" in parts:
                columns = msgspec.json.decode(parts["curves"], type=dict[str, list[float]])
                assert len({len(column) for column in columns.values()}) == 1
                fetched += [int(columns["fetched"][-1])] if columns["fetched"] else []
            if len(fetched) == 3:
                break
    assert fetched == sorted(set(fetched))
