"""``homing judge``: scores single pages with a judge."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, TypedDict

import typer
from rich.text import Text

from homing.cli import options
from homing.cli.crawl import request
from homing.cli.options import FETCHING, TOPIC, with_settings
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
"""Words of a judgement shown to people; JSON has all of them."""


class Opinion(TypedDict):
    """The judgement of one page as JSON."""

    source: str
    score: float
    relevant: bool
    why: list[tuple[str, float]]


@with_settings("topic.examples", "topic.negatives", "topic.codes", "judge.name", *FETCHING)
def judge(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="[MODEL] PATH|URL...",
            show_default=False,
            help="Files, folders or URLs to judge; first a model, unless an option gives the topic.",
        ),
    ],
    topic: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The topic in words.", rich_help_panel=TOPIC)
    ] = None,
    settings: Annotated[list[str] | None, options.parameters_of("the judge", TOPIC)] = None,
    language: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Language of the topic, e.g. en.", rich_help_panel=TOPIC),
    ] = None,
    *,
    given: options.Given,
    config: options.ConfigFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Score single pages with a judge, and show the words that decided.

    homing judge moths.model page.html https://example.org/

    homing judge --topic "moths and butterflies" my-pages/

    URLs are fetched as politely as by a crawl. Pages that cannot be read are named on stderr, and the exit
    code is 2; the others are judged nevertheless.
    """
    own = {"text": topic, "language": language}
    has_topic = any((*given["topic"].values(), topic, config))
    model, pages = (None, arguments) if has_topic else (arguments[0], arguments[1:])
    tables: Tables = {**given, "topic": {**given["topic"], **own, "model": model}}
    whole = request.override(Config.load(config) if config else Config(), tables).located(Path())
    whole = request.override(whole, {"judge": request.read_settings(settings)})
    if not pages:
        raise UsageError("no pages: use homing judge MODEL PAGE..., or homing judge --topic TEXT PAGE...")
    whole.check_topic()
    _judge(whole.merged({"judge": {"name": judge_for(whole)}}), pages, as_json=as_json)


def _judge(config: Config, pages: Sequence[str], *, as_json: bool) -> None:
    """Judge all pages, print each judgement, and fail at the end if a page could not be read."""
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
