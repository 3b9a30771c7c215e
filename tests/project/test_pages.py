"""Pages about strategies, the configuration and the lab that have gone stale are bugs."""

import re
import tomllib
from pathlib import Path

from docs import configuration, strategies

from homing.checks.strategy import check_strategy
from homing.lab.experiment import Experiment, TopicEntry
from homing.lab.results.measures import MEASURES

ROOT = Path(__file__).parents[2]
LAB = (ROOT / "docs" / "lab.md").read_text()


def test_the_page_of_strategies_says_what_their_docstrings_say() -> None:
    assert strategies.PAGE.read_text() == strategies.page(), "write it again: make pages"


def test_the_page_of_the_configuration_lists_every_key_as_it_is_declared() -> None:
    assert configuration.PAGE.read_text() == configuration.page(), "write it again: make pages"
    assert configuration.OPTIONS.read_text() == configuration.options(), "write it again: make pages"
    assert "| `yield_below` | no limit | 0 to 100 | `--yield-below` |" in configuration.page()


def test_the_page_of_the_lab_has_every_key_and_every_measure() -> None:
    rows = " ".join(re.findall(r"^\| (.*?) \|", LAB, re.MULTILINE))
    keys = {*Experiment.model_fields, *TopicEntry.model_fields} - {"topics", "expected"}
    ranges = {name for name in MEASURES if name.startswith("precision_")}
    missing = {name for name in (keys | set(MEASURES)) - ranges if f"`{name}`" not in rows}
    assert not missing
    assert "`[[topics]]`" in rows
    assert "`[expected.NAME]`" in rows


def test_the_defaults_on_the_page_of_the_lab_are_those_of_an_experiment() -> None:
    shown = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", LAB, re.MULTILINE))
    least = {
        "web": "web",
        "strategies": ["random"],
        "topics": [{"label": "moths", "seeds": ["http://a.example/"]}],
    }
    told = tomllib.loads("\n".join(f"{key} = {value}" for key, value in shown.items()))
    assert len(told) >= 9
    assert Experiment.model_validate({**least, **told}) == Experiment.model_validate(least)


def test_the_strategy_on_the_page_of_the_lab_passes_the_battery() -> None:
    code = re.findall(r"```python\n(.*?)```", LAB, re.DOTALL)
    assert len(code) == 1
    names: dict[str, object] = {"__name__": "shortest"}
    exec(compile(code[0], "docs/lab.md", "exec"), names)  # as a reader would
    shortest = names["Shortest"]
    assert isinstance(shortest, type)
    check_strategy(shortest)
