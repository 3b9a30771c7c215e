from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.store.story import Open

from homing.checks.store import check_store
from homing.model import Entry, Ranking, Standing
from homing.ports import Store
from homing.store.memory import MemoryStore


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


def test_the_battery_notices_a_store_that_forgets_links() -> None:
    class Linkless(MemoryStore):
        def targets(self, seq: int) -> Sequence[int]:
            return ()

    with pytest.raises(AssertionError):
        check_store(Linkless)


def test_the_battery_notices_a_store_that_keeps_a_ranking_after_it_was_read() -> None:
    class Stale(MemoryStore):
        def ranking(self) -> Ranking | None:
            return self._ranking

    with pytest.raises(AssertionError):
        check_store(Stale)
