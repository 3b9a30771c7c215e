from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from tests.lab.made import make_run

from homing.errors import UsageError
from homing.lab.results.compare import Comparison, against, compare
from homing.lab.results.rows import Row, rows_of
from homing.lab.runs import Run

TOPICS = "abcdefgh"


@pytest.fixture
def rows() -> Callable[..., list[Row]]:
    """One target in a hundred pages, found at the step that is said: an AUC of 1 - (step - 1) / 100."""

    def make(steps: Mapping[str, list[int]]) -> list[Row]:
        return list(
            rows_of(
                make_run(name, TOPICS[place], hits=(step,), targets=1, budget=100, end=100, pages=100)
                for name, of_topics in steps.items()
                for place, step in enumerate(of_topics)
            )
        )

    return make


def only(found: tuple[Comparison, ...]) -> Comparison:
    (one,) = found
    return one


def test_the_difference_is_the_mean_over_topics_of_the_mean_over_draws() -> None:
    def run(name: str, topic: str, draw: int, step: int) -> Run:
        return make_run(name, topic, draw, hits=(step,), targets=1, budget=10, end=10, pages=10)

    runs = [
        *(run("otie", "bees", 0, 1), run("opic", "bees", 0, 3)),  # 1.0 - .8
        *(run("otie", "bees", 1, 1), run("opic", "bees", 1, 5)),  # 1.0 - .6
        *(run("otie", "ants", 0, 6), run("opic", "ants", 0, 5)),  # .5 - .6
    ]
    found = only(compare(rows_of(runs), [("otie", "opic")]))
    assert found.mean == pytest.approx((0.3 - 0.1) / 2)
    assert (found.low, found.high) == (-0.1, 0.3)
    assert (found.units, found.witnesses) == (2, 2)


def test_draws_that_only_one_of_the_two_has_do_not_count() -> None:
    runs = [make_run("otie"), make_run("opic"), make_run("opic", draw=1, hits=(1, 2, 3, 4))]
    assert only(compare(rows_of(runs), [("otie", "opic")])).mean == 0
    assert compare(rows_of([make_run("otie"), make_run("opic", topic="ants")]), [("otie", "opic")]) == ()


def test_fewer_than_six_topics_are_reported_and_not_tested(rows: Callable[..., list[Row]]) -> None:
    found = only(compare(rows({"otie": [1] * 5, "opic": [11] * 5}), [("otie", "opic")]))
    assert (found.mean, found.low, found.high) == (0.1, 0.1, 0.1)
    assert (found.p, found.p_holm, found.verdict) == (None, None, "not tested")


def test_six_topics_that_agree_are_enough(rows: Callable[..., list[Row]]) -> None:
    made = rows({"otie": [1] * 6, "opic": [2, 3, 4, 5, 6, 7]})
    better = only(compare(made, [("otie", "opic")]))
    assert better.p == pytest.approx(2 / 2**6)  # the one way of 64 in which all signs agree, and its mirror
    assert better.mean == pytest.approx(0.035)
    assert better.verdict == "better"
    worse = only(compare(made, [("opic", "otie")]))
    assert (worse.mean, worse.low, worse.high) == (-better.mean, -(better.high or 0), -(better.low or 0))
    assert worse.verdict == "worse"


def test_an_interval_that_holds_0_decides_nothing(rows: Callable[..., list[Row]]) -> None:
    found = only(compare(rows({"otie": [1, 9, 1, 9, 1, 9], "opic": [9, 1, 9, 1, 9, 1]}), [("otie", "opic")]))
    assert (found.mean, found.verdict, found.p) == (0, "undecided", 1)


def test_strategies_that_do_the_same_are_undecided(rows: Callable[..., list[Row]]) -> None:
    found = only(compare(rows({"otie": [3] * 6, "opic": [3] * 6}), [("otie", "opic")]))
    assert (found.p, found.verdict) == (1, "undecided")


def test_holm_corrects_over_the_comparisons_made_together(rows: Callable[..., list[Row]]) -> None:
    made = rows(
        {
            "opic": [50] * 8,
            "otie": [1, 2, 3, 4, 5, 6, 7, 8],  # eight of eight: 2 / 256
            "crf": [10, 20, 30, 40, 45, 46, 47, 70],
            "random": [40, 60, 41, 62, 43, 64, 45, 66],
        }
    )
    found = against(made, "opic")
    (least, least_holm), (next_, next_holm), (most, most_holm) = sorted(
        (each.p or 0, each.p_holm or 0) for each in found
    )
    assert least == pytest.approx(2 / 256, rel=1e-3)
    assert least_holm == pytest.approx(3 * least, rel=1e-3)
    assert least < next_ < most
    assert next_holm == pytest.approx(2 * next_, rel=1e-3)
    assert most_holm == pytest.approx(most, rel=1e-3)


def test_a_corrected_p_is_never_below_one_before_it(rows: Callable[..., list[Row]]) -> None:
    made = rows({"opic": [50] * 6, "otie": [1, 2, 3, 4, 5, 6], "crf": [7, 8, 9, 10, 11, 12]})
    assert [each.p_holm for each in against(made, "opic")] == [2 * 2 / 64] * 2


def test_topics_of_one_cluster_are_one_witness(rows: Callable[..., list[Row]]) -> None:
    made = rows({"otie": [1] * 8, "opic": [3] * 4 + [5] * 4})
    clusters = dict(zip(TOPICS, ["course"] * 4 + ["faculty"] * 4, strict=True))
    found = only(compare(made, [("otie", "opic")], clusters=clusters))
    assert (found.units, found.witnesses) == (8, 2)
    assert (found.mean, found.low, found.high) == (0.03, 0.02, 0.04)
    assert (found.p, found.verdict) == (None, "not tested")


def test_the_oracle_is_compared_with_nobody(rows: Callable[..., list[Row]]) -> None:
    made = rows({"oracle": [1] * 6, "otie": [2] * 6, "opic": [3] * 6})
    assert [each.strategy for each in against(made, "opic")] == ["otie"]


def test_a_strategy_that_was_not_run_is_told_in_one_line(rows: Callable[..., list[Row]]) -> None:
    with pytest.raises(UsageError, match=r'^no run of "otei" to compare; did you mean "otie"\?$'):
        compare(rows({"otie": [1], "opic": [1]}), [("otei", "opic")])


@pytest.mark.parametrize("name", ["pages_to_50", "cpu_ms_per_page"])
def test_what_not_every_run_has_is_not_compared(name: str, rows: Callable[..., list[Row]]) -> None:
    with pytest.raises(UsageError, match=f"^{name} is not compared"):
        compare(rows({"otie": [1], "opic": [1]}), [("otie", "opic")], by=name)
