"""``homing report`` on a small crawl."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Homing = Callable[..., CompletedProcess[str]]


def test_report_gives_one_json_document_with_the_agreed_names(homing: Homing, folder: Path) -> None:
    done = homing("report", folder, "--json")
    figures = json.loads(done.stdout)
    assert figures["fetched"] == 3
    assert figures["relevant"] == 2
    assert figures["harvest_rate"] == pytest.approx(2 / 3)
    assert figures["failed"] == {"dns": 1}
    assert figures["frontier"] == 1
    assert (figures["strategy"], figures["judge"]) == ("link-context", "keywords")
    assert {"hosts", "seconds", "pages_per_second", "stop_reason"} <= figures.keys()
    assert done.stderr == ""


def test_report_reads_well(homing: Homing, folder: Path) -> None:
    shown = homing("report", folder).stdout
    assert "66.7 %" in shown
    assert "1 dns" in shown
    assert "12.5 s" in shown


def test_a_folder_without_a_crawl_is_one_line_and_exit_code_2(homing: Homing, tmp_path: Path) -> None:
    for command in (("report",), ("export",), ("explain",)):
        done = homing(*command, tmp_path, *(["https://bees.example/a"] if command == ("explain",) else []))
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        assert "holds no crawl" in done.stderr
