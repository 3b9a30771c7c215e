"""The keys of the configuration, as the command line, the web form and the documentation need them.

Each is declared at a field of its section (``sections.py``) and listed from there.

>>> key = find("pace", "delay")
>>> key.help, key.option, key.bounds
('Seconds between two requests to one host. Default: 1.', '--delay', (0, 86400))
>>> key.read("0.5")
0.5
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import get_args, get_origin, get_type_hints

from homing.config import Config, Tables
from homing.config.sections import Section
from homing.config.setting import Setting
from homing.errors import UsageError

Given = str | Sequence[str] | None
"""What a person typed for a key: a text, or several for a list or a table; ``None``: nothing."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the configuration."""

    section: str
    name: str
    setting: Setting
    type: object
    default: object

    @property
    def path(self) -> str:
        """``pace.delay``."""
        return f"{self.section}.{self.name}"

    @property
    def option(self) -> str:
        """Its option of ``homing crawl``, or the argument; empty if it has none."""
        return self.setting.option

    @property
    def parameter(self) -> str:
        """Its name on the command line and in forms, as Python can have it: ``not_example``."""
        return self.option.removeprefix("--").replace("-", "_").lower()

    @property
    def label(self) -> str:
        """What a form calls it: ``Max depth``."""
        return self.parameter.replace("_", " ").capitalize()

    @property
    def help(self) -> str:
        """Its sentence, and the default if there is one."""
        match self.default:
            case "" | () | {}:
                return self.setting.help
            case None:
                default = "no limit"
            case bool():
                default = str(self.default).lower()
            case float():
                default = f"{self.default:g}"
            case _:
                default = str(self.default)
        return f"{self.setting.help} Default: {default}."

    @property
    def choices(self) -> tuple[str, ...]:
        """The texts it can be, if there is a choice of them."""
        return get_args(self.type) if isinstance(self.default, str) else ()

    @property
    def metavar(self) -> str:
        """What stands for the value in a help text."""
        return "|".join(self.choices) or self.setting.metavar

    @property
    def is_number(self) -> bool:
        return self.type in (int, float, int | None, float | None)

    @property
    def has_many(self) -> bool:
        """Whether several texts can be given: it is a list or a table."""
        return get_origin(self.type) in (tuple, dict)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The lowest and the highest value of a number."""
        if not self.is_number:
            return None
        schema = _section(self.section).model_json_schema()["properties"][self.name]
        bounded = schema["anyOf"][0] if "anyOf" in schema else schema
        return bounded.get("minimum", bounded.get("exclusiveMinimum")), bounded["maximum"]

    def read(self, given: Given) -> object:
        """Return the value of a text; the configuration refuses what is no number."""
        if isinstance(given, str):
            return number(given) if self.is_number else given
        if not given:
            return None
        return self._table(given) if get_origin(self.type) is dict else list(given)

    def _table(self, lines: Sequence[str]) -> dict[str, str]:
        table = {}
        for line in lines:
            name, colon, value = line.partition(":")
            if not colon:
                raise UsageError(f'{self.option} must be {self.metavar}, not "{line}"')
            table[name.strip()] = value.strip()
        return table


@cache
def keys() -> tuple[Key, ...]:
    """Return all keys, in the order of the file."""
    found = []
    for section in Config.model_fields:
        model = _section(section)
        types = get_type_hints(model)
        for name, field in model.model_fields.items():
            setting = next(item for item in field.metadata if isinstance(item, Setting))
            found.append(
                Key(section, name, setting, types[name], field.get_default(call_default_factory=True))
            )
    return tuple(found)


def find(section: str, name: str) -> Key | None:
    """Return the key of that name; ``None`` if it is a parameter of a judge or a strategy."""
    return next((key for key in keys() if (key.section, key.name) == (section, name)), None)


def tables_of(chosen: Iterable[Key], given: Mapping[str, Given]) -> Tables:
    """Return what was given for these keys, by their ``parameter``, as the tables of a configuration."""
    tables: dict[str, dict[str, object]] = {}
    for key in chosen:
        tables.setdefault(key.section, {})[key.name] = key.read(given.get(key.parameter))
    return tables


def number(text: str) -> int | float | str:
    """Return the number in a text; the text itself if there is none.

    >>> number("500"), number("0.5"), number("1e3"), number("many")
    (500, 0.5, 1000, 'many')
    """
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _section(name: str) -> type[Section]:
    model = Config.model_fields[name].annotation
    assert isinstance(model, type)
    assert issubclass(model, Section)
    return model
