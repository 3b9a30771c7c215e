"""The lab as a newcomer meets it, by the real command line: import, run, Ctrl-C, report, verify."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from homing.cli.lab import report_experiment
from homing.demo.web.little_web import LittleWeb

EXAMPLE = Path(__file__).parents[2] / "examples" / "experiment.toml"
HOMING = [sys.executable, "-m", "homing"]
SMALL = """
web = "{web}"
draws = 2
budget = 20
curve_to = 60
strategies = ["breadth-first", "link-context", {variants}]

[[topics]]
label = "target"
seeds = ["{seed}"]

[expected.link-context]
recall = [0.5, 0.5]
"""
VARIANTS = [f'{{ name = "link-context", page_weight = {weight / 100} }}' for weight in range(4)]
RUNS = 12

Homing = Callable[..., CompletedProcess[str]]


@pytest.fixture
def small(homing: Homing, little_folder: Path, little_web: LittleWeb) -> Path:
    """An experiment of quick runs: a tenth of a second each."""
    path, variants = Path("experiment.toml"), ", ".join(VARIANTS)
    path.write_text(SMALL.format(web=little_folder, seed=little_web.seeds[0], variants=variants))
    return path


def test_the_example_comes_out_as_it_says_on_the_little_web(homing: Homing) -> None:
    example = Path(shutil.copy(EXAMPLE, "example.toml"))
    # One draw is within the same tolerances, and takes half the time.
    example.write_text(example.read_text().replace("draws = 2", "draws = 1"))
    recorded = homing("lab", "import", "--little-web", 1, "--out", "little-web")
    assert recorded.returncode == 0, recorded.stderr
    done = homing("lab", "verify", example, "--out", "run")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert len(done.stdout.splitlines()) == done.stdout.count("ok ") == 6

    example.write_text(example.read_text().replace("[0.58, 0.08]", "[0.99, 0.01]"))
    wrong = homing("lab", "verify", example, "--out", "run")
    assert wrong.returncode == 1
    differing = re.findall(r"^DIFFERS .*", wrong.stdout, re.MULTILINE)
    assert len(differing) == 1
    assert re.search(r" link-context: recall 0\.5\d+, expected 0\.99 ± 0\.01$", differing[0])
    assert wrong.stderr == "homing: 1 of 6 values differ from what example.toml expects\n"


def test_after_ctrl_c_the_same_command_goes_on_and_makes_nothing_twice(
    homing: Homing, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, folder = ["lab", "run", str(small), "--out", "run", "--processes", "1"], Path("run")
    stopped = interrupted(*run, folder=folder)
    kept = runs_in(folder)
    assert stopped.returncode == 130
    assert stopped.stderr.strip() == (
        f"homing: interrupted; {len(kept)} of {RUNS} runs are kept, and the same command resumes"
    )
    assert 2 <= len(kept) < RUNS
    assert not (folder / "results.json").exists()

    went_on = homing(*run)
    assert went_on.returncode == 0, went_on.stderr
    assert f"{RUNS} runs, {RUNS - len(kept)} of them new; pictures in run/pictures" in went_on.stdout
    assert runs_in(folder).items() >= kept.items()
    results = (folder / "results.json").read_bytes()
    assert "| link-context |" in (folder / "tables.md").read_text()

    with monkeypatch.context() as without:
        without.setattr(report_experiment, "find_spec", lambda name: None)  # matplotlib is an extra
        again = homing(*run, "--json")
    assert again.returncode == 0
    assert again.stderr.startswith("no pictures: they need matplotlib; pip install")
    assert again.stdout.encode() == (folder / "results.json").read_bytes() == results
    assert len(runs_in(folder)) == RUNS

    reported = homing("lab", "report", folder, "--against", "link-context", "--measure", "recall")
    assert reported.returncode == 0, reported.stderr
    assert re.search(r"^breadth-first +link-context +-\.\d{3} .* not tested", reported.stdout, re.MULTILINE)
    assert reported.stderr == "pictures in run/pictures\n"
    unknown = homing("lab", "report", folder, "--measure", "recal")
    assert refusal(unknown) == 'there is no measure "recal"; did you mean "recall"?'
    nobody = homing("lab", "report", folder, "--against", "link-contest")
    assert refusal(nobody) == 'no run of "link-contest" to compare; did you mean "link-context"?'


def interrupted(*arguments: str, folder: Path) -> CompletedProcess[str]:
    """Ended as by Ctrl-C, which a terminal sends to all processes, once some runs are there.

    On a busy machine it may be done before we have looked: then once more, from the beginning.
    """
    for _ in range(4):
        ended = _interrupted(*arguments, folder=folder)
        if ended.returncode:
            break
        shutil.rmtree(folder)
    return ended


def _interrupted(*arguments: str, folder: Path) -> CompletedProcess[str]:
    command = [*HOMING, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, process_group=0) as process:
        deadline = time.monotonic() + 60
        while len(runs_in(folder)) < 2 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
    return CompletedProcess(command, process.returncode, out, err)


def runs_in(folder: Path) -> dict[str, int]:
    """The runs in a folder, and when each was made."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("runs/*.json")}


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("recall = ", "recal = "), 'there is no measure "recal"; did you mean "recall"?'),
        (("recall = ", "pages_to_50 = "), '"pages_to_50" cannot be expected'),
        (("expected.link-context", "expected.otie"), '"otie" is expected but not run'),
        (("[0.5, 0.5]", "0.5"), "recall must be a list"),
        (("[expected.link-context]\nrecall = [0.5, 0.5]", ""), "nothing is expected; say what in [expected"),
        (("draws = 2", "draw = 2"), 'there is no key "draw"; did you mean "draws"?'),
        (("draws = 2", "draws ="), "experiment.toml is no valid TOML: Invalid value (at line 3, "),
        (('web = "', 'web = "no'), "holds no recorded web; make one with `homing lab import`"),
    ],
)
def test_what_is_wrong_with_an_experiment_is_one_line_and_nothing_is_written(
    homing: Homing, small: Path, change: tuple[str, str], line: str
) -> None:
    text = small.read_text()
    assert change[0] in text
    small.write_text(text.replace(*change))
    assert line in refusal(homing("lab", "verify", small, "--out", "run"))
    assert os.listdir() == [small.name]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["run", "none.toml", "--out", "run"], "cannot read none.toml: No such file or directory"),
        (["run", "experiment.toml"], "missing option '--out'"),
        (["run", "experiment.toml", "--out", "run", "--proceses", "2"], 'did you mean "--processes"?'),
        (["run", "experiment.toml", "--out", "run", "--processes", "0"], "'--processes'"),
        (
            ["run", "experiment.toml", "--out", "run", "--highlight", "link-contest"],
            'no strategy "link-contest" to highlight; did you mean "link-context"?',
        ),
        (
            ["run", "experiment.toml", "--out", "experiment.toml"],
            "cannot make experiment.toml/runs: Not a directory; choose another --out",
        ),
        (["report", "run"], "run holds no results.json; make one with `homing lab run`"),
        (["rum", "experiment.toml"], "rum"),
    ],
)
def test_a_wrong_command_is_told_in_one_line(
    homing: Homing, small: Path, arguments: list[str], line: str
) -> None:
    assert line in refusal(homing("lab", *arguments))
    assert os.listdir() == [small.name]


def refusal(done: CompletedProcess[str]) -> str:
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    return done.stderr.strip().removeprefix("homing: ")
