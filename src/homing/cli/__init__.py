"""The command line: ``homing COMMAND ...``. Begin with ``COMMANDS`` below.

A command has a module of its own name, or a package if it consists of several: ``crawl/`` (crawl, refresh),
``export/``, ``lab/``, ``training/`` (train, fit). ``options`` holds the options that commands share, and
``output`` writes to terminal and pipes.

A command's module is imported only when that command runs: the crawler depends on aiohttp, numpy and more,
and ``homing --help`` should not load them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, NamedTuple

import typer
import typer.main

from homing.errors import HomingError
from homing.processes import safe_path

INTERRUPTED = 130
"""Exit code of a command that was ended by Ctrl-C."""


class Command(NamedTuple):
    """A command's module, and its line in ``homing --help``."""

    module: str
    panel: str
    summary: str
    is_group: bool = False
    """Whether it has commands of its own: the module has a whole ``app``."""


COMMANDS = {
    "crawl": Command("homing.cli.crawl.command", "Crawl", "Start a crawl, or resume one."),
    "demo": Command("homing.cli.demo", "Crawl", "Try a crawl of a built-in little web; needs no network."),
    "refresh": Command("homing.cli.crawl.refresh", "Crawl", "Fetch pages again that may have changed."),
    "report": Command("homing.cli.report", "Results", "Show the figures of a crawl."),
    "export": Command(
        "homing.cli.export.export_pages",
        "Results",
        "Export the pages as JSON, CSV, Parquet, URLs or a graph.",
    ),
    "search": Command("homing.cli.search", "Results", "Find pages by their words."),
    "serve": Command(
        "homing.cli.serve", "Results", "Browse and steer a crawl in the browser, running or finished."
    ),
    "explain": Command("homing.cli.explain", "Results", "Explain why a URL was fetched, or not yet."),
    "check": Command("homing.cli.check", "Results", "Check a crawl folder for damage, and mend it."),
    "index": Command("homing.cli.index", "Results", "Bring the full-text index up to date."),
    "train": Command("homing.cli.training.train", "Topics", "Train a judge on example pages."),
    "judge": Command("homing.cli.judge", "Topics", "Score single pages with a judge, and say why."),
    "fit": Command("homing.cli.training.fit", "Topics", "Train a strategy on paths to a topic."),
    "taxonomy": Command(
        "homing.cli.taxonomy", "Topics", "Learn and look up subjects by decimal number.", is_group=True
    ),
    "lab": Command(
        "homing.cli.lab.group", "Lab", "Record a web once, and compare strategies on it.", is_group=True
    ),
    "strategies": Command(
        "homing.cli.strategies_and_judges", "Components", "List the strategies, which order the frontier."
    ),
    "judges": Command(
        "homing.cli.strategies_and_judges", "Components", "List the judges, which score pages."
    ),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code; an error is one line on stderr."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        command = typer.main.get_command(application(_command_named_in(words)))
        # Around it all, while there are no other threads yet that read the environment.
        with safe_path():
            # Not standalone: the command line library would print a usage block around each error.
            outcome = command.main(words, prog_name="homing", standalone_mode=False)
    except HomingError as error:
        _fail(*error.lines, code=error.exit_code)
    except typer.TyperException as error:
        _fail(_in_one_line(error), code=error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        outcome = INTERRUPTED
    if outcome == INTERRUPTED:
        _fail("interrupted", code=INTERRUPTED)
    sys.exit(outcome if isinstance(outcome, int) else 0)


def application(wanted: str | None = None) -> typer.Typer:
    """Return an app of all commands; only the wanted one is loaded, the others are listed."""
    app = typer.Typer(
        name="homing",
        help="A focused web crawler: the pages about your topic, with as few downloads as possible.",
        epilog='Begin with: homing crawl "butterfly gardening" https://example.org --pages 500',
        add_completion=False,
        no_args_is_help=False,
        # With a command the help is that command's. To find that its own is not wanted, typer would load
        # pydantic, which takes longer than to show the help.
        add_help_option=wanted is None,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_without_command)
    for name, command in COMMANDS.items():
        if command.is_group and name == wanted:
            app.add_typer(import_module(command.module).app, name=name)
        else:
            register = app.command(name, rich_help_panel=command.panel, short_help=command.summary)
            register(_function(command.module, name) if name == wanted else _listed)
    return app


def _command_named_in(words: Sequence[str]) -> str | None:
    """Return the first word unless it is an option: those of ``homing`` itself end it."""
    first = next((word for word in words if word != "--"), "-")
    return None if first.startswith("-") else first


def _function(module: str, name: str) -> Callable[..., None]:
    function: Callable[..., None] = getattr(import_module(module), name)
    return function


def _listed() -> None:
    """Stand in for a command that is listed, but not loaded."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # takes as long to load as half of the help

        typer.echo(f"homing {version('homing')}")
        raise typer.Exit


def _without_command(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar="", is_eager=True, callback=_print_version, help="Show the version."
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _in_one_line(error: typer.TyperException) -> str:
    """Return the library's message in one line, without a capital, with the nearest word."""
    nearest = getattr(error, "possibilities", None)
    message = error.message + f'; did you mean "{nearest[0]}"?' if nearest else error.format_message()
    words = " ".join(message.split()).removesuffix(".")
    return words[:1].lower() + words[1:]


def _fail(*messages: str, code: int) -> None:
    """Print a line for each message, whatever a file name or a URL in it may hold, and exit."""
    for message in filter(
        None, messages
    ):  # empty for a group without a command: the library has shown the help
        line = "".join(letter if letter.isprintable() else " " for letter in message)
        typer.echo(f"homing: {line}", err=True)
    sys.exit(code)
