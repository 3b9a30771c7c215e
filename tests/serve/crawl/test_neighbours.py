"""Which folders beside the crawl served are crawls."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from homing.serve.crawl.neighbours import crawls_in, is_crawl


@pytest.mark.parametrize("name", ["..", ".", "", ".hidden", "a/b", "../crawl", "nothing"])
def test_no_name_leads_out_of_the_folder(crawled: Path, tmp_path: Path, name: str) -> None:
    for place in ("crawl", ".hidden", "a/b"):
        shutil.copytree(crawled, tmp_path / place)
    assert not is_crawl(tmp_path, name)


def test_only_readable_crawls_are_listed(crawled: Path, tmp_path: Path) -> None:
    shutil.copytree(crawled, tmp_path / "crawl")
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "crawl.db").write_bytes(b"no database")
    assert crawls_in(tmp_path) == ["crawl"]
