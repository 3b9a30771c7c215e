from __future__ import annotations

import pytest

from homing.model import Entry, Priority
from homing.store.memory import MemoryStore


def test_a_memory_store_refuses_a_gap_in_the_numbers() -> None:
    with pytest.raises(ValueError, match="URL number 3 where 0 is next"):
        MemoryStore().add([Entry(key=1, url="https://a.example/", priority=Priority(), seq=3)], [0])
