"""Judges: who says how much a page is about the topic."""

from homing.judge.base import Brief, Judge
from homing.registry import Registry

JUDGES: Registry[Judge] = Registry(
    "judge",
    group="homing.judges",
    builtin={
        "keywords": "homing.judge.keywords:Keywords",
        "examples": "homing.judge.examples:Examples",
        "bayes": "homing.judge.bayes:Bayes",
        "svm": "homing.judge.svm:Svm",
        "neural": "homing.judge.neural:Neural",
        "decimal": "homing.judge.decimal:Decimal",
    },
)
"""Every judge by its short name, loaded when it is asked for; one line here is all it takes to add one."""

__all__ = ["JUDGES", "Brief", "Judge"]


def __getattr__(name: str) -> type[Judge]:
    """Load a judge when its class is imported from here: ``from homing.judge import Keywords``."""
    return JUDGES.find_class(name)
