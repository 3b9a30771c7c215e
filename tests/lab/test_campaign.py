"""Experiments from file to runs (``campaign``, ``runner``, ``fits``): kept, resumed, never made twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.lab.conftest import drawn

from homing.demo.web.little_web import LittleWeb
from homing.errors import UsageError
from homing.lab.campaign import Campaign, conduct, runs_in
from homing.lab.experiment import Experiment
from homing.lab.results.measures import harvest, recall
from homing.lab.runner import Job, Runner
from homing.lab.runs import Run

EXPERIMENT = """
web = "{web}"
budget = 0.10
curve_to = 0.30
draws = 2
examples = 4
judge = "keywords"
strategies = [{strategies}]

[[topics]]
label = "target"
text = "butterfly gardening"
seeds = ["{seed}"]
"""


STRATEGIES = '"oracle", "breadth-first", "link_context"'


class First(NamedTuple):
    """Where a campaign was made, what it gave, and what it told meanwhile."""

    path: Path
    out: Path
    campaign: Campaign
    told: list[tuple[int, int]]


@pytest.fixture
def write(tmp_path: Path, little_folder: Path, little_web: object) -> object:
    def written(strategies: str = STRATEGIES, more: str = "") -> Path:
        path = tmp_path / "experiment.toml"
        seed = little_web.seeds[0]  # type: ignore[attr-defined]
        path.write_text(EXPERIMENT.format(web=little_folder, strategies=strategies, seed=seed) + more)
        return path

    return written


@pytest.fixture(scope="module")
def first(little_folder: Path, little_web: LittleWeb, tmp_path_factory: pytest.TempPathFactory) -> First:
    """An experiment that was run once, by two processes."""
    folder = tmp_path_factory.mktemp("first")
    path = folder / "experiment.toml"
    path.write_text(EXPERIMENT.format(web=little_folder, strategies=STRATEGIES, seed=little_web.seeds[0]))
    told: list[tuple[int, int]] = []
    campaign = made(path, folder / "one", processes=2, progress=lambda *each: told.append(each))
    return First(path=path, out=folder / "one", campaign=campaign, told=told)


def timeless(run: Run) -> tuple[object, ...]:
    return run.unit, run.name, run.hits, run.pages, run.targets, run.similar, run.mean_similar


def made(path: Path, out: Path, **options: object) -> Campaign:
    return conduct(Experiment.load(path), out, **options)  # type: ignore[arg-type]


def test_an_experiment_is_run_once_and_the_same_again_elsewhere(first: First, tmp_path: Path) -> None:
    campaign = first.campaign
    assert (campaign.made, len(campaign.runs), campaign.troubles) == (6, 6, [])
    assert first.told == [(number, 6) for number in range(7)]
    assert [run.name for run in campaign.runs] == ["oracle", "breadth-first", "link-context"] * 2

    again = made(first.path, first.out, processes=1)
    assert again.made == 0
    assert again.runs == campaign.runs == runs_in(first.out)
    elsewhere = made(first.path, tmp_path / "two", processes=1)
    assert [*map(timeless, elsewhere.runs)] == [*map(timeless, campaign.runs)]


def test_targets_are_found_soonest_by_the_oracle_and_latest_by_breadth_first(first: First) -> None:
    runs = first.campaign.runs
    for oracle, breadth, focused in zip(runs[::3], runs[1::3], runs[2::3], strict=True):
        assert sum(oracle.hits[:5]) < sum(focused.hits[:5])
        assert len(focused.hits) > len(breadth.hits)
        assert len(oracle.hits) >= len(focused.hits)
        assert oracle.reachable > oracle.end > oracle.budget
        assert len(focused.similar) == focused.pages
        assert len(focused.mean_similar) == 4


def test_a_run_that_fails_is_told_of_and_stops_no_other(write, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "faulty.py").write_text(
        "from homing.strategies.breadth_first import BreadthFirst\n"
        "class Faulty(BreadthFirst):\n"
        '    """Breaks."""\n'
        '    name = "faulty"\n'
        "    def learn(self, visit):\n"
        '        raise ZeroDivisionError("at page %d" % visit.step)\n'
    )
    metadata = tmp_path / "faulty-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[homing.strategies]\nfaulty = faulty:Faulty\n")
    monkeypatch.syspath_prepend(tmp_path)
    result = made(write('"breadth-first", "faulty"'), tmp_path / "out", processes=1)
    assert len(result.runs) == 2
    assert result.troubles == [
        f"faulty on target, draw {draw}: ZeroDivisionError: at page 1" for draw in range(2)
    ]
    assert [run.name for run in runs_in(tmp_path / "out")] == ["breadth-first"] * 2


def test_other_settings_are_other_runs(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    first, job = Job(topic=0, draw=0, strategy=0), tmp_path / "models"
    digests = {
        Runner(Experiment.load(path), job).digest(first)
        for change in ("", 'outside = "fail"\n', 'exclude = ["*/about*"]\n', "# nothing\n")
        if (path := write('"link-context"')) and path.write_text(change + path.read_text())
    }
    assert len(digests) == 3
    plain = Runner(Experiment.load(write('"shark-search"')), job).digest(first)
    changed = Experiment.load(write('{ name = "shark-search", decay = 0.3 }'))
    assert plain != Runner(changed, job).digest(first)


def test_a_fit_on_a_prefix_is_kept_and_its_time_told_apart(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = write('{ name = "context-graph" }, "link-context"')
    path.write_text('fit = "prefix"\n' + path.read_text())
    runs = made(path, tmp_path / "out", processes=1).runs
    assert runs[0].fit_seconds > 0
    assert runs[0].hits != runs[1].hits
    models = list((tmp_path / "out" / "models").glob("*.json"))
    assert len(models) == 2
    assert json.loads(models[0].read_bytes())["model"]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("label = ", "lable = "), '[[topics]] has no key "lable"; did you mean "label"?'),
        (("draws = 2", "draws = 0"), "draws must be at least 1, not 0"),
        (("budget = 0.10", "budget = 0"), "budget"),
        (('label = "target"', 'label = "traget"'), 'is labelled "traget"; did you mean "target"?'),
        (('"breadth-first"', '"breadth-frist"'), 'did you mean "breadth-first"?'),
        (('"breadth-first"', '"link-context"'), 'has "link-context" twice'),
        (('judge = "keywords"', 'judge = "keyword"'), 'did you mean "keywords"?'),
        (("seeds = [", "# seeds = ["), "seeds is missing"),
        (("http://", "http://nowhere."), "the seed http://nowhere."),
    ],
)
def test_bad_input_is_one_clear_line(  # type: ignore[no-untyped-def]
    write, tmp_path: Path, change: tuple[str, str], line: str
) -> None:
    path = write()
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(UsageError) as caught:
        made(path, tmp_path / "out")
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_topic_can_be_its_sentence_alone(write, tmp_path: Path, little_folder: Path) -> None:  # type: ignore[no-untyped-def]
    path = write('"breadth-first", "adaptive"')
    path.write_text(
        path.read_text()
        .replace("draws = 2\nexamples = 4\n", "examples = 0\n")
        .replace('judge = "keywords"', "")
    )
    experiment = Experiment.load(path)
    assert (experiment.draws, experiment.judge.name) == (1, "keywords")
    breadth, adaptive = made(path, tmp_path / "out", processes=1).runs
    assert len(adaptive.hits) > len(breadth.hits)
    assert adaptive.similar == adaptive.mean_similar == (), "there is no example to be similar to"
    assert breadth.targets == len(Runner(experiment, tmp_path).task(0).positives)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('text = "butterfly gardening"', "", 'needs a text for every topic: "target" has none'),
        ("draws = 2", "draws = 3", "needs draws = 1"),
    ],
)
def test_without_examples_there_must_be_words_and_one_draw(  # type: ignore[no-untyped-def]
    write, old: str, new: str, complaint: str
) -> None:
    path = write()
    path.write_text(path.read_text().replace("examples = 4", "examples = 0").replace(old, new))
    with pytest.raises(UsageError, match=complaint):
        Experiment.load(path)


def test_a_target_fetched_again_is_found_once(tmp_path: Path) -> None:
    """Two hubs that lead to each other and to a few targets: cash moves on by revisits alone."""
    targets = tuple(f"/t{number}" for number in range(6))
    hubs = ("/", "/hub")
    drawn(tmp_path / "web", dict.fromkeys((*hubs, *targets), (*hubs, *targets)), targets).close()
    path = tmp_path / "experiment.toml"
    path.write_text(f"""
        web = "{tmp_path / "web"}"
        budget = 30
        curve_to = 30
        draws = 1
        examples = 2
        judge = "keywords"
        strategies = ["breadth-first", {{ name = "otie", recrawl = "fetch", recrawl_every = 1 }}]
        [[topics]]
        label = "on"
        text = "moth"
        seeds = ["http://a.example/"]
    """)
    for run in made(path, tmp_path / "run", processes=1).runs:
        again = run.pages - 8
        assert (again > 0) is (run.strategy == "otie")
        assert run.targets == len(run.hits) == 4
        assert recall(run) == 1.0
        assert harvest(run) == pytest.approx(4 / run.pages)
        assert sum(similar > 0 for similar in run.similar) <= 8
