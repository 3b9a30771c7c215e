"""Tables of numbers come back as they were saved."""

import base64

import numpy as np
import pytest

from homing.columns import FREELY, Columns, packed, unpacked


@pytest.mark.parametrize("kind", ["u1", "i2", "i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("count", [0, 1, 1_000])
def test_numbers_come_back_as_they_were_packed(kind: str, count: int) -> None:
    numbers = np.arange(count).astype(kind)
    again = unpacked(packed(numbers[::-1]), kind)
    assert again.dtype == kind
    assert again.tolist() == numbers[::-1].tolist()
    again[:] = 0  # to be written on


def test_numbers_that_were_saved_before_they_were_compressed_come_back() -> None:
    numbers = np.arange(5, dtype="i4")
    assert unpacked(base64.b64encode(numbers.tobytes()).decode(), "i4").tolist() == numbers.tolist()


def test_what_repeats_itself_takes_little_room() -> None:
    table = Columns(page="i4", context="f4")
    table.add(100_000, page=np.repeat(np.arange(1_000), 100), context=0.0)
    assert sum(len(str(text)) for text in table.state().values()) < 100_000


def test_a_column_may_have_several_numbers_a_row() -> None:
    table, again = Columns(key="i8", vector="3i1"), Columns(key="i8", vector="3i1")
    for number in range(500):  # more than there is room for at first
        table.add(1, key=number, vector=[number % 7, 1, 2])
    table.cut(400)
    again.restore(table.state())
    again.add(1, key=7, vector=[9, 9, 9])
    assert again["vector"].shape == (101, 3)
    assert again["vector"][:100].tolist() == table["vector"].tolist()
    assert again["vector"][0].tolist() == [400 % 7, 1, 2]


def test_an_array_that_unpacks_without_end_is_refused() -> None:
    bomb = packed(np.zeros(FREELY // 8 + 1))
    with pytest.raises(ValueError, match="it unpacks to more than 64 MB"):
        unpacked(bomb, "f8")
    for broken in (bomb[:-8], "deflate:AAAA", "deflate:?"):
        with pytest.raises(ValueError, match=r"."):
            unpacked(broken, "f8")


def test_a_large_array_of_zeros_is_none() -> None:
    assert len(unpacked(packed(np.zeros(FREELY // 8)), "f8")) == FREELY // 8
