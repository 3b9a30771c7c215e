"""A disk that fills up while a crawl starts or runs.

Expected: it stops at once with one line that says so, and exit code 1. What was acknowledged is safe, nothing
is half written, and the same command resumes once there is room again. Many sizes: ``make soak``.
"""

from pathlib import Path

import pytest
from tests.hazards.hosts import Hosts, page
from tests.hazards.machine.disk import fill_and_resume, grow, small_disk
from tests.integration.command import Command, serving

from homing.crawler.events import Noted
from homing.crawler.log import Log
from homing.errors import StorageError
from homing.store.folder import open_catalog
from homing.store.lock import Lock


def test_a_crawl_that_fills_the_disk_says_so_and_resumes_when_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 600) as disk, serving(tmp_path / "requests.jsonl") as served:
        said = fill_and_resume(Command(served), disk, pages=200)
    assert said.startswith("homing: the disk is full: ")
    assert said.endswith(" cannot grow; make room and run the same command again\n")
    assert said.count("\n") == 1


def test_a_crawl_that_finds_no_room_to_begin_in_begins_when_there_is(hosts: Hosts, tmp_path: Path) -> None:
    hosts["a.example"] = page()
    with small_disk(tmp_path / "disk", 4) as disk:
        hosts.folder = disk / "crawl"
        for kibibytes in range(4, 200, 20):
            grow(disk, kibibytes)
            with pytest.raises(StorageError, match="the disk is full"):
                hosts.crawl("http://a.example/")
        grow(disk, 10_000)
        assert hosts.crawl("http://a.example/") == "frontier empty"
        assert list(hosts.pages()) == ["http://a.example/"]


def test_a_line_of_the_log_that_was_cut_short_is_ended_by_the_next_start(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 4) as disk:
        path = disk / "crawl.log"
        log = Log(path, lambda: 0.0)
        with pytest.raises(StorageError, match=r"the disk is full: .*crawl\.log cannot grow"):
            log(Noted(name="command", detail="x" * 5_000))
        log.close()
        cut = path.read_bytes()
        assert cut.startswith(b'{"at":0.0')
        assert not cut.endswith(b"\n")
        path.write_bytes(cut[:100])
        log = Log(path, lambda: 0.0)
        log(Noted(name="stopped"))
        log.close()
        assert path.read_bytes().splitlines() == [cut[:100], b'{"at":0.0,"event":"stopped","detail":""}']


def test_a_folder_on_a_full_disk_is_not_left_locked(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 8) as disk:
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(8 * 1024))
        for _ in range(2):
            with pytest.raises(StorageError, match="the disk is full"):
                open_catalog(disk / "crawl", strategy="any", judge="any", wall=lambda: 0.0)
        ballast.unlink()
        Lock(disk / "crawl" / "lock", command="a test").release()
