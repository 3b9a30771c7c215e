"""Strategies and judges by their short names.

This module knows none of them: ``strategies/__init__.py`` and ``judge/__init__.py`` list the built-in ones,
other distributions offer theirs by entry point, and a program may add its own. Each class declares its
parameters: ``parameters.py``.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypedDict, TypeVar, cast

from homing.errors import UsageError, did_you_mean
from homing.parameters import Part, parameters_of, read_parameters


class Parameter(TypedDict):
    """A parameter as ``homing strategies --json`` shows it."""

    name: str
    default: object
    help: str


class Description(TypedDict):
    """A strategy or judge, described for a user who has to choose."""

    name: str
    summary: str
    parameters: list[Parameter]
    paper: str
    needs_training: bool


P = TypeVar("P", bound=Part)


class Registry(Generic[P]):
    """The strategies, or the judges, by short name.

    ``builtin`` gives the place of each class, ``package.module:Class``; ``group`` is that of the entry
    points. A class is imported when it is used, so that a broken plug-in affects only its users. No other
    class can take the name of a built-in one.
    """

    def __init__(self, kind: str, *, group: str, builtin: Mapping[str, str]) -> None:
        self.kind = kind
        self.group = group
        self._builtin = dict(builtin)
        self._added: dict[str, type[P]] = {}

    def names(self) -> list[str]:
        """Return every name: the built-in ones in their own order, then the others."""
        return [*self._builtin, *sorted({*self._plugins(), *self._added})]

    def add(self, part: type[P]) -> str:
        """Make a class of this program known by its name, in this process, and return the name.

        It takes the place of a class that was added under its name before.
        """
        name = part.name.replace("_", "-")
        if not name:
            raise UsageError(f'{part.__name__} has no name: add name = "..." to the class')
        if name not in self._builtin:
            self._added[name] = part
        elif self.get(name) is not part:
            raise UsageError(f'{part.__name__} needs another name: "{name}" is a built-in {self.kind}')
        return name

    def get(self, name: str) -> type[P]:
        """Return the class of that name; ``link_context`` is read as ``link-context``."""
        wanted = name.replace("_", "-")
        if wanted in self._builtin:
            return self._import(self._builtin[wanted])
        if wanted in self._added:
            return self._added[wanted]
        plugins = self._plugins()
        if wanted in plugins:
            return self._load(plugins[wanted])
        raise UsageError(f'there is no {self.kind} "{name}"{did_you_mean(wanted, self.names())}')

    def find_class(self, class_name: str) -> type[P]:
        """Return a built-in class by the name it has in Python."""
        for place in self._builtin.values():
            if place.endswith(f":{class_name}"):
                return self._import(place)
        raise AttributeError(f"no {self.kind} is called {class_name}")

    def describe(self, name: str) -> Description:
        return describe(self.get(name))

    def _import(self, place: str) -> type[P]:
        module, _, class_name = place.partition(":")
        return cast(type[P], getattr(import_module(module), class_name))

    def _plugins(self) -> dict[str, EntryPoint]:
        found = {entry.name.replace("_", "-"): entry for entry in entry_points(group=self.group)}
        return {name: entry for name, entry in found.items() if name not in self._builtin}

    def _load(self, entry: EntryPoint) -> type[P]:
        try:
            part = entry.load()
        except Exception as error:  # a plug-in may raise anything while it is imported
            raise UsageError(f'the {self.kind} "{entry.name}" cannot be loaded: {error}') from error
        if not inspect.isclass(part) or getattr(part, "kind", None) != self.kind:
            raise UsageError(
                f'the {self.kind} "{entry.name}" cannot be loaded: {entry.value} is no {self.kind}'
            )
        return cast(type[P], part)


def describe(part: type[Part]) -> Description:
    """Return the description of a class."""
    return Description(
        name=part.name,
        summary=part.summary,
        parameters=[
            Parameter(name=name, default=field.default, help=field.help)
            for name, field in parameters_of(part).items()
        ],
        paper=part.paper,
        needs_training=part.needs_training,
    )


def make(part: type[P], parameters: Mapping[str, object], *given: object) -> P:
    """Create an object of that class from parameters as people write them.

    ``given`` are the other arguments of its constructor, such as a judge's brief.
    """
    return part(*given, **read_parameters(part, parameters_of(part), parameters))
