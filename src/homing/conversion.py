"""Convert values as people write them, text or TOML, to the type of an annotation."""

from __future__ import annotations

import math
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin


def convert(value: object, hint: object) -> object:
    """Return the value as the annotated type; ``ValueError`` says what is expected.

    >>> convert("0.5", float), convert("a, b", tuple[str, ...]), convert("none", int | None)
    (0.5, ('a', 'b'), None)
    """
    origin = get_origin(hint)
    if origin is Literal:
        return _choose(value, get_args(hint))
    if origin in (Union, UnionType):
        return _convert_union(value, get_args(hint))
    if origin is tuple:
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list | tuple):
            raise ValueError("a list")
        return tuple(
            convert(item.strip() if isinstance(item, str) else item, get_args(hint)[0]) for item in items
        )
    if hint is bool:
        return _choose_truth(value)
    if hint in (int, float):
        return _convert_number(value, whole=hint is int)
    if isinstance(hint, type) and isinstance(value, hint):
        return value
    raise ValueError("a text")


def _choose(value: object, choices: tuple[object, ...]) -> object:
    for choice in choices:
        if value == choice or (isinstance(value, str) and value == str(choice)):
            return choice
    raise ValueError("one of " + ", ".join(f'"{choice}"' for choice in choices))


def _convert_union(value: object, hints: tuple[object, ...]) -> object:
    if NoneType in hints and (value is None or value in ("", "none")):
        return None
    wanted = [hint for hint in hints if hint is not NoneType]
    problems = []
    for hint in wanted:
        try:
            return convert(value, hint)
        except ValueError as problem:
            problems.append(str(problem))
    raise ValueError(" or ".join(dict.fromkeys(problems)))


def _choose_truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    truth = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if isinstance(value, str) and value.lower() in truth:
        return truth[value.lower()]
    raise ValueError("true or false")


def _convert_number(value: object, *, whole: bool) -> int | float:
    wanted = "a whole number" if whole else "a number"
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(wanted)
    try:
        number = int(value) if whole and isinstance(value, str) else float(value)
    except (ValueError, OverflowError):
        raise ValueError(wanted) from None
    if not math.isfinite(number) or (whole and number != int(number)):
        raise ValueError(wanted)
    return int(number) if whole else number
