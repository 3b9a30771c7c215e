"""Real pages: the links we find against those the collectors of the recorded webs found."""

import lzma
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from homing.model import Page
from homing.urls import canonical

Read = Callable[..., Page]
Recorded = Callable[[str, int], Iterator[dict[str, Any]]]


def _edges(data: Path, web: str) -> dict[str, set[str]]:
    edges: dict[str, set[str]] = defaultdict(set)
    with lzma.open(data / "webs" / web / "edges.tsv.xz", "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            source, target = line.rstrip("\n").split("\t")[:2]
            edges[source].add(target)
    return edges


@pytest.mark.parametrize(("web", "count", "share"), [("wikispeedia", 300, 0.99), ("webkb", 600, 0.95)])
def test_the_links_of_recorded_pages_are_found(
    read: Read, recorded: Recorded, shared_data: Path, web: str, count: int, share: float
) -> None:
    pages = list(recorded(web, count))
    edges = _edges(shared_data, web)
    address = {str(page["id"]): _bare(page["url"]) for page in pages}
    wanted = found = 0
    for page in pages:
        links = {_bare(link.url) for link in read(_body(page), _label(page), url=page["url"]).links}
        # Only edges between pages read here, because the addresses of the others are not known.
        source = str(page["id"])
        expected = {address[target] for target in edges[source] if target in address and target != source}
        wanted += len(expected)
        found += len(expected & links)
    assert wanted > 200
    assert found / wanted > share


def test_recorded_pages_have_text_titles_and_language(read: Read, recorded: Recorded) -> None:
    pages = [read(_body(page), _label(page), url=page["url"]) for page in recorded("wikispeedia", 100)]
    assert all(page.title and page.headings and page.fingerprint for page in pages)
    assert all(len(page.text) > 50 for page in pages)
    assert {page.language for page in pages} == {"en"}
    assert all(link.path and link.headings for page in pages for link in page.links if not link.rel)


def _bare(url: str) -> str:
    """The collectors took a folder, with or without slash, and its index for one page.

    Of the old university pages they also merged aliases that only they knew: 2 % of the edges.
    """
    return re.sub(r"/(index\.html?)?$", "", (canonical(url) or url).lower())


def _body(page: dict[str, Any]) -> bytes:
    return str(page["body"]).encode(page["charset"], "replace")


def _label(page: dict[str, Any]) -> str:
    return f"{page['content_type']}; charset={page['charset']}"
