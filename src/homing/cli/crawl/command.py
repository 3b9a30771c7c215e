"""``homing crawl``: start a crawl, or go on with one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from homing.cli import options
from homing.cli.options import ASKING, OUTPUT, TOPIC
from homing.errors import UsageError

SCOPE, STOP = "Where to look", "When to stop"


def crawl(
    topic: Annotated[
        str | None,
        typer.Argument(metavar="TOPIC", show_default=False, help="What to look for, in quotes."),
    ] = None,
    seeds: Annotated[
        list[str] | None,
        typer.Argument(metavar="SEED", show_default=False, help="URLs to start from: http(s)://..."),
    ] = None,
    example: options.Example = None,
    not_example: options.NotExample = None,
    code: options.Code = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="What homing train or homing fit has made: a judge, a strategy; one of each.",
            rich_help_panel=TOPIC,
        ),
    ] = None,
    judge: options.JudgeName = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who says which link is next; adaptive if not said.",
            rich_help_panel=TOPIC,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A parameter of the strategy or the judge; repeatable.",
            rich_help_panel=TOPIC,
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="Only pages in this language, such as en, are relevant.",
            rich_help_panel=TOPIC,
        ),
    ] = None,
    random_seed: Annotated[
        str | None,
        typer.Option(metavar="N", help="Repeats the choices of strategies that draw.", rich_help_panel=TOPIC),
    ] = None,
    seed_file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="More seeds, one URL a line.", rich_help_panel=SCOPE),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="any|domain|host|prefix",
            help="Follow links anywhere (if not said), or stay in the seeds' domains, hosts or folders.",
            rich_help_panel=SCOPE,
        ),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Only URLs like this; repeatable.", rich_help_panel=SCOPE),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="No URLs like this; repeatable.", rich_help_panel=SCOPE),
    ] = None,
    max_depth: Annotated[
        str | None,
        typer.Option(metavar="N", help="At most so many links away from a seed.", rich_help_panel=SCOPE),
    ] = None,
    pages_per_host: Annotated[
        str | None,
        typer.Option(metavar="N", help="At most so many pages of one host.", rich_help_panel=SCOPE),
    ] = None,
    pages_per_domain: Annotated[
        str | None,
        typer.Option(metavar="N", help="At most so many of one registered domain.", rich_help_panel=SCOPE),
    ] = None,
    pages: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="After N pages; without a limit it goes on for ever.", rich_help_panel=STOP
        ),
    ] = None,
    minutes: Annotated[
        str | None, typer.Option(metavar="N", help="After N minutes.", rich_help_panel=STOP)
    ] = None,
    relevant: Annotated[
        str | None, typer.Option(metavar="N", help="After N relevant pages.", rich_help_panel=STOP)
    ] = None,
    yield_below: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="When fewer than N relevant pages are to be expected of the next hundred.",
            rich_help_panel=STOP,
        ),
    ] = None,
    delay: options.Delay = None,
    concurrency: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Hosts asked at the same time; 64 if not said.", rich_help_panel=ASKING
        ),
    ] = None,
    bytes_per_second: Annotated[
        str | None,
        typer.Option(metavar="N", help="Of all downloads together.", rich_help_panel=ASKING),
    ] = None,
    user_agent: options.UserAgent = None,
    contact: options.Contact = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME:VALUE", help="Sent with each request; repeatable.", rich_help_panel=ASKING
        ),
    ] = None,
    proxy: options.Proxy = None,
    connect_to: options.ConnectTo = None,
    allow_network: options.AllowNetwork = None,
    workers: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Processes that parse pages; none if not said.", rich_help_panel=ASKING
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of the crawl; one that is there goes on. By default named like the topic.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    config: options.ConfigFile = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", metavar="", help="No progress.", rich_help_panel=OUTPUT)
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", metavar="", help="Print the figures as JSON at the end.", rich_help_panel=OUTPUT
        ),
    ] = False,
) -> None:
    """Start a crawl, or go on with one.

    homing crawl "butterfly gardening" https://a.org https://b.org --pages 5000

    The topic is a sentence, or --example pages, --code numbers, or a --model, whichever you have.

    Ctrl-C or SIGTERM stops it cleanly, with exit code 0; homing crawl --out DIR goes on. Limits are
    totals: going on with a crawl of 500 pages needs a higher --pages.
    """
    # The crawler stands on numpy, pydantic, aiohttp and more: a crawl needs them, its help does not.
    from homing.cli.crawl import request
    from homing.cli.crawl.request import number
    from homing.cli.crawl.run import run
    from homing.config import Config, Tables

    models, models_strategy = request.sort_models(model or ())
    text, urls = request.sort_arguments([] if topic is None else [topic, *(seeds or [])])
    tables: Tables = {
        "topic": {
            "text": text,
            "language": language,
            "examples": example or None,
            "negatives": not_example or None,
            "codes": code or None,
            "model": models.get("judge"),
        },
        "seeds": {"urls": urls or None, "file": seed_file},
        "scope": {
            "within": scope,
            "include": include or None,
            "exclude": exclude or None,
            "max_depth": number(max_depth),
            "pages_per_host": number(pages_per_host),
            "pages_per_domain": number(pages_per_domain),
            "language": language,
        },
        "fetch": {
            "concurrency": number(concurrency),
            "user_agent": user_agent,
            "contact": contact,
            "headers": request.read_headers(header or []),
            "proxy": proxy,
            "connect_to": connect_to,
            "allow_network": allow_network or None,
            "workers": number(workers),
        },
        "pace": {"delay": number(delay), "bytes_per_second": number(bytes_per_second)},
        "judge": {"name": judge},
        "strategy": {
            "name": strategy or models_strategy,
            "model": models.get("strategy"),
            "random_seed": number(random_seed),
        },
        "stop": {
            "pages": number(pages),
            "minutes": number(minutes),
            "relevant": number(relevant),
            "yield_below": number(yield_below),
        },
    }
    asked = request.override(Config.load(config) if config else Config(), tables).located(Path())
    folder = out or request.folder_for(asked.topic.title)
    stored = request.stored_in(folder)
    whole = request.going_on(stored, asked) if stored else asked
    if stored is None and out and config is None and not asked.topic.title and not asked.seeds.urls:
        raise UsageError(f"{out} holds no crawl to go on with; give a topic and seeds to begin one there")
    whole = request.place_settings(whole, [request.read_setting(text) for text in settings or ()])
    whole.check_complete()
    run(whole, folder, quiet=quiet, as_json=as_json)
