from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.lab.made import campaign, make_run

from homing.errors import UsageError
from homing.lab.results.file import Results, results_of, summarise
from homing.lab.results.intervals import Estimate
from homing.lab.results.rows import rows_of
from homing.lab.results.timings import Timings, timings_of
from homing.lab.runs import Run

NAMES = ["oracle", "otie", "best-first", "breadth-first"]


def test_a_row_says_what_a_run_had_found_at_the_budget() -> None:
    oracle = make_run("oracle", hits=(1, 2, 3, 4))
    run = make_run(params={"strength": 0.5}, label="otie strength=0.5", similar=(0.9, 0.55, 0.65, 0.2))
    row = next(row for row in rows_of([run, oracle]) if row.strategy == "otie")
    assert (row.topic, row.draw, row.name, row.params) == ("bees", 0, "otie strength=0.5", {"strength": 0.5})
    assert (row.pages, row.found, row.targets) == (4, 2, 4)
    assert row.recall == row.found / row.targets == 0.5
    assert row.harvest == row.found / row.pages == 0.5
    assert (row.auc, row.auc_budget, row.oracle_share) == (0.46875, 0.3125, 0.5)
    assert (row.pages_to_50, row.pages_to_90, row.precision_50, row.apr) == (3, None, 0.75, None)
    assert row.dry_after is None


def test_a_row_says_where_a_crawl_ran_dry() -> None:
    (row,) = rows_of([make_run(pages=3, hits=(2, 3))])
    assert (row.pages, row.found, row.dry_after) == (3, 2, 3)


def test_two_runs_of_the_same_name_on_the_same_unit_are_refused() -> None:
    with pytest.raises(ValueError, match="two runs of otie on draw 0 of bees"):
        rows_of([make_run(), make_run(hits=(1,))])


def test_a_summary_averages_draws_first_and_then_topics() -> None:
    def run(topic: str, draw: int, found: int) -> Run:
        return make_run(topic=topic, draw=draw, hits=tuple(range(1, found + 1)))

    (summary,) = summarise(
        rows_of([run("bees", 0, 4), run("bees", 1, 2), run("bees", 2, 3), run("ants", 0, 1)])
    )
    assert summary.estimates["recall"] == Estimate(0.5, 0.25, 0.75)
    assert (summary.units, summary.runs) == (2, 4)


def test_pages_to_a_share_are_medians_in_which_never_is_longest() -> None:
    def runs(*hits: tuple[int, ...]) -> list[Run]:
        return [make_run(topic=f"topic {place}", hits=each) for place, each in enumerate(hits)]

    (most,) = summarise(rows_of(runs((1, 3), (1, 5), ())))
    assert most.pages_to_50 == most.mean("pages_to_50") == 5
    (half,) = summarise(rows_of(runs((1, 3), ())))
    assert half.pages_to_50 is None


def test_clusters_widen_the_interval() -> None:
    rows = rows_of(campaign(["otie"], 6, 1))
    alone, together = (
        summarise(rows)[0],
        summarise(rows, {f"topic {place}": str(place % 2) for place in range(6)})[0],
    )
    assert alone.mean("auc") == together.mean("auc")
    assert alone.estimates["auc"] != together.estimates["auc"]


def test_the_same_runs_give_the_same_bytes_in_whatever_order_and_time_they_came() -> None:
    runs = campaign(NAMES, 6, 2)
    slower = [replace(run, cpu_seconds=99.0, seconds=1.0, bytes_a_url=3.0) for run in reversed(runs)]
    assert results_of(runs, web="w").as_json() == results_of(slower, web="w").as_json()


def test_results_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    runs = campaign(NAMES, 6, 2)
    written = results_of(
        runs, web="w", settings={"outside": "ignore"}, clusters={"topic 0": "x", "topic 1": "x"}
    )
    written.write(tmp_path)
    read = Results.read(tmp_path)
    assert read == written
    assert read.as_json() == written.as_json() == (tmp_path / "results.json").read_bytes()
    assert summarise(read.rows, read.clusters) == read.summary


def test_the_file_has_the_shape_that_scripts_rely_on(tmp_path: Path) -> None:
    results_of(campaign(NAMES, 6, 2), web="w").write(tmp_path)
    found = json.loads((tmp_path / "results.json").read_text())
    assert {"web", "rows", "summary", "comparisons"} <= found.keys()
    keys = "topic draw strategy params pages found targets recall harvest auc auc_budget oracle_share".split()
    assert {*keys, "pages_to_50", "pages_to_90", "apr"} <= found["rows"][0].keys()
    assert len(found["rows"]) == 4 * 6 * 2
    assert [each["strategy"] for each in found["summary"]] == NAMES
    assert found["summary"][0]["auc_low"] < found["summary"][0]["auc_mean"] < found["summary"][0]["auc_high"]
    assert {each["strategy"]: each["against"] for each in found["comparisons"]} == {
        "otie": "breadth-first",
        "best-first": "breadth-first",
    }
    assert {each["verdict"] for each in found["comparisons"]} <= {"better", "worse", "undecided"}


def test_without_the_baseline_nothing_is_compared() -> None:
    assert results_of(campaign(["otie", "opic"], 2, 1), web="w").comparisons == ()


def test_times_lie_beside_the_results(tmp_path: Path) -> None:
    runs = [
        make_run(cpu_seconds=0.008, fits=1),
        make_run(draw=1, cpu_seconds=0.024),
        make_run("opic", pages=0),
    ]
    timings_of(runs).write(tmp_path)
    read = Timings.read(tmp_path)
    assert read == timings_of(reversed(runs))
    assert (read.cpu_ms("otie"), read.cpu_ms("opic"), read.cpu_ms("crf")) == (2.0, None, None)
    assert [(row.name, row.cpu_ms_per_page, row.fits) for row in read.rows] == [
        ("opic", None, 0),
        ("otie", 1.0, 1),
        ("otie", 3.0, 0),
    ]


def test_a_folder_without_results_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no results.json; make one with `homing lab run`$"):
        Results.read(tmp_path)
    assert Timings.read(tmp_path).rows == ()


@pytest.mark.parametrize("text", ["", "{}", '{"summary": 3}', '{"web": "w", "rows": [{}], "summary": []}'])
def test_a_damaged_file_is_told_in_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(text)
    with pytest.raises(UsageError, match=r"results.json cannot be read \(.+\); run the experiment again$"):
        Results.read(tmp_path)
