"""``homing demo`` and ``demo/demonstration.py``: the promise of the README, kept by real crawls over HTTP."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from homing.demo.demonstration import MARK

Homing = Callable[..., CompletedProcess[str]]


@pytest.mark.parametrize("web", [1, 2])
def test_the_focused_crawl_finds_at_least_twice_as_many_targets(homing: Homing, web: int) -> None:
    shown = json.loads(homing("demo", "--json", "--pages", "200", "--web", str(web)).stdout)
    found = shown["found"]
    assert found["breadth-first"] > 0
    assert found["adaptive"] >= 2 * found["breadth-first"]
    assert len(shown["curves"]["adaptive"]) == len(shown["curves"]["breadth-first"]) == 200
    assert json.loads(homing("report", shown["folder"], "--json").stdout)["fetched"] == 200


def test_both_curves_are_drawn_and_a_second_demo_replaces_the_first(homing: Homing) -> None:
    first = homing("demo", "--pages", "60").stdout
    assert "adaptive:" in first
    assert "breadth-first:" in first
    assert "pages fetched" in first
    assert homing("demo", "--pages", "60").stdout == first


def test_a_folder_that_holds_something_else_is_left_alone(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    done = homing("demo", "--out", tmp_path / "mine")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "choose another --out" in done.stderr
    assert (tmp_path / "mine" / "diary.txt").read_text() == "dear diary"


def test_a_crawl_of_one_s_own_is_never_replaced(homing: Homing, tmp_path: Path) -> None:
    """Even if it has crawled the little web."""
    shown = json.loads(homing("demo", "--pages", "60", "--out", tmp_path / "demo", "--json").stdout)
    mine = tmp_path / "mine"
    shutil.copytree(shown["folder"], mine)
    (mine / MARK).unlink()
    done = homing("demo", "--out", mine)
    assert done.returncode == 2
    assert "choose another --out" in done.stderr
    assert (mine / "crawl.db").exists()
