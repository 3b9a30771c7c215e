from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.lab.made import campaign, make_run

from homing.errors import UsageError
from homing.lab.pictures import draw
from homing.lab.pictures.means import KINDS, over_draws, over_topics
from homing.lab.pictures.style import drawing, highlighted
from homing.lab.results.file import Results, results_of
from homing.lab.results.timings import Timings, timings_of
from homing.lab.runs import Run

NAMES = ["oracle", "otie", "crf", "hmm", "opic", "layered", "memm", "breadth-first", "random"]
RECALL, HARVEST = KINDS


def draw_all(runs: list[Run], folder: Path) -> dict[str, bytes]:
    """Draws from what lies in the folder after an experiment, and gives back what was drawn by file name."""
    results_of(runs, web="little").write(folder)
    timings_of(runs).write(folder)
    paths = draw(runs, Results.read(folder), Timings.read(folder), folder / "pictures")
    return {path.name: path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return draw_all(campaign(NAMES, 2, 2), tmp_path_factory.mktemp("pictures"))


def words(picture: bytes) -> set[str]:
    return {word for text in ElementTree.fromstring(picture).itertext() for word in text.split()}


def test_a_curve_over_topics_averages_draws_first() -> None:
    def run(topic: str, draw: int, hits: tuple[int, ...]) -> Run:
        return make_run(topic=topic, draw=draw, targets=2, hits=hits, reachable=8, end=4, pages=4)

    runs = [run("bees", 0, (1, 2)), run("bees", 1, ()), run("ants", 0, (3, 4))]
    (curve,) = over_topics(RECALL, runs, ["otie"], {}, points=4)
    assert curve.shares.tolist() == pytest.approx([1 / 8, 2 / 8, 3 / 8, 4 / 8])
    # bees: the mean of (.5 1 1 1) and nothing; ants: (0 0 .5 1)
    assert curve.mean.tolist() == pytest.approx([0.125, 0.25, 0.5, 0.75])
    assert curve.low is not None
    assert curve.high is not None
    assert (curve.low[0], curve.high[0]) == (0, 0.25)


def test_a_curve_goes_as_far_as_all_runs_do() -> None:
    runs = [make_run(reachable=10, end=8), make_run(topic="ants", reachable=20, end=8)]
    (recall,) = over_topics(RECALL, runs, [], {})
    assert (recall.shares[0], recall.shares[-1]) == (0.1, 0.4)
    assert recall.low is None
    (harvest,) = over_topics(HARVEST, runs, [], {})  # it begins with the tenth page, which these do not have
    assert set(harvest.shares) == {0.4}


def test_the_band_of_a_topic_is_over_its_draws() -> None:
    curves = over_draws(RECALL, [make_run(), make_run(draw=1, hits=())], ["otie"])
    (curve,) = curves
    assert curve.low is not None
    assert curve.high is not None
    assert np.all(curve.low == 0)
    assert curve.high[-1] == 0.75


def test_the_best_stand_out_and_what_they_are_held_to() -> None:
    results = results_of(campaign(NAMES, 2, 2), web="w")
    assert set(highlighted(results)) == {"oracle", "otie", "crf", "hmm", "opic", "breadth-first", "random"}
    assert set(highlighted(results, ["memm", "random"])) == {"memm", "random"}
    styles = list(highlighted(results).values())
    assert len({style.colour for style in styles}) == len({style.dash for style in styles}) + 1 == len(styles)


def test_a_strategy_to_highlight_that_was_not_run_is_told_in_one_line() -> None:
    with pytest.raises(UsageError, match='no run of "oti" to highlight; did you mean "otie"'):
        highlighted(results_of(campaign(NAMES, 1, 1), web="w"), ["oti"])


def test_every_picture_is_drawn_as_png_and_svg(pictures: dict[str, bytes]) -> None:
    names = "auc-budget cost harvest harvest-by-topic recall recall-by-topic".split()
    assert sorted(pictures) == sorted(f"{name}.{kind}" for name in names for kind in ("png", "svg"))
    assert all(pictures[f"{name}.png"].startswith(b"\x89PNG") for name in names)
    assert {"oracle", "otie", "crf", "random", "budget", "little:"} <= words(pictures["recall.svg"])
    assert {"all", "0", "1", "otie"} <= words(pictures["recall-by-topic.svg"])
    assert {*NAMES, "AUC"} <= words(pictures["auc-budget.svg"])
    assert {*NAMES, "ms"} - words(pictures["cost.svg"]) == {"oracle"}
    assert b"mathdefault" not in pictures["cost.svg"]  # every number on the axis is a plain one


def test_the_same_runs_give_the_same_pictures(pictures: dict[str, bytes], tmp_path: Path) -> None:
    assert draw_all(campaign(NAMES, 2, 2)[::-1], tmp_path) == pictures


def test_a_single_run_that_brought_nothing_can_be_drawn(tmp_path: Path) -> None:
    files = draw_all([make_run(topic="bees for $5 or $6", pages=0, hits=())], tmp_path)
    assert {"bees", "$5", "otie"} <= words(files["recall.svg"])


def test_runs_without_a_row_are_not_drawn(tmp_path: Path) -> None:
    left_over = [make_run("hmm"), make_run(topic="ants")]
    results = results_of([], web="w")
    assert draw(left_over, results, timings_of([]), tmp_path / "pictures") == []
    assert not (tmp_path / "pictures").exists()


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with (
        pytest.raises(UsageError, match=r'^pictures need matplotlib: pip install "homing\[lab\]"$'),
        drawing(),
    ):
        pass


def test_matplotlib_is_loaded_only_to_draw() -> None:
    code = "import sys, homing.lab.pictures; sys.exit(bool({'matplotlib', 'scipy.stats'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
