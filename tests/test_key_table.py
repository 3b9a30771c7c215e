"""Keys and their numbers: as a dictionary has them, before and after they are sorted in."""

from __future__ import annotations

import numpy as np
import pytest

from homing.key_table import Keys

EDGES = [-(2**63), 2**63 - 1, -1, 0, 1]


def some_keys(count: int) -> list[int]:
    """Distinct 64-bit integers, the smallest and the largest among them, in no order."""
    drawn = np.random.default_rng(7).integers(-(2**63), 2**63 - 1, count, endpoint=True).tolist()
    return list(dict.fromkeys([*drawn, *EDGES]))


@pytest.mark.parametrize("count", [0, 100, 5_000, 20_000])
def test_every_key_has_the_number_a_dictionary_would_give_it(count: int) -> None:
    known, by_hand = Keys(), {key: number for number, key in enumerate(some_keys(count))}
    for key, number in by_hand.items():
        assert known.get(key) is None
        known.add(key, number)
    assert len(known) == len(by_hand)
    assert [known.get(key) for key in by_hand] == list(by_hand.values())
    neighbours = {key + 1 for key in by_hand if key < 2**63 - 1} - by_hand.keys()
    assert {known.get(key) for key in neighbours} == {None}
    assert known.in_order().tolist() == list(by_hand)


@pytest.mark.parametrize("count", [0, 100, 20_000])
def test_keys_of_an_earlier_run_are_known_with_those_added_since(count: int) -> None:
    keys = some_keys(count)
    known = Keys(np.array(keys, np.int64))
    known.add(123, len(keys))
    asked = np.array([*keys[:50], 123, 124], np.int64)
    assert known.of(asked).tolist() == [*range(len(keys[:50])), len(keys), -1]
    assert known.in_order().tolist() == [*keys, 123]
    assert Keys().of(asked).tolist() == [-1] * len(asked)


def test_keys_that_all_begin_alike_are_told_apart() -> None:
    known = Keys(np.arange(1_000, dtype=np.int64))
    assert [known.get(key) for key in (-1, 0, 500, 999, 1_000)] == [None, 0, 500, 999, None]


@pytest.mark.parametrize("count", [10, 5_000])
def test_keys_that_are_entered_many_at_once_get_the_next_numbers(count: int) -> None:
    keys = some_keys(count)
    known = Keys(np.array(keys[:5], np.int64))
    assert known.enter(np.array([*keys[3:], *keys[-2:]], np.int64)).tolist() == [
        *range(3, len(keys)),
        len(keys) - 2,
        len(keys) - 1,
    ]
    assert known.in_order().tolist() == keys
