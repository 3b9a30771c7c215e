"""Two runs of an experiment are the same, or it is said where they differ."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from experiments.same_runs import main
from homing.cli.lab.run_experiment import run
from homing.demo.web_records import records_of

from homing.demo.web.little_web import LittleWeb
from homing.lab.web.recording import record

EXPERIMENT = """
web = "little"
budget = 20
curve_to = 20
draws = 1
strategies = ["breadth-first", "best-first"]
[[topics]]
label = "target"
seeds = ["{seed}"]
"""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of a small experiment."""
    folder = tmp_path_factory.mktemp("lab")
    web = LittleWeb(seed=1, pages=240, hosts=8, share=0.1)
    record(records_of(web), folder / "little")
    (folder / "little.toml").write_text(EXPERIMENT.format(seed=web.seeds[0]))
    run(folder / "little.toml", folder / "run", processes=1)
    return folder / "run"


@pytest.fixture
def after(before: Path, tmp_path: Path) -> Path:
    """A second one, to be changed."""
    return shutil.copytree(before, tmp_path / "after")


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_run_is_the_same_as_itself(before: Path, after: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(before, after) == 0
    said = capsys.readouterr().out
    assert said.startswith("same: ")
    assert said.endswith(" of 2 strategies\n")


def test_costs_and_digests_may_differ(before: Path, after: Path) -> None:
    for path in list((after / "runs").iterdir()):
        replace(path, '"seconds":', '"seconds":1')
        path.rename(path.with_stem(f"x{path.stem}"))
    index = after / "runs.json"
    index.write_text(index.read_text().replace(',"', ',"x').replace('["', '["x'))
    assert main(before, after) == 0


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("results.json", '"found": ', '"found": 1'),
        ("results.json", '"auc_mean": 0.', '"auc_mean": 0.0'),
        ("tables.md", "| .", "| 1."),
        ("runs/*.json", '"pages":', '"pages":1'),
        ("runs/*.json", '"similar":[0.', '"similar":[0.0'),
    ],
)
def test_any_figure_that_differs_is_told(
    before: Path, after: Path, file: str, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    replace(next(path for path in after.glob(file) if old in path.read_text()), old, new)
    assert main(before, after) == 1
    assert file.split(".")[0].split("/")[0] in capsys.readouterr().out


def test_a_run_that_is_missing_is_told(before: Path, after: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index = after / "runs.json"
    index.write_text(index.read_text().split(",")[0] + "]")
    assert main(before, after) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 11
    assert "missing after" in lines[0]
    assert lines[-1].endswith("figures differ")
