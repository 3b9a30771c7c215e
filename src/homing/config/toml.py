"""Reading TOML files, and writing TOML as far as a configuration needs it: Python only reads it."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from homing.bounded import TooLargeError, text_at_most
from homing.errors import UsageError

LARGEST = 32 * 1024 * 1024
"""Bytes of a file of settings: with a list of some hundred thousand seeds."""
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def read_toml(path: Path) -> dict[str, object]:
    """Read the tables of a file; ``UsageError`` says in one line why it cannot be read."""
    try:
        return tomllib.loads(text_at_most(path, LARGEST))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text") from None
    except TooLargeError as error:
        raise UsageError(f"cannot read {path}: {error}; list seeds in a file of their own") from None
    except ValueError as error:  # TOMLDecodeError, or Python's own for a number of thousands of digits
        raise UsageError(f"{path} is no valid TOML: {error}") from None
    except RecursionError:
        raise UsageError(f"{path} is no valid TOML: it is nested too deeply") from None


def write_toml(tables: Mapping[str, Mapping[str, object]]) -> str:
    """Return these tables as TOML. ``None`` is left out: TOML cannot express it.

    >>> print(write_toml({"stop": {"pages": 5, "minutes": None}, "pace": {"windows": [{"from": "22:00"}]}}))
    [stop]
    pages = 5
    <BLANKLINE>
    [pace]
    windows = [
        { from = "22:00" },
    ]
    <BLANKLINE>
    """
    blocks = []
    for name, table in tables.items():
        lines = [f"{_key(key)} = {_value(value)}" for key, value in table.items() if value is not None]
        blocks.append("\n".join([f"[{_key(name)}]", *lines]) + "\n")
    return "\n".join(blocks)


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else _text(text)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _number(value)
        case str():
            return _text(value)
        case Mapping():
            pairs = [f"{_key(str(key))} = {_value(item)}" for key, item in value.items() if item is not None]
            return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
        case list() | tuple():
            return _list([_value(item) for item in value])
        case _:
            raise TypeError(f"TOML cannot hold {value!r}")


def _list(items: list[str]) -> str:
    on_one_line = f"[{', '.join(items)}]"
    if len(on_one_line) <= 80 and not any(item.startswith("{") for item in items):
        return on_one_line
    return "[\n" + "".join(f"    {item},\n" for item in items) + "]"


def _number(value: float) -> str:
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def _text(text: str) -> str:
    """Write a string as JSON does, except for DEL, which TOML wants escaped, and lone surrogates.

    Those come from file names and arguments that are not UTF-8; they are replaced.
    """
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
