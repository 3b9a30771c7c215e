"""Open catalogs and the crawls that tests write to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.story import Open, Story

from homing.store.catalog.catalog import Catalog
from homing.store.folder import open_catalog


@pytest.fixture
def story() -> Story:
    return Story()


@pytest.fixture
def open_at() -> Iterator[Open]:
    """Opens catalogs and closes them when the test ends."""
    opened: list[Catalog] = []

    def open_one(folder: Path, **options: object) -> Catalog:
        values: dict[str, object] = {
            "strategy": "best-first",
            "judge": "keywords",
            "wall": lambda: 1_700_000_100.0,
        }
        catalog = open_catalog(folder, **(values | options))  # type: ignore[arg-type]
        opened.append(catalog)
        return catalog

    yield open_one
    for catalog in opened:
        catalog.close()
