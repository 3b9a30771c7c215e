"""Small recorded webs to replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from homing.demo.web.little_web import LittleWeb
from homing.demo.web_records import records_of
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.recording import record
from homing.model import Reply
from homing.records import Record


@pytest.fixture(scope="session")
def little_web() -> LittleWeb:
    return LittleWeb(seed=1, pages=240, hosts=8, share=0.1)


@pytest.fixture(scope="session")
def little_folder(little_web: LittleWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("webs") / "little"
    record(records_of(little_web), folder)
    return folder


@pytest.fixture
def little(little_folder: Path) -> Iterator[RecordedWeb]:
    with RecordedWeb(little_folder) as web:
        yield web


def html(url: str, *links: str, words: str = "", labels: tuple[str, ...] = ()) -> Record:
    """A page that links to others by their paths."""
    anchors = "".join(f'<p><a href="{link}">{link.strip("/")}</a></p>' for link in links)
    body = f"<html lang=en><title>{words}</title><h1>{words}</h1><p>{words} {words}</p>{anchors}".encode()
    kind = (("Content-Type", "text/html; charset=utf-8"),)
    return Record(reply=Reply(url=url, final_url=url, status=200, headers=kind, body=body), labels=labels)


def drawn(folder: Path, pages: Mapping[str, tuple[str, ...]], targets: tuple[str, ...] = ()) -> RecordedWeb:
    """A web drawn by hand: path to the paths it links to."""
    site = "http://a.example"
    record(
        (
            html(
                site + path,
                *links,
                words="moth" if path in targets else "train",
                labels=("on",) * (path in targets),
            )
            for path, links in pages.items()
        ),
        folder,
    )
    return RecordedWeb(folder)
