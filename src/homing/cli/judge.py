"""``homing judge``: what a judge thinks of single pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, TypedDict

import typer
from rich.text import Text

from homing.cli import options
from homing.cli.crawl import request
from homing.cli.crawl.request import number
from homing.cli.options import TOPIC
from homing.cli.output import errors, print_json, printable, results
from homing.config import Config, Tables
from homing.crawler.examples import fetch_pages
from homing.errors import UsageError
from homing.fetch.wiring import identity_of
from homing.judge import Judge
from homing.parse import PageParser
from homing.topic.gathered import example_urls, gather, judge_for
from homing.topic.sources import Sources, urls_in

WORDS = 8
"""How many of the words that decided are shown to people; JSON has all of them."""


class Opinion(TypedDict):
    """What the judge thinks of one page, as JSON has it."""

    source: str
    score: float
    relevant: bool
    why: list[tuple[str, float]]


def judge(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="[MODEL] PATH|URL...",
            show_default=False,
            help="Files, folders or URLs to judge; first a model, unless an option says the topic.",
        ),
    ],
    topic: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The topic in words.", rich_help_panel=TOPIC)
    ] = None,
    example: options.Example = None,
    not_example: options.NotExample = None,
    code: options.Code = None,
    name: options.JudgeName = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A parameter of the judge; repeatable.", rich_help_panel=TOPIC
        ),
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="CODE", help="Of the topic, such as en.", rich_help_panel=TOPIC)
    ] = None,
    config: options.ConfigFile = None,
    delay: options.Delay = None,
    user_agent: options.UserAgent = None,
    contact: options.Contact = None,
    proxy: options.Proxy = None,
    connect_to: options.ConnectTo = None,
    allow_network: options.AllowNetwork = None,
    as_json: options.AsJson = False,
) -> None:
    """What a judge thinks of single pages, and the words that decided.

    homing judge moths.model page.html https://example.org/

    homing judge --topic "moths and butterflies" my-pages/

    URLs are asked for as politely as by a crawl. Pages that cannot be read are named on stderr, and the exit
    code is 2; the others are judged all the same.
    """
    is_said = any((topic, example, not_example, code, config))
    model, pages = (None, arguments) if is_said else (arguments[0], arguments[1:])
    tables: Tables = {
        "topic": {
            "text": topic,
            "language": language,
            "examples": example or None,
            "negatives": not_example or None,
            "codes": code or None,
            "model": model,
        },
        "judge": {"name": name},
        "fetch": {
            "user_agent": user_agent,
            "contact": contact,
            "proxy": proxy,
            "connect_to": connect_to,
            "allow_network": allow_network or None,
        },
        "pace": {"delay": number(delay)},
    }
    asked = request.override(Config.load(config) if config else Config(), tables).located(Path())
    asked = request.override(asked, {"judge": dict(map(request.read_setting, settings or ()))})
    if not pages:
        raise UsageError("no pages: say homing judge MODEL PAGE..., or homing judge --topic TEXT PAGE...")
    asked.check_topic()
    _judge(asked.merged({"judge": {"name": judge_for(asked)}}), pages, as_json=as_json)


def _judge(config: Config, pages: Sequence[str], *, as_json: bool) -> None:
    """Judge them all, say what is thought of each, and complain at last of what could not be read."""
    wanted = [*example_urls(config.topic), *(url for source in pages for url in urls_in(source))]
    fetched = asyncio.run(fetch_pages(wanted, config)) if wanted else {}
    gathered = gather(config, fetched)
    judge = gathered.judge(config)
    sources = Sources(PageParser(product=identity_of(config).product), fetched)
    opinions = _opinions(judge, sources, pages)
    if as_json:
        print_json(list(opinions))
    else:
        errors().print(gathered.understood(judge), markup=False, soft_wrap=True)
        for opinion in opinions:
            results().print(_shown(opinion), soft_wrap=True)
    sources.check()


def _opinions(judge: Judge, sources: Sources, pages: Sequence[str]) -> Iterator[Opinion]:
    for source in pages:
        for sample in sources.read(source):
            judgement = judge.judge(sample.page)
            yield Opinion(
                source=sample.source,
                score=judgement.score,
                relevant=judgement.relevant,
                why=list(judgement.why),
            )


def _shown(opinion: Opinion) -> Text:
    verdict = "relevant" if opinion["relevant"] else "not relevant"
    text = Text.assemble(
        (f"{opinion['score']:.3f}  {verdict:<12}", "bold"), f"  {printable(opinion['source'])}"
    )
    words = ", ".join(f"{printable(name)} {value:+.3f}" for name, value in opinion["why"][:WORDS])
    return text.append(f"\n       {words}", style="dim") if words else text
