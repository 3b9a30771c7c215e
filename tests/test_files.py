"""A file is there whole, or as it was before."""

import resource
import signal
from pathlib import Path

import pytest

from homing.errors import StorageError
from homing.files import whole_file


def test_a_file_appears_with_all_that_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with whole_file(path) as file:
        file.write(b"half")
        assert not path.exists()
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def write() -> None:
        with whole_file(path) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with (
        pytest.raises(StorageError, match=r"cannot write .*none/a: No such file"),
        whole_file(tmp_path / "none" / "a") as file,
    ):
        file.write(b"x")


def test_a_full_disk_is_called_so_and_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        with (
            pytest.raises(StorageError, match=r"the disk is full: .*/a cannot grow"),
            whole_file(path) as file,
        ):
            file.write(b"x" * 2_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == b"old"
