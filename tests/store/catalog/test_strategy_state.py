"""What a strategy has learnt is kept in pieces, and comes back whole."""

import sqlite3
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest

from homing.errors import BrokenStateError
from homing.store.catalog.strategy_state import insert_state, select_state

MIB = 2**20


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE strategy_state (place INTEGER PRIMARY KEY, text BLOB NOT NULL)")
    yield db
    db.close()


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"seen": 7, "tables": {"keys": "k" * MIB, "none": {}, "nested": {"scores": [0.5, None]}}},
        {"long": "é" * (3 * MIB + 1), "short": "s"},
        {"accounts": {f"http://a.example/{number}": number / 4 for number in range(1_000)}, "é": [[1], {}]},
    ],
)
def test_a_state_comes_back_as_it_was_kept(db: sqlite3.Connection, state: dict[str, object]) -> None:
    insert_state(db, 1, {"before": "b" * 9 * MIB})
    insert_state(db, 5, state)
    assert select_state(db) == (5, state)


def test_arrays_are_kept_as_lists(db: sqlite3.Connection) -> None:
    insert_state(db, 5, {"weights": np.array([0.5, 1.0]), "table": {"numbers": np.arange(2)}})
    assert select_state(db) == (5, {"weights": [0.5, 1.0], "table": {"numbers": [0, 1]}})


def test_no_row_is_larger_than_a_megabyte_and_all_but_the_last_are_full(db: sqlite3.Connection) -> None:
    insert_state(db, 5, {"a": "x" * 700_000, "b": {"c": "y" * 700_000, "d": "z" * 2 * MIB}})
    rows = db.execute("SELECT place, length(text) FROM strategy_state ORDER BY place").fetchall()
    assert [place for place, _ in rows] == [0, MIB, 2 * MIB, 3 * MIB]
    assert [size for _, size in rows[:-1]] == [MIB] * 3


def test_a_name_that_is_no_text_is_a_bug_and_says_so(db: sqlite3.Connection) -> None:
    with pytest.raises(TypeError):
        insert_state(db, 5, {"accounts": {7: 0.5}})


def test_a_large_state_is_never_in_memory_a_second_time(db: sqlite3.Connection) -> None:
    state = {"tables": {str(number): "x" * (MIB // 2) for number in range(40)}}
    tracemalloc.start()
    try:
        insert_state(db, 5, state)
        assert tracemalloc.get_traced_memory()[1] < 15 * MIB  # of 20; orjson asks for room, just in case
    finally:
        tracemalloc.stop()


BROKEN = [
    b"garbage",
    b"{",
    b'{"step": 3}',
    b'{"step": "x", "state": {}}',
    b'{"step": 1e400, "state": {}}',
    b"[]",
]


@pytest.mark.parametrize("text", [*BROKEN, b'{"step": 3, "state": []}', b"[" * 100_000, b"\xff\xfe"])
def test_a_damaged_state_is_told_from_a_bug(db: sqlite3.Connection, text: bytes) -> None:
    db.execute("INSERT INTO strategy_state (place, text) VALUES (0, ?)", (text,))
    with pytest.raises(BrokenStateError, match="the saved state of the strategy is damaged"):
        select_state(db)


def test_a_state_without_end_is_not_read(db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homing.store.catalog.strategy_state.LARGEST", MIB)
    insert_state(db, 1, {"before": "b" * MIB})
    with pytest.raises(BrokenStateError, match="larger than 1 MB"):
        select_state(db)
