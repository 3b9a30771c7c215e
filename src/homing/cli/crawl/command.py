"""``homing crawl``: start a crawl, or resume one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from homing.cli import options
from homing.cli.options import OUTPUT, TOPIC, with_settings
from homing.errors import UsageError


@with_settings("topic", "judge", "strategy", "seeds", "scope", "stop", "pace", "fetch")
def crawl(
    topic: Annotated[
        str | None,
        typer.Argument(metavar="TOPIC", show_default=False, help="Topic in a few words, in quotes."),
    ] = None,
    seeds: Annotated[
        list[str] | None,
        typer.Argument(metavar="SEED", show_default=False, help="URLs to start from: http(s)://..."),
    ] = None,
    *,
    given: options.Given,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Model file written by homing train or homing fit; one of each can be given.",
            rich_help_panel=TOPIC,
        ),
    ] = None,
    settings: Annotated[list[str] | None, options.parameters_of("the strategy or the judge", TOPIC)] = None,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="Language of the topic, such as en; pages in other languages are not relevant.",
            rich_help_panel=TOPIC,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of the crawl; a crawl in it is resumed. Default: named after the topic.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    config: options.ConfigFile = None,
    quiet: options.Quiet = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", metavar="", help="Print the figures as JSON at the end.", rich_help_panel=OUTPUT
        ),
    ] = False,
) -> None:
    """Start a crawl, or resume one.

    homing crawl "butterfly gardening" https://a.org https://b.org --pages 5000

    The topic is a sentence, --example pages, --code numbers or a --model, whichever you have.

    Ctrl-C, SIGTERM or SIGHUP stops it cleanly, with exit code 0; homing crawl --out DIR resumes it. Limits
    are totals: to resume a crawl of 500 pages, give a higher --pages.
    """
    # The crawler needs numpy, pydantic, aiohttp and more; its help does not.
    from homing.cli.crawl import request
    from homing.cli.crawl.run import run
    from homing.config import Config, Tables

    models, fitted = request.sort_models(model or ())
    text, urls = request.sort_arguments([] if topic is None else [topic, *(seeds or [])])
    own: Tables = {
        "topic": {"text": text, "language": language, "model": models.get("judge")},
        "seeds": {"urls": urls or None},
        "scope": {"language": language},
        "strategy": {"name": given["strategy"]["name"] or fitted, "model": models.get("strategy")},
    }
    tables = {section: {**values, **own.get(section, {})} for section, values in given.items()}
    new = request.override(Config.load(config) if config else Config(), tables).located(Path())
    folder = out or request.folder_for(new.topic.title)
    stored = request.stored_in(folder)
    whole = request.resumed(stored, new) if stored else new
    if stored is None and out and config is None and not new.topic.title and not new.seeds.urls:
        raise UsageError(f"{out} holds no crawl to resume; give a topic and seeds to start one there")
    whole = request.place_settings(whole, request.read_settings(settings))
    whole.check_complete()
    run(whole, folder, quiet=quiet, as_json=as_json)
