"""Options that several commands have: those of the settings, and a few more."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from typer.models import OptionInfo

from homing.errors import UsageError

TOPIC, SCOPE, STOP, FETCH, OUTPUT = (
    "What to look for",
    "Where to look",
    "When to stop",
    "How to fetch",
    "Output",
)
_PANELS = {
    "topic": TOPIC,
    "judge": TOPIC,
    "strategy": TOPIC,
    "seeds": SCOPE,
    "scope": SCOPE,
    "stop": STOP,
    "fetch": FETCH,
    "pace": FETCH,
}
FETCHING = (
    "pace.delay",
    "fetch.user_agent",
    "fetch.contact",
    "fetch.proxy",
    "fetch.connect_to",
    "fetch.allow_network",
)
"""The settings of every command that fetches pages."""

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="TOML file with settings; options take precedence.",
        rich_help_panel=OUTPUT,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.", rich_help_panel=OUTPUT)]
Quiet = Annotated[bool, typer.Option("--quiet", metavar="", help="Show no progress.", rich_help_panel=OUTPUT)]
ModelFile = Annotated[Path, typer.Option(metavar="FILE", help="Model file to write.", show_default=False)]


def parameters_of(part: str, panel: str) -> OptionInfo:
    """Return the option ``--set`` of a command that builds this part."""
    text = f"Parameter of {part}. Repeatable."
    option: OptionInfo = typer.Option("--set", metavar="KEY=VALUE", help=text, rich_help_panel=panel)
    return option


def check_new_file(out: Path) -> None:
    """Refuse a file that cannot be written, before the work whose result it is to hold."""
    if out.is_dir() or not out.absolute().parent.is_dir():
        raise UsageError(f"--out cannot be {out}: name a file in an existing folder")


def group(text: str) -> typer.Typer:
    """Return an app for the commands of a group; ``text`` is its help."""
    return typer.Typer(
        help=text,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
    )


Typed = str | Sequence[str] | None
Given = Mapping[str, Mapping[str, object]]
"""What was given for settings: section, key, value."""


class SettingOption(NamedTuple):
    """The option of a setting."""

    path: str
    option: str
    metavar: str
    help: str
    has_many: bool

    @property
    def section(self) -> str:
        return self.path.partition(".")[0]

    @property
    def parameter(self) -> Parameter:
        """The option for Typer. Its text is read by the configuration, which words all error messages."""
        option = typer.Option(
            self.option,
            metavar=self.metavar,
            help=self.help + " Repeatable." * self.has_many,
            rich_help_panel=_PANELS[self.section],
            show_default=False,
        )
        kind = list[str] | None if self.has_many else str | None
        name = self.option.removeprefix("--").replace("-", "_")
        return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, option])


@cache
def setting_options() -> tuple[SettingOption, ...]:
    """Return the options of all settings.

    They are read from ``settings.json``, which ``make pages`` writes from the sections of the configuration:
    pydantic would take half as long to load as all the rest of a help text.
    """
    rows = json.loads(Path(__file__).with_name("settings.json").read_text(encoding="utf-8"))
    return tuple(SettingOption(**row) for row in rows)


def with_settings(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the options of these settings.

    They take the place of its parameter ``given``, which receives their values as tables of a configuration.
    A setting for which the command has a parameter of its own is left to it.

    Parameters
    ----------
    names
        Settings (``pace.delay``) or whole sections (``pace``), in the order of the help text.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = signature(command, eval_str=True).parameters
        named = [each for name in names for each in setting_options() if name in (each.section, each.path)]
        chosen = {each.path: each.parameter for each in named if each.parameter.name not in own}
        parameters = list[Parameter]()
        for parameter in own.values():
            parameters += chosen.values() if parameter.name == "given" else [parameter]

        @wraps(command)
        def run(**values: Typed) -> None:
            from homing.config.keys import keys, tables_of

            texts = {each.name: values.pop(each.name) for each in chosen.values()}
            command(**values, given=tables_of([key for key in keys() if key.path in chosen], texts))

        # Typer reads it. By keyword only, an option with a default may stand before one without.
        by_keyword = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters]
        vars(run)["__signature__"] = Signature(by_keyword)
        return run

    return decorate
