"""Turns pydantic's list of errors into one line for the user."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from homing.errors import UsageError, did_you_mean

_KINDS = {
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "must be a smaller number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}
"""Our wording of pydantic's errors; the value that was given is appended."""


class ConfigError(UsageError):
    """An invalid key or value of the configuration.

    ``section``, ``key`` and ``problem`` are kept apart so that the command line can name its option instead
    of the key in the file.
    """

    def __init__(self, section: str, key: str, problem: str, source: str = "") -> None:
        where = f"[{section}] {key}".rstrip() if section else key
        super().__init__(f"{source}: " * bool(source) + f"{where} {problem}".lstrip())
        self.section = section
        self.key = key
        self.problem = problem


def complaint(error: ValidationError, root: type[BaseModel], source: str = "") -> ConfigError:
    """Return the first error, worded in the terms of the file (``source``)."""
    first = error.errors(include_url=False)[0]
    place = list(first["loc"])
    if first["type"] == "extra_forbidden":
        return _unknown(place, root, source)
    if not place:
        return ConfigError("", "", _problem(first), source)
    section, rest = _placed(place, root)
    return ConfigError(section, _name(rest), _problem(first), source)


def _unknown(place: list[int | str], root: type[BaseModel], source: str) -> ConfigError:
    word = str(place[-1])
    if len(place) == 1:
        has_keys = any(_section(root, name) is None for name in root.model_fields)
        missing = f'there is no key "{word}"' if has_keys else f"there is no section [{word}]"
        return ConfigError("", "", missing + did_you_mean(word, _keys(root)), source)
    model = root
    for name in place[:-1]:
        if isinstance(name, str):
            model = _section(model, name) or model
    section, _ = _placed(place, root)
    return ConfigError(section, "", f'has no key "{word}"{did_you_mean(word, _keys(model))}', source)


def _problem(error: ErrorDetails) -> str:
    kind, given = error["type"], error["input"]
    if kind == "missing":
        return "is missing"
    context = error.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind == "literal_error":
        choices = [word.strip("'") for word in str(context["expected"]).replace(" or ", ", ").split(", ")]
        hint = did_you_mean(given, choices) if isinstance(given, str) else f"; there is: {', '.join(choices)}"
        return f"cannot be {_shown(given)}{hint}"
    phrase = _KINDS.get(kind)
    if phrase is None:
        return error["msg"]
    bounds = {name: _shown(bound) for name, bound in context.items()}
    return f"{phrase.format(**bounds)}, not {_shown(given)}"


def _name(place: Iterable[int | str]) -> str:
    """Return a key with the item of its list or table: ``include (item 2)``, ``headers.Accept``."""
    name = ""
    for part in place:
        if isinstance(part, int):
            name += f" (item {part + 1})"
        else:
            name += f".{part}" if name else part
    return name


def _shown(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _section(model: type[BaseModel], name: str) -> type[BaseModel] | None:
    """Return the model of a section, or of the items of a list of sections; ``None`` for a plain key."""
    annotation = model.model_fields[name].annotation
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _placed(place: list[int | str], root: type[BaseModel]) -> tuple[str, list[int | str]]:
    """Split a location into its section (a list of tables gets its own brackets) and the place within."""
    for number, part in enumerate(place[:-1]):
        if isinstance(part, int) and isinstance(place[number + 1], str):
            return f"[{'.'.join(map(str, place[:number]))}]", place[number + 1 :]
    if _section(root, str(place[0])) is None:
        return "", place
    return str(place[0]), place[1:]
