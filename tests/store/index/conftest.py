"""A few pages in an index of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from homing.store.catalog import schema
from homing.store.folder import Layout
from homing.store.index import IndexedPage, Search, Writer

Shelve = Callable[..., Search]


def page(
    name: str, text: str, *, title: str = "", language: str = "en", score: float = 0.5, at: int = 0
) -> IndexedPage:
    """A page at ``https://NAME``."""
    return IndexedPage(
        url=f"https://{name}",
        title=title,
        text=text,
        language=language,
        topic_score=score,
        fetched_at=1_700_000_000.0 + at,
    )


@pytest.fixture
def shelve(tmp_path: Path) -> Shelve:
    """Puts pages into an index; anchors by the place of the page."""

    def fill(*pages: IndexedPage, anchors: dict[int, list[str]] | None = None) -> Search:
        layout = Layout(tmp_path)
        schema.create(layout.database)
        with Writer(layout.index, command="test") as writer:
            for seq, kept in enumerate(pages):
                writer.put(seq, kept, (anchors or {}).get(seq, []))
            writer.commit(len(pages))
        return Search(tmp_path)

    return fill


def names(search: Search, query: str, **options: object) -> list[str]:
    """The addresses that a query finds, in order."""
    return [hit.url.removeprefix("https://") for hit in search.search(query, **options).hits]  # type: ignore[arg-type]
