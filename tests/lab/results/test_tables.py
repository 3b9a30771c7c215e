from __future__ import annotations

import io

import pytest
from rich.console import Console
from tests.lab.made import campaign, make_run

from homing.errors import UsageError
from homing.lab.results.file import results_of
from homing.lab.results.tables import Sheet, comparison_sheet, summary_sheet
from homing.lab.results.timings import timings_of

NAMES = ["otie", "oracle", "best-first", "breadth-first"]


def printed(sheet: Sheet, width: int = 160) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(sheet.as_rich())
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_summary_goes_from_the_limit_over_the_best_to_the_worst() -> None:
    runs = campaign(NAMES, 3, 2)
    sheet = summary_sheet(results_of(runs, web="w"), timings_of(runs))
    assert [line[0] for line in sheet.lines] == ["oracle (the limit)", "otie", "best-first", "breadth-first"]
    assert sheet.headings[-1] == "CPU ms"
    assert [bool(line[-1]) for line in sheet.lines] == [False, True, True, True]


def test_a_mean_is_shown_with_its_interval() -> None:
    runs = [make_run(topic="bees", hits=(1, 2, 3, 4)), make_run(topic="ants", hits=(1,))]
    sheet = summary_sheet(results_of(runs, web="w"), measures=["recall"])
    assert sheet.headings == ("strategy", "recall", "pages to 50 %", "to 90 %")
    assert sheet.lines == (("otie", ".625 (.250–1.000)", "never", "never"),)


def test_markdown_is_a_table_with_its_rules_below() -> None:
    results = results_of(
        campaign(NAMES, 3, 2), web="w", settings={"outside": "ignore", "exclude": ["*/a", "*/b"], "truth": []}
    )
    lines = summary_sheet(results).as_markdown().splitlines()
    assert lines[1] == "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    assert len({line.count("|") for line in lines[:6]}) == 1
    assert lines[7] == (
        "w: means over 3 topics of 2 draws each, with 95 % bootstrap intervals over topics; "
        "pages to 50 and 90 % of the targets are medians; CPU time is a page's."
    )
    assert lines[9] == "outside: ignore; exclude: */a, */b."


def test_names_are_shown_as_they_are() -> None:
    results = results_of([make_run(label="otie order=[bold] | a")], web="w")
    assert "| otie order=[bold] \\| a |" in summary_sheet(results).as_markdown()
    assert "otie order=[bold] | a" in printed(summary_sheet(results))


def test_a_strategy_that_failed_on_a_topic_is_named() -> None:
    runs = [make_run(), make_run(topic="ants"), make_run("opic")]
    assert "Not run on every topic: opic (1)." in summary_sheet(results_of(runs, web="w")).notes


def test_figures_are_whole_on_a_narrow_terminal() -> None:
    sheet = summary_sheet(results_of(campaign(NAMES, 3, 2), web="w"), measures=["auc_budget", "recall"])
    for width in (160, 80, 60, 45):
        shown = printed(sheet, width)
        assert max(map(len, shown.splitlines())) <= width
        for line in sheet.lines:
            assert set(line[1].split()) <= set(shown.split())
    assert "A wider terminal shows also:" in shown


def test_comparisons_are_shown_with_their_verdict() -> None:
    runs = [
        make_run(name, topic, hits=hits)
        for topic in "abcdef"
        for name, hits in {"breadth-first": (4,), "otie": (1, 2, 3), "random": (8,)}.items()
    ]
    sheet = comparison_sheet(results_of(runs, web="w").comparisons)
    assert sheet.lines == (
        ("otie", "breadth-first", "+.500", "better", "+.500 to +.500", ".031", ".062", "6"),
        ("random", "breadth-first", "-.062", "worse", "-.062 to -.062", ".031", ".062", "6"),
    )
    assert sheet.notes[0].startswith("Difference in AUC to budget, paired by topic and draw.")


def test_a_column_that_does_not_exist_is_told_in_one_line() -> None:
    with pytest.raises(UsageError, match='there is no measure "acu"; did you mean "auc"'):
        summary_sheet(results_of(campaign(["otie"], 1, 1), web="w"), measures=["acu"])
