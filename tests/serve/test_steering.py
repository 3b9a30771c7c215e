"""Commands from forms: what is valid, and what needs a running crawl."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import HTTPException

from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.steering import AddSeeds, SetRate, Simple, label, read_form, send


def form(kind: str, *, urls: str = "", pages: str = "") -> object:
    return read_form(kind, urls, "", "", pages)


def test_fields_of_other_commands_are_ignored() -> None:
    assert form("pause", urls="no URL", pages="many") == Simple(kind="pause")


def test_seeds_are_one_per_line() -> None:
    sent = form("seeds", urls="https://a.example/\n\n# later\n https://b.example/ ")
    assert sent == AddSeeds(kind="seeds", urls=("https://a.example/", "https://b.example/"))


def test_an_empty_rate_is_no_limit() -> None:
    assert form("pages-per-second", pages=" ") == SetRate(kind="pages-per-second", pages=None)


@pytest.mark.parametrize("kind", ["pause", "go-on", "stop"])
def test_a_command_for_a_running_crawl_is_not_queued(crawled: Path, kind: str) -> None:
    folder = CrawlFolder(crawled)
    before = folder.commands(10)
    command = form(kind)
    assert isinstance(command, Simple)
    with pytest.raises(HTTPException, match="no crawl is running") as refused:
        send(folder, command)
    assert refused.value.status_code == 409
    assert folder.commands(10) == before


def test_an_unknown_page_cannot_be_labelled(crawled: Path) -> None:
    with pytest.raises(HTTPException) as refused:
        label(CrawlFolder(crawled), "https://nowhere.example/", relevant=True)
    assert refused.value.status_code == 404
