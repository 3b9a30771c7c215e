"""``homing fit``: teach a strategy the ways to a topic by pages that are there already."""

from __future__ import annotations

import asyncio
import shlex
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from homing.cli import options
from homing.cli.crawl.request import override, read_setting
from homing.cli.lab.recorded_webs import is_recorded_web, renew
from homing.cli.options import FETCHING, with_settings
from homing.cli.output import errors, print_json, results
from homing.config import Config, Tables
from homing.crawler.examples import fetch_examples
from homing.errors import UsageError
from homing.extras import check_can_fit
from homing.lab.training_graph import open_web_ground
from homing.registry import make
from homing.strategies import STRATEGIES
from homing.strategies.model_files import check_taught, save_strategy
from homing.topic.gathered import example_urls
from homing.topic.sources import Fetched
from homing.topic.training_graph import TrainingGraph, open_training_graph
from homing.trails import EdgeList, LocalGraph, grow, read_edges, read_sessions

GROUND, TRAINING = "Pages to learn from", "Training"


@with_settings(*FETCHING)
def fit(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="DIR|WEB",
            help="A crawl, a web of homing lab import, or recorded pages (.jsonl, .gz, .xz, .zst).",
            show_default=False,
        ),
    ],
    strategy: Annotated[
        str, typer.Option(metavar="NAME", help="Who is taught (homing strategies).", show_default=False)
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The model to write.", show_default=False)],
    label: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Of recorded pages, those with this label, or one below it, are the targets.",
            rich_help_panel=GROUND,
            show_default=False,
        ),
    ] = "",
    edges: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Links, two URLs a line, instead of those known.", rich_help_panel=GROUND
        ),
    ] = None,
    trails: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Browsing sessions, a line each, to learn from instead of random walks.",
            rich_help_panel=GROUND,
        ),
    ] = None,
    topic: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="The topic in words; a crawl has its own.",
            rich_help_panel=options.TOPIC,
            show_default=False,
        ),
    ] = "",
    example: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH|URL",
            help="A page on the topic, one more target: a file, a folder of files, or a URL; repeatable.",
            rich_help_panel=options.TOPIC,
        ),
    ] = None,
    layers: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=20, help="Layers around the targets.", rich_help_panel=TRAINING),
    ] = 4,
    pages_a_layer: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=100_000, help="Pages of one layer.", rich_help_panel=TRAINING),
    ] = 600,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A parameter of the strategy; repeatable.",
            rich_help_panel=TRAINING,
        ),
    ] = None,
    *,
    given: options.Given,
    as_json: options.AsJson = False,
) -> None:
    """Teach a strategy by a crawl or a recorded web: which pages lead to targets, and how far they are.

    homing fit my-crawl --strategy crf --out moths.model

    homing crawl "hawk moths" https://... --model moths.model

    homing fit my-crawl --strategy crf --example https://... --out moths.model

    homing fit webs/little --label target --strategy crf --out moths.model

    The targets are the relevant pages of a crawl, or the labelled ones of recorded pages, and the examples,
    which are asked for as politely as by a crawl.

    A strategy that was not fitted teaches itself while it crawls; one that was knows the way from the start.
    """
    if out.is_dir() or not out.absolute().parent.is_dir():
        raise UsageError(f"--out cannot be {out}: name a file in a folder that is there")
    taught = check_taught(make(STRATEGIES.get(strategy), dict(map(read_setting, settings or ()))))
    check_can_fit(type(taught))
    tables: Tables = {**given, "topic": {"text": topic or None, "examples": example or None}}
    said = override(Config(), tables).located(Path())
    if pages := len(example_urls(said.topic)):
        errors().print(f"fetching {pages} example page{'s' * (pages > 1)} first")
    with _open(source, label, said if topic or example else None) as ground:
        graph = _graph(ground, edges, trails, layers, pages_a_layer)
        about = ground.judge.topic()
        taught.begin(about)
        errors().print(
            f"fitting {taught.name} on {len(graph.pages):,} pages around {len(graph.targets):,} targets"
        )
        taught.fit(graph)
    save_strategy(out, taught, topic or about.text, graph)
    counts = [len(graph.layer(distance)) for distance in range(layers + 1)]
    if as_json:
        print_json({"model": str(out), "strategy": taught.name, "pages": len(graph.pages), "layers": counts})
        return
    console = results()
    console.print(f"pages by distance to a target: {', '.join(map(str, counts))}")
    name = shlex.quote(str(out))
    console.print(Text.assemble(f"  homing crawl TOPIC SEED --model {name}", ("  go there", "dim")))


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
        raise UsageError(f"no session of {trails} leads to a target: fit on others")
    return graph
