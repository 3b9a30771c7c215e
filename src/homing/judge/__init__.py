"""Judges: who says how much a page is about the topic."""

from homing.judge.base import Brief, Judge
from homing.judge.keywords import Keywords
from homing.registry import Registry

JUDGES: Registry[Judge] = Registry(
    "judge",
    group="homing.judges",
    builtin=[
        Keywords,
    ],
)
"""Every judge by its short name; one line here is all it takes to add one."""

__all__ = ["JUDGES", "Brief", "Judge", "Keywords"]
