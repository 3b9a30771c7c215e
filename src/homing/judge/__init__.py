"""Judges: who says how much a page is about the topic."""

from homing.judge.base import Brief, Judge
from homing.judge.bayes import Bayes
from homing.judge.decimal import Decimal
from homing.judge.examples import Examples
from homing.judge.keywords import Keywords
from homing.judge.neural import Neural
from homing.judge.svm import Svm
from homing.registry import Registry

JUDGES: Registry[Judge] = Registry(
    "judge",
    group="homing.judges",
    builtin=[
        Keywords,
        Examples,
        Bayes,
        Svm,
        Neural,
        Decimal,
    ],
)
"""Every judge by its short name; one line here is all it takes to add one."""

__all__ = ["JUDGES", "Bayes", "Brief", "Decimal", "Examples", "Judge", "Keywords", "Neural", "Svm"]
