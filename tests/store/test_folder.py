from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.story import Open

from homing.errors import FolderError, LockedError
from homing.store.folder import Layout


def test_a_new_crawl_makes_its_folder(tmp_path: Path, open_at: Open) -> None:
    layout = Layout(tmp_path / "deep" / "my-crawl")
    open_at(layout.root)
    assert layout.database.is_file()
    assert layout.warc.is_dir()
    assert list(layout.warc.iterdir()) == [], "no archive before the first reply"


def test_one_writer_at_a_time(tmp_path: Path, open_at: Open) -> None:
    first = open_at(tmp_path / "c", command="homing crawl moths")
    with pytest.raises(LockedError, match=r"\(homing crawl moths\)"):
        open_at(tmp_path / "c")
    first.close()
    open_at(tmp_path / "c")


def test_a_file_is_no_folder(tmp_path: Path, open_at: Open) -> None:
    (tmp_path / "c").write_text("a file")
    with pytest.raises(FolderError, match=r"c cannot be written \(Not a directory\); choose another folder"):
        open_at(tmp_path / "c")


def test_a_folder_that_cannot_be_written_is_refused(open_at: Open) -> None:
    with pytest.raises(FolderError, match=r"cannot be written \(.+\); choose another folder with --out"):
        open_at(Path("/proc/homing"))
