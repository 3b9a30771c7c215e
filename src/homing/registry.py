"""Strategies and judges by their short names, and what a person may set on each of them.

This module knows no part. The packages that have parts hand theirs in (``strategies/__init__.py``,
``judge/__init__.py``); parts of other distributions come by entry point. Names, parameters, defaults
and help are read from the class itself: its signature and its docstring.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import NoneType, UnionType
from typing import (
    ClassVar,
    Generic,
    Literal,
    Protocol,
    TypedDict,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from homing.errors import UsageError, did_you_mean


class Part(Protocol):
    """What a class must say of itself to be found by name."""

    kind: ClassVar[str]
    """``strategy`` or ``judge``."""
    name: str
    summary: ClassVar[str]
    paper: ClassVar[str]
    needs_training: ClassVar[bool]


class Parameter(TypedDict):
    """One parameter of a part, as ``homing strategies --json`` shows it."""

    name: str
    default: object
    help: str


class Description(TypedDict):
    """All a person may know of a part before using it."""

    name: str
    summary: str
    parameters: list[Parameter]
    paper: str
    needs_training: bool


P = TypeVar("P", bound=Part)


class Registry(Generic[P]):
    """The parts of one kind by short name.

    Built-in parts are handed in. Others are found by entry points of ``group`` and imported when they
    are asked for, so that one broken plug-in stops only those who want it. A plug-in cannot take the
    name of a built-in part.
    """

    def __init__(self, kind: str, *, group: str, builtin: Iterable[type[P]]) -> None:
        self.kind = kind
        self.group = group
        self._builtin = {part.name: part for part in builtin}

    def names(self) -> list[str]:
        """Every name there is: the built-in ones in their own order, then the plug-ins."""
        return [*self._builtin, *sorted(self._plugins())]

    def get(self, name: str) -> type[P]:
        """The class of that name; ``link_context`` is taken for ``link-context``."""
        wanted = name.replace("_", "-")
        if wanted in self._builtin:
            return self._builtin[wanted]
        plugins = self._plugins()
        if wanted in plugins:
            return self._load(plugins[wanted])
        raise UsageError(f'there is no {self.kind} "{name}"{did_you_mean(wanted, self.names())}')

    def describe(self, name: str) -> Description:
        return describe(self.get(name))

    def _plugins(self) -> dict[str, EntryPoint]:
        found = {entry.name.replace("_", "-"): entry for entry in entry_points(group=self.group)}
        return {name: entry for name, entry in found.items() if name not in self._builtin}

    def _load(self, entry: EntryPoint) -> type[P]:
        try:
            part = entry.load()
        except Exception as error:  # whatever a stranger's module does while it is imported
            raise UsageError(f'the {self.kind} "{entry.name}" cannot be loaded: {error}') from error
        if not inspect.isclass(part) or getattr(part, "kind", None) != self.kind:
            raise UsageError(
                f'the {self.kind} "{entry.name}" cannot be loaded: {entry.value} is no {self.kind}'
            )
        return cast(type[P], part)


def describe(part: type[Part]) -> Description:
    """What a person may know and set: from the class, its signature and its docstring."""
    helps: dict[str, str] = {}
    for each in reversed(part.__mro__):  # a base class may explain what its subclasses share
        helps |= _parameter_helps(inspect.cleandoc(each.__doc__ or ""))
    return Description(
        name=part.name,
        summary=part.summary,
        parameters=[
            Parameter(name=each.name, default=each.default, help=helps.get(each.name, ""))
            for each in _settable(part).values()
        ],
        paper=part.paper,
        needs_training=part.needs_training,
    )


def make(part: type[P], parameters: Mapping[str, object], *given: object) -> P:
    """An object of that class from parameters as people write them.

    Values may be text (``--set flatness=3``) or what TOML makes of them; they are brought to the type
    the constructor asks for. ``given`` are its other arguments, such as a judge's brief.
    """
    known = _settable(part)
    hints = get_type_hints(part.__init__)
    ready = {}
    for key, value in parameters.items():
        name = key.replace("-", "_")
        if name not in known:
            raise UsageError(f'{_title(part)} has no parameter "{key}"{did_you_mean(name, known)}')
        hint = hints.get(name, str)
        try:
            ready[name] = _convert(value, hint)
        except ValueError as error:
            raise UsageError(f'{_title(part)}: "{name}" must be {error}, not {value!r}') from None
    return part(*given, **ready)


def within(part: Part, name: str, value: float, low: float, high: float) -> float:
    """The value of a parameter if it lies in its range, else one clear line."""
    if low <= value <= high and math.isfinite(value):
        return value
    if math.isfinite(high):
        raise UsageError(f'{_title(type(part))}: "{name}" must be from {low:g} to {high:g}, not {value:g}')
    raise UsageError(f'{_title(type(part))}: "{name}" must be at least {low:g}, not {value:g}')


def first_line(part: type) -> str:
    """The first line of a class's own docstring.

    >>> first_line(Registry)
    'The parts of one kind by short name.'
    """
    lines = (part.__doc__ or "").strip().splitlines()
    return lines[0].strip() if lines else ""


def _title(part: type[Part]) -> str:
    return f'{part.kind} "{part.name}"'


def _settable(part: type[Part]) -> dict[str, inspect.Parameter]:
    """The keyword-only parameters of the constructor."""
    signature = inspect.signature(part)
    return {each.name: each for each in signature.parameters.values() if each.kind is each.KEYWORD_ONLY}


def _parameter_helps(doc: str) -> dict[str, str]:
    """The ``Parameters`` section of a numpy-style docstring: name to help, one line each."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-+$|\Z)", doc, re.DOTALL | re.MULTILINE)
    if not section:
        return {}
    pieces = re.split(r"^(\w+)(?: *:.*)?\n", section[1], flags=re.MULTILINE)
    texts = (" ".join(text.split()).replace("``", '"') for text in pieces[2::2])
    return dict(zip(pieces[1::2], texts, strict=True))


def _convert(value: object, hint: object) -> object:
    """The value as the annotated type; ``ValueError`` says what is wanted instead."""
    origin = get_origin(hint)
    if origin is Literal:
        return _choose(value, get_args(hint))
    if origin in (Union, UnionType):
        return _convert_optional(value, get_args(hint))
    if origin is tuple:
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list | tuple):
            raise ValueError("a list")
        return tuple(
            _convert(item.strip() if isinstance(item, str) else item, get_args(hint)[0]) for item in items
        )
    if hint is bool:
        return _choose_truth(value)
    if hint in (int, float):
        return _convert_number(value, whole=hint is int)
    if not isinstance(value, str):
        raise ValueError("a text")
    return value


def _choose(value: object, choices: tuple[object, ...]) -> object:
    for choice in choices:
        if value == choice or (isinstance(value, str) and value == str(choice)):
            return choice
    raise ValueError("one of " + ", ".join(f'"{choice}"' for choice in choices))


def _convert_optional(value: object, hints: tuple[object, ...]) -> object:
    if NoneType in hints and (value is None or value in ("", "none")):
        return None
    wanted = [hint for hint in hints if hint is not NoneType]
    problems = []
    for hint in wanted:
        try:
            return _convert(value, hint)
        except ValueError as problem:
            problems.append(str(problem))
    raise ValueError(" or ".join(problems))


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
