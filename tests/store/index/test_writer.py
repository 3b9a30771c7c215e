"""The index on disk: locked, replaced, rebuilt where it cannot be read."""

from pathlib import Path

import pytest
from tests.store.index.conftest import Shelve, names, page

from homing.errors import LockedError, StorageError
from homing.store.index import Search, Writer, held


def test_a_page_that_comes_again_takes_the_place_of_the_old_one(tmp_path: Path, shelve: Shelve) -> None:
    search = shelve(page("a.org/1", "moths"), page("a.org/2", "moths"))
    with Writer(tmp_path / "index", command="test") as writer:
        writer.put(0, page("a.org/1", "bees"), [])
        writer.remove(1)
        writer.commit(3)
    assert names(search, "moths") == []
    assert names(search, "bees") == ["a.org/1"]
    assert search.pages == 1
    assert held(tmp_path / "index") == 3


def test_what_was_not_committed_is_not_there(tmp_path: Path, shelve: Shelve) -> None:
    search = shelve(page("a.org/1", "moths"))
    with Writer(tmp_path / "index", command="test") as writer:
        writer.clear()
        writer.put(1, page("a.org/2", "moths"), [])
        assert names(search, "moths") == ["a.org/1"]
    assert names(search, "moths") == ["a.org/1"]
    assert held(tmp_path / "index") == 1


def test_only_one_may_write(tmp_path: Path) -> None:
    with Writer(tmp_path / "index", command="homing crawl"), pytest.raises(LockedError, match="homing crawl"):
        Writer(tmp_path / "index", command="homing search")
    Writer(tmp_path / "index", command="homing search").close()


@pytest.mark.parametrize("name", ["meta.json", "homing.json", "*.term"])
def test_a_damaged_index_is_rebuilt(tmp_path: Path, shelve: Shelve, name: str) -> None:
    shelve(page("a.org/1", "moths"))
    for path in (tmp_path / "index").glob(name):
        path.write_bytes(b"?" * 40)
    with Writer(tmp_path / "index", command="test") as writer:
        assert writer.visit == 0
        writer.put(0, page("a.org/1", "bees"), [])
        writer.commit(1)
    assert names(Search(tmp_path), "bees") == ["a.org/1"]


def test_a_place_that_cannot_be_written_is_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file")
    with pytest.raises(StorageError, match="cannot be written"):
        Writer(tmp_path / "index", command="test")
