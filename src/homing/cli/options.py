"""Options that several commands have: those of the configuration, read from its fields, and two more."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated

import typer

from homing.config.keys import Given, Key, keys, tables_of

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
        named = [key for name in names for key in keys() if name in (key.section, key.path)]
        chosen = [key for key in named if key.option.startswith("--") and key.parameter not in own]
        parameters = list[Parameter]()
        for parameter in own.values():
            parameters += map(_option, chosen) if parameter.name == "given" else [parameter]

        @wraps(command)
        def run(**values: Given) -> None:
            texts = {key.parameter: values.pop(key.parameter) for key in chosen}
            command(**values, given=tables_of(chosen, texts))

        # Typer asks for it. By keyword only, an option with a default may stand before one without.
        by_keyword = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters]
        vars(run)["__signature__"] = Signature(by_keyword)
        return run

    return decorate


def _option(key: Key) -> Parameter:
    """Return the option of a setting. Its text is read by the configuration, which words all complaints."""
    repeatable = " Repeatable." if key.has_many else ""
    option = typer.Option(
        key.option,
        metavar=key.metavar,
        help=key.help + repeatable,
        rich_help_panel=_PANELS[key.section],
        show_default=False,
    )
    kind = list[str] | None if key.has_many else str | None
    return Parameter(key.parameter, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, option])
