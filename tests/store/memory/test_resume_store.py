from __future__ import annotations

import pytest

from homing.checks.store import check_store
from homing.store.memory import MemoryStore


def test_a_memory_store_without_bodies_still_counts() -> None:
    store = MemoryStore(bodies=False)
    assert list(store.visits_since(0)) == []
    with pytest.raises(AssertionError):
        check_store(lambda: MemoryStore(bodies=False))
