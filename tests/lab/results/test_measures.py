from __future__ import annotations

import pytest
from tests.lab.made import make_run

from homing.errors import UsageError
from homing.lab.results import measures
from homing.lab.results.measures import MEASURES, Peers, measure, peers
from homing.lab.runs import Run


def value(name: str, run: Run, known: Peers | None = None) -> float | None:
    return measure(name).of(run, known or Peers())


def test_recall_counts_the_targets_that_came_so_far() -> None:
    assert measures.recall_curve(make_run()).tolist() == [0, 0.25, 0.5, 0.5, 0.5, 0.5, 0.75, 0.75]
    assert value("recall", make_run()) == 0.5


def test_harvest_is_a_share_of_the_pages_that_came_so_far() -> None:
    expected = [0, 1 / 2, 2 / 3, 2 / 4, 2 / 5, 2 / 6, 3 / 7, 3 / 8]
    assert measures.harvest_curve(make_run()).tolist() == pytest.approx(expected)
    assert value("harvest", make_run()) == 0.5


def test_auc_is_the_mean_of_recall_over_the_curve_or_up_to_the_budget() -> None:
    assert value("auc", make_run()) == (0.25 + 4 * 0.5 + 2 * 0.75) / 8
    assert value("auc_budget", make_run()) == (0.25 + 0.5 + 0.5) / 4


def test_a_crawl_that_ran_dry_stays_where_it_was() -> None:
    dry = make_run(pages=3, hits=(2, 3))
    assert value("auc", dry) == (0.25 + 6 * 0.5) / 8
    assert value("auc_budget", dry) == (0.25 + 0.5 + 0.5) / 4
    assert value("harvest", dry) == pytest.approx(2 / 3)
    assert measures.harvest_curve(dry)[-1] == pytest.approx(2 / 3)


def test_a_crawl_that_brought_nothing_has_zeros_and_no_similarity() -> None:
    nothing = make_run(pages=0, hits=())
    for name in ("recall", "harvest", "auc", "auc_budget"):
        assert value(name, nothing) == 0
    for name in (
        "pages_to_50",
        "precision_50",
        "average_similarity",
        "average_similarity_eq10",
        "cpu_ms_per_page",
    ):
        assert value(name, nothing) is None


def test_a_budget_beyond_the_end_of_the_curve_still_counts() -> None:
    assert value("auc_budget", make_run(budget=10, end=8)) == (0.25 + 4 * 0.5 + 4 * 0.75) / 10


def test_a_topic_without_targets_is_no_topic() -> None:
    with pytest.raises(ValueError, match="no target"):
        measures.auc(make_run(targets=0, hits=()))


def test_pages_to_a_share_is_the_page_that_reached_it_or_none() -> None:
    assert value("pages_to_50", make_run()) == 3
    assert value("pages_to_90", make_run()) is None
    tenth = make_run(targets=10, hits=(1, 2, 3, 4, 5, 6, 7, 8, 10), end=12, pages=12)
    assert value("pages_to_90", tenth) == 10


def test_a_target_after_the_end_of_the_curve_is_not_seen() -> None:
    run = make_run(hits=(2, 3, 7, 9), pages=9)
    assert value("pages_to_90", run) is None
    assert value("auc", run) == value("auc", make_run())


def test_precision_is_the_share_of_pages_up_to_the_budget_that_are_similar_enough() -> None:
    run = make_run(similar=(0.9, 0.55, 0.6, 0.2, 0.99))
    found = [value(f"precision_{percent}", run) for percent in (50, 60, 70, 80)]
    assert found == [3 / 4, 2 / 4, 1 / 4, 1 / 4]


def test_maximum_average_similarity_has_two_readings() -> None:
    run = make_run(similar=(0.9, 0.55, 0.65, 0.2, 0.99), mean_similar=(0.3, 0.4, 0.1))
    assert value("average_similarity", run) == pytest.approx((0.9 + 0.55 + 0.65 + 0.2) / 4)
    assert value("average_similarity_eq10", run) == 0.4


def test_the_share_of_the_oracle_is_of_its_auc_up_to_the_budget() -> None:
    oracle = make_run("oracle", hits=(1, 2, 3, 4))
    share = value("oracle_share", make_run(), Peers(oracle=oracle))
    assert share == pytest.approx((1.25 / 4) / ((0.25 + 0.5 + 0.75 + 1) / 4))
    assert value("oracle_share", make_run()) is None


def test_an_oracle_that_finds_nothing_in_the_budget_is_no_measure() -> None:
    assert value("oracle_share", make_run(), Peers(oracle=make_run("oracle", hits=(7,)))) is None


def test_apr_relates_precision_at_each_threshold_and_then_averages() -> None:
    run = make_run(similar=(0.9, 0.55, 0.65, 0.2))  # .75 .50 .25 .25
    baseline = make_run("best-first", similar=(0.85, 0.7, 0.1, 0.5))  # .75 .50 .50 .25
    assert value("apr", run, Peers(best_first=baseline)) == pytest.approx((1 + 1 + 0.5 + 1) / 4)


def test_apr_leaves_out_thresholds_that_best_first_never_reaches() -> None:
    run = make_run(similar=(0.9, 0.55, 0.65, 0.2))
    baseline = make_run("best-first", similar=(0.55, 0.6, 0.1, 0.1))  # .50 .25 0 0
    assert value("apr", run, Peers(best_first=baseline)) == pytest.approx((1.5 + 2) / 2)
    assert value("apr", run, Peers(best_first=make_run("best-first", similar=(0.1,)))) is None


def test_a_run_is_measured_only_against_runs_on_the_same_unit() -> None:
    with pytest.raises(ValueError, match="cannot be measured against"):
        value("oracle_share", make_run(), Peers(oracle=make_run("oracle", draw=1)))


def test_costs_are_a_page_and_a_url() -> None:
    run = make_run(cpu_seconds=0.016, fit_seconds=1.5, bytes_a_url=96.0)
    assert value("cpu_ms_per_page", run) == pytest.approx(2.0)
    assert value("fit_seconds", run) == 1.5
    assert value("bytes_a_url", run) == 96.0


def test_peers_are_found_by_unit_and_plain_best_first_is_the_one_to_beat() -> None:
    plain, other = make_run("best-first"), make_run("best-first", params={"sibling": True})
    oracle, elsewhere = make_run("oracle"), make_run("oracle", topic="ants")
    for order in ([plain, other], [other, plain]):
        found = peers([*order, oracle, elsewhere, make_run()])
        assert found[plain.unit] == Peers(oracle=oracle, best_first=plain)
        assert found[elsewhere.unit] == Peers(oracle=elsewhere)


def test_an_unknown_measure_is_told_in_one_line_with_the_nearest_there_is() -> None:
    with pytest.raises(UsageError, match=r'^there is no measure "recal"; did you mean "recall"\?$'):
        measure("recal")
    assert measure("auc-budget") is MEASURES["auc_budget"]
