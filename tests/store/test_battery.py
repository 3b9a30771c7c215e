from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pytest

from homing.checks.store import check_store
from homing.model import Entry, Priority, Standing
from homing.ports import Store
from homing.store.catalog.catalog import Catalog
from homing.store.memory import MemoryStore


class Open(Protocol):
    def __call__(self, folder: Path, **options: object) -> Catalog: ...


def test_the_catalog_passes_the_battery(tmp_path: Path, open_at: Open) -> None:
    folders: dict[int, Path] = {}

    def make() -> Store:
        return remember(tmp_path / str(len(folders)))

    def reopen(store: Store) -> Store:
        store.close()
        return remember(folders[id(store)])

    def remember(folder: Path) -> Store:
        catalog = open_at(folder)
        folders[id(catalog)] = folder
        return catalog

    check_store(make, reopen)


def test_the_memory_store_passes_the_battery() -> None:
    check_store(MemoryStore)


def test_the_battery_notices_a_store_that_forgets_to_settle() -> None:
    class Forgetful(MemoryStore):
        def _spend(self, seq: int, standing: Standing) -> None:
            """Nothing."""

    with pytest.raises(AssertionError):
        check_store(Forgetful)


def test_the_battery_notices_a_store_that_loses_memos() -> None:
    class Lossy(MemoryStore):
        def entry(self, seq: int) -> Entry:
            known = super().entry(seq)
            return Entry(key=known.key, url=known.url, priority=known.priority, seq=seq)

    with pytest.raises(AssertionError):
        check_store(Lossy)


def test_a_memory_store_without_bodies_still_counts() -> None:
    store = MemoryStore(bodies=False)
    assert list(store.visits_since(0)) == []
    with pytest.raises(AssertionError):
        check_store(lambda: MemoryStore(bodies=False))


def test_a_memory_store_refuses_a_gap_in_the_numbers() -> None:
    with pytest.raises(ValueError, match="URL number 3 where 0 is next"):
        MemoryStore().add([Entry(key=1, url="https://a.example/", priority=Priority(), seq=3)], [0])
