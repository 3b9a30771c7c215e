"""Cross-validation: figures that can be checked by hand, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from homing.errors import UsageError
from homing.judge import Brief, Judge
from homing.judge.keywords import Keywords
from homing.judge.trained.validation import cross_validate, roc_auc
from homing.model import Judgement, Page


class ByTitle(Judge):
    """Scores a page by the number in its title."""

    name: str = "by-title"
    made: list[Brief]

    def __init__(self, brief: Brief) -> None:
        super().__init__(brief)
        self.made.append(brief)

    def judge(self, page: Page) -> Judgement:
        return self.judgement(float(page.title))

    def rate(self, texts: list[str]) -> list[float]:
        return [0.0] * len(texts)


@pytest.fixture(autouse=True)
def made() -> list[Brief]:
    ByTitle.made = []
    return ByTitle.made


def pages(*scores: float) -> tuple[Page, ...]:
    return tuple(
        Page(url=f"http://a.example/{score}-{n}", title=str(score)) for n, score in enumerate(scores)
    )


def test_the_figures_are_those_of_the_pages_held_out() -> None:
    """One fold holds one page of each class, so that the means can be counted on the fingers."""
    brief = Brief(examples=pages(0.9, 0.8, 0.7, 0.2), negatives=pages(0.1, 0.1, 0.1, 0.1))
    report = cross_validate(ByTitle, brief, folds=4)
    assert (report.precision, report.recall, report.f1) == (0.75, 0.75, 0.75)
    assert report.roc_auc == 1.0
    assert report.recall_spread == pytest.approx(0.433, abs=1e-3)
    assert (report.positives, report.negatives, report.folds) == (4, 4, 4)


def test_no_page_is_judged_by_a_judge_trained_on_it(made: list[Brief]) -> None:
    brief = Brief(examples=pages(0.9, 0.8, 0.7), negatives=pages(0.1, 0.2, 0.3))
    cross_validate(ByTitle, brief, folds=3)
    assert [(len(each.examples), len(each.negatives)) for each in made] == [(2, 2)] * 3
    left_out = [set(brief.examples) - set(each.examples) for each in made]
    assert set.union(*left_out) == set(brief.examples)


def test_a_single_page_off_the_topic_is_trained_on_and_not_held_out(made: list[Brief]) -> None:
    report = cross_validate(ByTitle, Brief(examples=pages(0.9, 0.8, 0.7), negatives=pages(0.1)), folds=3)
    assert (report.recall, report.precision, report.negatives, report.folds) == (1.0, None, 1, 3)
    assert [(len(each.examples), len(each.negatives)) for each in made] == [(2, 1)] * 3


def test_unlabelled_pages_stand_in_where_there_are_no_negatives(made: list[Brief]) -> None:
    report = cross_validate(
        ByTitle, Brief(examples=pages(0.9, 0.8), unlabelled=pages(0.1, 0.2, 0.3)), folds=5
    )
    assert (report.folds, report.negatives, report.f1) == (2, 3, 1.0)
    assert all(each.unlabelled and not each.negatives for each in made)


def test_a_report_is_plain_data() -> None:
    report = cross_validate(Keywords, Brief(text="moths", examples=pages(1, 1), negatives=pages(2, 2)))
    assert json.loads(json.dumps(report.as_data())) == report.as_data()


@pytest.mark.parametrize("examples", [(), (0.5,)])
def test_too_few_pages_on_the_topic_are_refused_with_their_number(examples: Sequence[float]) -> None:
    with pytest.raises(UsageError, match=f"at least 2 pages on the topic: there is {len(examples)}"):
        cross_validate(ByTitle, Brief(examples=pages(*examples), negatives=pages(0.1, 0.2)))


def test_from_positives_alone_only_the_recall_can_be_measured() -> None:
    report = cross_validate(ByTitle, Brief(examples=pages(0.9, 0.8, 0.1, 0.7)))
    assert (report.recall, report.precision, report.f1, report.roc_auc) == (0.75, None, None, None)


@pytest.mark.parametrize(
    ("on", "off", "area"),
    [([0.9], [0.1], 1.0), ([0.1], [0.9], 0.0), ([0.5], [0.5], 0.5), ([0.9, 0.3], [0.4, 0.3, 0.1], 0.75)],
)
def test_the_area_counts_pairs_in_the_right_order(on: list[float], off: list[float], area: float) -> None:
    assert roc_auc(on, off) == pytest.approx(area)
