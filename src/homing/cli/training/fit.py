"""``homing fit``: train a strategy on pages that were fetched before."""

from __future__ import annotations

import asyncio
import shlex
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from homing.cli import options
from homing.cli.crawl.request import override, read_settings
from homing.cli.lab.recorded_webs import is_recorded_web, renew
from homing.cli.options import FETCHING, with_settings
from homing.cli.output import errors, print_json, results, tell_examples
from homing.config import Config, Tables
from homing.crawler.examples import fetch_examples
from homing.errors import UsageError
from homing.extras import check_can_fit
from homing.lab.training_graph import open_web_ground
from homing.registry import make
from homing.strategies import STRATEGIES
from homing.strategies.model_files import check_trained, save_strategy
from homing.topic.gathered import example_urls
from homing.topic.sources import Fetched
from homing.topic.training_graph import TrainingGraph, open_training_graph
from homing.trails import EdgeList, LocalGraph, grow, read_edges, read_sessions

GROUND, TRAINING = "Training pages", "Training"
_ground = partial(typer.Option, rich_help_panel=GROUND, show_default=False)
_topic = partial(typer.Option, rich_help_panel=options.TOPIC, show_default=False)
_training = partial(typer.Option, rich_help_panel=TRAINING)


@with_settings(*FETCHING)
def fit(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="DIR|WEB",
            help="Crawl, web of homing lab import, or recorded pages (.jsonl, .gz, .xz, .zst).",
            show_default=False,
        ),
    ],
    strategy: Annotated[
        str, typer.Option(metavar="NAME", help="Strategy to train (homing strategies).", show_default=False)
    ],
    out: options.ModelFile,
    label: Annotated[
        str,
        _ground(metavar="NAME", help="Recorded pages with this label, or one below it, are the targets."),
    ] = "",
    edges: Annotated[
        Path | None,
        _ground(metavar="FILE", help="File of links, two URLs per line, instead of those known."),
    ] = None,
    trails: Annotated[
        Path | None,
        _ground(
            metavar="FILE",
            help="File of browsing sessions, one per line, to train on instead of random walks.",
        ),
    ] = None,
    topic: Annotated[str, _topic(metavar="TEXT", help="Topic as text. Default: that of the crawl.")] = "",
    example: Annotated[
        list[str] | None,
        _topic(
            metavar="PATH|URL",
            help="Page on the topic, a further target: a file, a folder of files, or a URL. Repeatable.",
        ),
    ] = None,
    layers: Annotated[
        int, _training(metavar="N", min=1, max=20, help="Maximum number of links to a target.")
    ] = 4,
    pages_a_layer: Annotated[
        int, _training(metavar="N", min=1, max=100_000, help="Maximum pages at one distance.")
    ] = 600,
    settings: Annotated[list[str] | None, options.parameters_of("the strategy", TRAINING)] = None,
    *,
    given: options.Given,
    as_json: options.AsJson = False,
) -> None:
    """Train a strategy on a crawl or a recorded web: which pages lead to targets, and how far away they are.

    homing fit my-crawl --strategy crf --out moths.model

    homing crawl "hawk moths" https://... --model moths.model

    homing fit my-crawl --strategy crf --example https://... --out moths.model

    homing fit webs/little --label target --strategy crf --out moths.model

    The targets are the relevant pages of a crawl, or the labelled ones of recorded pages, and the examples,
    which are fetched as politely as by a crawl.

    Without a model, such a strategy trains itself while it crawls; with one, it starts trained.
    """
    options.check_new_file(out)
    fitted = check_trained(make(STRATEGIES.get(strategy), read_settings(settings)))
    check_can_fit(type(fitted))
    tables: Tables = {**given, "topic": {"text": topic or None, "examples": example or None}}
    config = override(Config(), tables).located(Path())
    tell_examples(len(example_urls(config.topic)))
    with _open(source, label, config if topic or example else None) as ground:
        graph = _graph(ground, edges, trails, layers, pages_a_layer)
        about = ground.judge.topic()
        fitted.begin(about)
        errors().print(
            f"fitting {fitted.name} on {len(graph.pages):,} pages around {len(graph.targets):,} targets"
        )
        fitted.fit(graph)
    save_strategy(out, fitted, topic or about.text, graph)
    counts = [len(graph.layer(distance)) for distance in range(layers + 1)]
    if as_json:
        print_json({"model": str(out), "strategy": fitted.name, "pages": len(graph.pages), "layers": counts})
        return
    console = results()
    console.print(f"pages by distance to a target: {', '.join(map(str, counts))}")
    name = shlex.quote(str(out))
    console.print(Text.assemble(f"  homing crawl TOPIC SEED --model {name}", ("  crawl with it", "dim")))


def _open(source: Path, label: str, config: Config | None) -> AbstractContextManager[TrainingGraph]:
    if not is_recorded_web(source):
        return open_training_graph(source, label=label, config=config, fetch=_fetch)
    renew(source)
    return open_web_ground(source, label=label, config=config, fetch=_fetch)


def _fetch(config: Config) -> Fetched:
    return asyncio.run(fetch_examples(config))


def _graph(
    ground: TrainingGraph, edges: Path | None, trails: Path | None, layers: int, pages_a_layer: int
) -> LocalGraph:
    backlinks = EdgeList(read_edges(edges)) if edges else ground.backlinks
    if trails is None:
        return grow(ground.targets, backlinks, ground.page_at, layers=layers, pages_a_layer=pages_a_layer)
    sessions = read_sessions(trails)
    met = dict.fromkeys(url for session in sessions for url in session)
    pages = [page for url in met if (page := ground.page_at(url)) is not None]
    graph = LocalGraph(pages, ground.targets, sessions=sessions)
    if not graph.targets:
        raise UsageError(f"no session of {trails} leads to a target; use others")
    return graph
