"""Options that several commands have, each with one name, one form and one help."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, get_args, get_type_hints

import typer
from typer.models import ParameterInfo

TOPIC, ASKING, OUTPUT = "What to look for", "How to ask", "Output"

Example = Annotated[
    list[str] | None,
    typer.Option(
        "--example",
        metavar="PATH|URL",
        help="A page on the topic: a file, a folder of files, or a URL; repeatable.",
        rich_help_panel=TOPIC,
    ),
]
NotExample = Annotated[
    list[str] | None,
    typer.Option(
        "--not-example", metavar="PATH|URL", help="The same of pages off the topic.", rich_help_panel=TOPIC
    ),
]
Code = Annotated[
    list[str] | None,
    typer.Option(
        "--code",
        metavar="CODE",
        help="The topic's number (homing taxonomy find WORDS), such as 140; repeatable.",
        rich_help_panel=TOPIC,
    ),
]
JudgeName = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="NAME",
        help="Who says what is relevant; if not said, whoever fits what is said of the topic.",
        rich_help_panel=TOPIC,
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="A TOML file; what is said by an option counts more.",
        rich_help_panel=OUTPUT,
    ),
]

Delay = Annotated[
    str | None,
    typer.Option(
        "--delay",
        metavar="SECONDS",
        help="Between two requests to one host; 1 if not said.",
        rich_help_panel=ASKING,
    ),
]
UserAgent = Annotated[
    str | None,
    typer.Option("--user-agent", metavar="NAME", help="What to call ourselves.", rich_help_panel=ASKING),
]
Contact = Annotated[
    str | None,
    typer.Option("--contact", metavar="URL|MAIL", help="Whom a site can write to.", rich_help_panel=ASKING),
]
Proxy = Annotated[
    str | None,
    typer.Option("--proxy", metavar="URL", help="Ask through this proxy.", rich_help_panel=ASKING),
]
ConnectTo = Annotated[
    str | None,
    typer.Option(
        "--connect-to",
        metavar="HOST:PORT",
        help="Every connection goes there, whatever the URL says, in plain HTTP.",
        rich_help_panel=ASKING,
    ),
]
AllowNetwork = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-network",
        metavar="CIDR",
        help="Private addresses that may be asked; they are refused otherwise. Repeatable.",
        rich_help_panel=ASKING,
    ),
]

AsJson = Annotated[bool, typer.Option("--json", metavar="", help="As JSON.", rich_help_panel=OUTPUT)]


def helps_of(command: Callable[..., None]) -> dict[str, str]:
    """What the options of a command mean, by the names of its parameters."""
    hints = get_type_hints(command, include_extras=True)
    found = ((name, info) for name, hint in hints.items() for info in get_args(hint)[1:])
    return {name: info.help for name, info in found if isinstance(info, ParameterInfo) and info.help}
