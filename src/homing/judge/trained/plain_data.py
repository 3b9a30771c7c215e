"""Checked reading of the plain data in a judge's model file."""

from __future__ import annotations

import math
from collections.abc import Mapping

from homing.errors import ModelError


def rounded(value: float) -> float:
    """Return the value with six digits: all that a score shows, in half the bytes of a model file."""
    return float(f"{value:.6g}")


def mapping(data: object, what: str) -> Mapping[str, object]:
    """Return the data as a mapping, or raise a ``ModelError``."""
    if not isinstance(data, Mapping):
        raise damaged(f"{what} is missing")
    return data


def sequence(data: object, what: str) -> list[object]:
    """Return the data as a list."""
    if not isinstance(data, list):
        raise damaged(f"{what} is missing")
    return data


def numbers(data: object, what: str) -> dict[str, float]:
    """Return the data as a mapping to numbers."""
    return {key: number(value, what) for key, value in mapping(data, what).items()}


def texts(data: object, what: str) -> dict[str, str]:
    """Return the data as a mapping to texts."""
    return {key: text(value, what) for key, value in mapping(data, what).items()}


def number(value: object, what: str) -> float:
    """Return the value as a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise damaged(f"{what} holds no number where one belongs")
    return float(value)


def text(value: object, what: str) -> str:
    """Return the value as a text."""
    if not isinstance(value, str):
        raise damaged(f"{what} holds no text where one belongs")
    return value


def damaged(what: str) -> ModelError:
    """Return the error to raise: what is wrong, and what to do."""
    return ModelError(f"the model is damaged: {what}; train it again")
