"""Commands from forms: what is valid, and what needs a running crawl."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import HTTPException

from homing.crawler.live.verbs import AddSeeds, Pause, Verb
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.steering import label, read_form, send


def form(kind: str, **fields: str) -> Verb:
    return read_form({"kind": kind, **fields})


def test_fields_of_other_commands_are_ignored() -> None:
    assert form("pause", urls="no URL", delay="long") == Pause(kind="pause")


def test_seeds_are_one_per_line() -> None:
    sent = form("add_seeds", urls="https://a.example/\n\n# later\n https://b.example/ ")
    assert sent == AddSeeds(kind="add_seeds", urls=("https://a.example/", "https://b.example/"))


def test_an_empty_rate_is_no_limit() -> None:
    assert form("set_pace", pages_per_second=" ").payload() == {"pages_per_second": None}
    assert form("set_pace", reset="true").payload() == {"reset": True}


@pytest.mark.parametrize("kind", ["pause", "resume", "stop", "snapshot"])
def test_a_command_for_a_running_crawl_is_not_queued(crawled: Path, kind: str) -> None:
    folder = CrawlFolder(crawled)
    before = folder.commands(10)
    command = form(kind)
    with pytest.raises(HTTPException, match="no crawl is running") as refused:
        send(folder, command)
    assert refused.value.status_code == 409
    assert folder.commands(10) == before


def test_an_unknown_page_cannot_be_labelled(crawled: Path) -> None:
    with pytest.raises(HTTPException) as refused:
        label(CrawlFolder(crawled), "https://nowhere.example/", relevant=True)
    assert refused.value.status_code == 404
