"""Every judge there is, by the contract of their ``base``."""

from __future__ import annotations

import inspect

import pytest

from homing.checks.judge import check_judge
from homing.judge import JUDGES


@pytest.mark.parametrize("name", JUDGES.names())
def test_every_judge_passes_the_battery(name: str) -> None:
    check_judge(JUDGES.get(name))


@pytest.mark.parametrize("name", JUDGES.names())
def test_every_judge_is_documented(name: str) -> None:
    doc = inspect.getdoc(JUDGES.get(name)) or ""
    assert all(f"{section}\n{'-' * len(section)}\n" in doc for section in ("Examples", "References"))
    description = JUDGES.describe(name)
    assert description["summary"].endswith(".")
    assert all(parameter["help"] for parameter in description["parameters"])
