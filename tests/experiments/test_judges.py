"""The experiment that compares judges: training pages, judged pages, and the page written from them."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import msgspec
import numpy as np
import pytest
from experiments.judges.comparison import CONTENDERS, Draw, Finished, row_of
from experiments.judges.measures import best_f1, calibration_error, f1, roc_auc
from experiments.judges.page import as_markdown
from experiments.judges.picture import as_picture
from experiments.judges.recorded import Labelled, Subject, pages_of, subjects_of
from experiments.judges.rows import MANY, NAME, Row

from homing.model import Page

BEES = Subject("wikispeedia", "subject.Science.Bees")
KEYWORDS = next(contender for contender in CONTENDERS if contender.judge == "keywords")


@pytest.fixture(scope="module")
def pages() -> list[Labelled]:
    """Eighty pages on bees, a quarter of them a label further down, among two thousand."""
    return [
        Labelled(
            Page(
                url=f"http://a.example/{number}", text="Bees make honey. " * 20 if number < 80 else "Trains."
            ),
            (("subject.Science.Bees" if number % 4 else "subject.Science.Bees.Bumble_bees"),)
            if number < 80
            else ("subject.Science.Beest",),
        )
        for number in range(2000)
    ]


def test_no_page_is_judged_that_a_judge_was_trained_on(pages: list[Labelled]) -> None:
    draw = Draw.of(pages, BEES, 0)
    training = {page.url for page in (*draw.positives, *draw.background)}
    assert training.isdisjoint(page.url for page in draw.judged)
    assert len(draw.positives) == 30
    assert draw.examples == draw.positives[:8]
    assert len(training) == 330


def test_the_pages_judged_stand_for_all_the_others(pages: list[Labelled]) -> None:
    draw = Draw.of(pages, BEES, 0, others=100)
    assert len(draw.judged) == sum(draw.truth) + 100
    assert sum(draw.weights) == pytest.approx(2000 - 330)
    on_topic = [page for page in draw.background if "Bees" in page.text]
    assert sum(draw.truth) + len(on_topic) == 80 - 30


def test_a_small_topic_keeps_half_of_its_pages_to_be_judged(pages: list[Labelled]) -> None:
    draw = Draw.of(pages, Subject("wikispeedia", "subject.Science.Bees.Bumble_bees"), 0)
    assert len(draw.positives) == 10
    assert len(draw.examples) == 6


def test_draws_differ_and_each_can_be_drawn_again(pages: list[Labelled]) -> None:
    assert Draw.of(pages, BEES, 1) == Draw.of(pages, BEES, 1)
    assert Draw.of(pages, BEES, 1).examples != Draw.of(pages, BEES, 2).examples


def test_a_judge_that_is_right_gets_full_marks(pages: list[Labelled]) -> None:
    row = row_of(KEYWORDS, Draw.of(pages, BEES, 0), BEES, 0)
    assert (row.roc_auc, row.f1) == (1.0, 1.0)
    assert row.name == "Bees"


def test_finished_rows_are_not_run_again(pages: list[Labelled], tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    first = Finished(path).row(KEYWORDS, BEES, 0, lambda: Draw.of(pages, BEES, 0))

    def no_draw() -> Draw:
        raise AssertionError("run again")

    assert Finished(path).row(KEYWORDS, BEES, 0, no_draw) == first


def test_measures_agree_with_their_definitions() -> None:
    dice = np.random.default_rng(1)
    scores, truth = dice.random(200).round(1), dice.random(200) < 0.3
    pairs = [(on, off) for on in scores[truth] for off in scores[~truth]]
    assert roc_auc(scores, truth) == pytest.approx(
        np.mean([1.0 if on > off else 0.5 if on == off else 0.0 for on, off in pairs])
    )
    assert f1(np.zeros(200), truth, np.ones(200)) == 0
    thresholds = [f1(np.where(scores >= border, 1.0, 0.0), truth, np.ones(200)) for border in set(scores)]
    assert best_f1(scores, truth, np.ones(200)) == pytest.approx(max(thresholds))
    doubled = calibration_error(np.tile(scores, 2), np.tile(truth, 2), np.ones(400))
    assert calibration_error(scores, truth, np.full(200, 2.0)) == pytest.approx(doubled)
    assert calibration_error(np.ones(200), truth, np.ones(200)) == pytest.approx(1 - truth.mean())


def test_the_line_that_names_the_label_is_taken_out(tmp_path: Path) -> None:
    web = tmp_path / "wikispeedia"
    web.mkdir()
    record = {
        "url": "http://a.example/47_Ursae_Majoris",
        "content_type": "text/html",
        "charset": "utf-8",
        "labels": ["subject.Science.Physics.Space_Astronomy"],
        "body": "<h1>47 Ursae Majoris</h1><h3>2007 Selection. Related subjects: Space (Astronomy)</h3>"
        "<p>A star much like the Sun, with three planets that people know of.</p>",
    }
    index = record | {"labels": [], "url": "http://a.example/index/subject.Science"}
    with lzma.open(web / "pages.jsonl.xz", "wt") as file:
        file.writelines(json.dumps(each) + "\n" for each in (record, index))
    (web / "split.json").write_text(json.dumps({"test": ["subject.Science.Physics.Space_Astronomy"]}))
    pages = pages_of(web, tmp_path / "cache")
    assert len(pages) == 1, "pages without a label are left out"
    assert "Astronomy" not in str(pages[0].page)
    assert "planets" in pages[0].page.text
    assert pages_of(web, tmp_path / "cache") == pages, "the second time from the cache"
    assert [subject.name for subject in subjects_of(web, "test")] == ["Space Astronomy"]


def test_the_page_says_whether_a_bar_is_reached() -> None:
    row = Row(
        web="wikispeedia", topic="subject.Bees", name="Bees", draw=4, judge="keywords", told=NAME,
        share=0.02, roc_auc=0.79, f1=0.5, best_f1=0.6, calibration_error=0.1, ms_per_page=0.1,
        fit_seconds=0.1,
    )  # fmt: skip
    other = msgspec.structs.replace(row, judge="svm", told=MANY, roc_auc=0.99)
    page = as_markdown([row, other], split="test", others=1000, picture="judges.svg")
    assert "drawn 5 times" in page
    assert "| `keywords` | its name | **.790** (.790 to .790) | ≥ .800: NO |" in page
    assert "≥ .950: yes" in page
    picture = as_picture([row, other])
    assert picture.count("<circle") == 2
    assert picture.startswith("<svg")
