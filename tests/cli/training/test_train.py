"""``homing train``: from pages to a model and its figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest

from homing.modelfile import read_model
from homing.store.catalog.labels import label_pages

if TYPE_CHECKING:
    from tests.cli.conftest import Served

Homing = Callable[..., CompletedProcess[str]]


@pytest.fixture
def pages(served: Served, tmp_path: Path) -> Path:
    """Folders of pages on the topic and off it."""
    served.save(tmp_path / "on", served.targets[:10])
    served.save(tmp_path / "off", served.others[:20])
    return tmp_path


def trained(done: CompletedProcess[str]) -> dict[str, object]:
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.keys() == {"model", "judge", "trained_on", "report", "keywords"}
    assert isinstance(found, dict)
    return found


def test_the_figures_are_printed_and_kept_in_the_model(homing: Homing, pages: Path) -> None:
    done = homing("train", "--positive", "on", "--negative", "off", "--out", "a.model", "--json")
    found = trained(done)
    assert found["judge"] == "bayes"
    assert found["trained_on"] == {"positives": 10, "negatives": 20, "unlabelled": 0}
    model = read_model(pages / "a.model")
    assert model.report == found["report"]
    assert model.trained_on == found["trained_on"]
    report = found["report"]
    assert isinstance(report, dict)
    assert report["roc_auc"] > 0.8
    assert 0 < report["f1"] <= 1
    shown = homing("train", "--positive", "on", "--negative", "off", "--out", "a.model").stdout
    for word in ("precision", "recall", "F1", "ROC-AUC", "homing judge a.model"):
        assert word in shown


@pytest.mark.parametrize("judge", ["examples", "bayes", "svm", "neural"])
def test_every_judge_that_learns_can_be_trained_on_positives_alone(
    homing: Homing, pages: Path, judge: str
) -> None:
    found = trained(
        homing("train", "--positive", "on", "--judge", judge, "--out", "a.model", "--folds", "2", "--json")
    )
    assert found["trained_on"] == {"positives": 10, "negatives": 0, "unlabelled": 0}
    assert read_model(pages / "a.model").name == judge


def test_one_page_is_enough_but_leaves_nothing_to_measure(homing: Homing, pages: Path) -> None:
    found = trained(homing("train", "--positive", "on/0.html", "--out", "a.model", "--json"))
    assert found["report"] is None
    assert read_model(pages / "a.model").report is None
    done = homing("train", "--positive", "on/0.html", "--out", "a.model")
    assert "Not measured: " in done.stdout
    assert done.stderr == "bayes was trained on 1 page on the topic\n"


def test_a_crawl_trains_by_its_labels_and_by_urls_of_it(
    homing: Homing, served: Served, tmp_path: Path
) -> None:
    crawl = ("crawl", "butterfly gardening", *served.web.seeds, "--out", "c", "--pages", "120", "--quiet")
    assert homing(*crawl, *served.options).returncode == 0
    fetched = homing("export", "c", "--format", "urls").stdout.split()
    good = [url for url in fetched if url in served.web.targets]
    bad = [url for url in fetched if url not in served.web.targets and url not in served.web.seeds]
    assert len(good) > 4
    label_pages(
        tmp_path / "c", dict.fromkeys(good[:3], True) | dict.fromkeys(bad[:2], False), wall=lambda: 0.0
    )
    (tmp_path / "more.txt").write_text("\n".join(good[3:5]))
    command = ("train", "--crawl", "c", "--positive", "more.txt", "--out", "a.model", "--folds", "2")
    counts = trained(homing(*command, "--json"))["trained_on"]
    assert isinstance(counts, dict)
    assert (counts["positives"], counts["negatives"]) == (5, 2)
    assert counts["unlabelled"] > 50


def test_a_labelled_set_is_parted_by_a_label(homing: Homing, served: Served, tmp_path: Path) -> None:
    with (tmp_path / "set.jsonl").open("w") as file:
        for label, urls in (("garden.insects", served.targets[:6]), ("other", served.others[:9])):
            for url in urls:
                body = served.web.pages[url].body.decode("utf-8", "replace")
                json.dump({"url": url, "content_type": "text/html", "body": body, "labels": [label]}, file)
                file.write("\n")
    whole = ("--positive", "set.jsonl", "--negative", "set.jsonl", "--label", "garden")
    found = trained(homing("train", *whole, "--out", "a.model", "--folds", "2", "--json"))
    assert found["trained_on"] == {"positives": 6, "negatives": 9, "unlabelled": 0}


ON = ("--positive", "on")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--negative", "off"), "no pages on the topic: name some with --positive, or label some of a crawl"),
        (("--positive", "empty"), "empty holds no pages: there is no HTML, text, PDF or JSONL file in it"),
        (("--positive", "none"), "cannot read none: No such file or directory"),
        ((*ON, "--negative", "on"), "is said to be on the topic and off it"),
        ((*ON, "--judge", "bajes"), 'there is no judge "bajes"; did you mean "bayes"?'),
        ((*ON, "--judge", "keywords", "--topic", "x"), 'the judge "keywords" learns nothing'),
        ((*ON, "--set", "nonsense=1"), 'judge "bayes" has no parameter "nonsense"'),
        ((*ON, "--set", "nonsense"), '--set must be KEY=VALUE, not "nonsense"'),
        ((*ON, "--folds", "1"), "--folds"),
        ((*ON, "--crawl", "on"), "on holds no crawl; name the folder that `homing crawl` wrote to"),
        ((*ON, "--out", "on"), "--out cannot be on: name a file in an existing folder"),
        (
            (*ON, "--out", "nowhere/a.model"),
            "cannot be nowhere/a.model: name a file in an existing folder",
        ),
    ],
)
def test_what_cannot_be_trained_on_is_one_line_and_nothing_is_written(
    homing: Homing, pages: Path, arguments: tuple[str, ...], line: str
) -> None:
    (pages / "empty").mkdir()
    before = sorted(pages.rglob("*"))
    done = homing("train", "--out", "a.model", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert line in done.stderr
    assert sorted(pages.rglob("*")) == before


def test_every_file_that_cannot_be_read_has_its_line(homing: Homing, pages: Path) -> None:
    done = homing("train", "--positive", "a.html", "--negative", "b.html", "--out", "a.model")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"homing: cannot read {name}.html: No such file or directory" for name in "ab"
    ]
