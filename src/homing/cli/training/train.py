"""``homing train``: train a judge on example pages."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from homing.cli import options
from homing.cli.crawl.request import read_settings
from homing.cli.output import errors, print_json, results
from homing.judge import JUDGES, Brief
from homing.judge.model_files import save_judge
from homing.judge.trained.validation import Report, cross_validate
from homing.registry import make
from homing.topic.training_pages import TrainingSources, read_training_pages

PAGES, TRAINING = "Training pages", "Training"
_pages = partial(typer.Option, rich_help_panel=PAGES, show_default=False)
_training = partial(typer.Option, rich_help_panel=TRAINING)


def train(
    out: options.ModelFile,
    positive: Annotated[
        list[str] | None,
        _pages(
            metavar="SRC",
            help="Pages on the topic: a folder, a file, JSONL, or URLs of the crawl. Repeatable.",
        ),
    ] = None,
    negative: Annotated[
        list[str] | None, _pages(metavar="SRC", help="Pages off the topic. Repeatable.")
    ] = None,
    unlabelled: Annotated[
        list[str] | None,
        _pages(metavar="SRC", help="Pages most of which are off the topic. Repeatable."),
    ] = None,
    label: Annotated[
        str,
        _pages(
            metavar="NAME",
            help="Only labelled pages (JSONL) with this label, or one below it, are on the topic.",
        ),
    ] = "",
    crawl: Annotated[
        Path | None,
        _pages(
            metavar="DIR",
            help="Crawl whose labelled pages are examples, and whose other pages are unlabelled ones.",
        ),
    ] = None,
    judge: Annotated[str, _training(metavar="NAME", help="Judge to train (homing judges).")] = "bayes",
    settings: Annotated[list[str] | None, options.parameters_of("the judge", TRAINING)] = None,
    topic: Annotated[
        str, _training(metavar="TEXT", help="Topic as text, in addition to the pages.", show_default=False)
    ] = "",
    language: Annotated[
        str, _training(metavar="CODE", help="Language of the topic, such as en.", show_default=False)
    ] = "",
    folds: Annotated[int, _training(metavar="N", min=2, max=100, help="Folds of the cross-validation.")] = 5,
    as_json: options.AsJson = False,
) -> None:
    """Train a judge on example pages, and measure it by cross-validation.

    homing train --positive moths/ --negative others/ --judge bayes --out moths.model

    homing train --crawl my-crawl --positive good-urls.txt --out moths.model

    Pages on the topic are enough; pages off it, or any other pages, make the judge better. The figures are
    those of held-out pages. homing crawl --model and homing judge use the model.
    """
    options.check_new_file(out)
    build = partial(make, JUDGES.get(judge), read_settings(settings))
    brief = read_training_pages(
        TrainingSources(
            positive=tuple(positive or ()),
            negative=tuple(negative or ()),
            unlabelled=tuple(unlabelled or ()),
            label=label,
            crawl=crawl,
            text=topic,
            language=language,
        )
    )
    fitted = build(brief)
    fitted.state()  # a judge that cannot be trained raises before the long part
    errors().print(f"{fitted.name} was trained on {_worded(brief)}", markup=False, soft_wrap=True)
    report = cross_validate(build, brief, folds=folds) if len(brief.examples) > 1 else None
    figures = report.as_data() if report else None
    save_judge(out, fitted, figures)
    if as_json:
        print_json(
            {
                "model": str(out),
                "judge": fitted.name,
                "trained_on": {
                    "positives": len(brief.examples),
                    "negatives": len(brief.negatives),
                    "unlabelled": len(brief.unlabelled),
                },
                "report": figures,
                "keywords": list(fitted.topic().keywords),
            }
        )
    else:
        _show(report, out)


def _show(report: Report | None, out: Path) -> None:
    """Print the figures of the cross-validation, and commands that use the model."""
    console = results()
    if report:
        console.print(_figures(report))
    if report is None or report.roc_auc is None:
        console.print("Not measured: precision, F1 and ROC-AUC need two pages on the topic and two off it.")
    name = shlex.quote(str(out))
    for command, purpose in (
        (f"homing judge {name} PAGE", "score a page"),
        (f"homing crawl --model {name} SEED", "find more of these"),
    ):
        console.print(Text.assemble(f"  {command:<{len(name) + 28}}", (purpose, "dim")))


def _figures(report: Report) -> Table:
    """Return a table of the measures with their spread over the folds."""
    table = Table.grid(padding=(0, 2))
    for name, value, spread in (
        ("precision", report.precision, report.precision_spread),
        ("recall", report.recall, report.recall_spread),
        ("F1", report.f1, report.f1_spread),
        ("ROC-AUC", report.roc_auc, report.roc_auc_spread),
    ):
        if value is not None:
            table.add_row(Text(name, style="dim"), f"{value:.3f}", Text(f"± {spread:.3f}", style="dim"))
    return table


def _worded(brief: Brief) -> str:
    """Return the number of pages of each kind, in words.

    >>> _worded(Brief(text="moths"))
    '0 pages on the topic'
    """
    pages = f"{len(brief.examples):,} page{'s' * (len(brief.examples) != 1)} on the topic"
    others = ((len(brief.negatives), "off it"), (len(brief.unlabelled), "unlabelled"))
    return ", ".join([pages, *(f"{count:,} {kind}" for count, kind in others if count)])
