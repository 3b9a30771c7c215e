"""``homing lab run``, ``report`` and ``verify``: experiments, and what they found."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from homing.cli import options
from homing.cli.output import errors, results
from homing.lab import pictures, tables
from homing.lab.campaign import Campaign, conduct, runs_in
from homing.lab.campaign import Progress as Told
from homing.lab.compare import against
from homing.lab.experiment import Experiment
from homing.lab.recording import refresh
from homing.lab.results import Results, results_of
from homing.lab.timings import Timings, timings_of
from homing.lab.verify import check_expected, findings

ExperimentFile = Annotated[
    Path,
    typer.Argument(metavar="EXPERIMENT.toml", help="Strategies, topics, web.", show_default=False),
]
Processes = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=1024, help="Processes; usually one a core.", show_default=False),
]
Highlight = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="A strategy that stands out in the pictures; repeatable."),
]


def run(
    experiment: ExperimentFile,
    out: Annotated[
        Path, typer.Option(metavar="RUN", help="Folder for runs, tables and pictures.", show_default=False)
    ],
    processes: Processes = None,
    highlight: Highlight = None,
    as_json: options.AsJson = False,
) -> None:
    """Replay strategies on a recorded web, and say which found more with fewer pages.

    homing lab run experiment.toml --out my-run

    Runs that are finished are not made again: after Ctrl-C, or with one more strategy in the file, the same
    command goes on.
    """
    plan = Experiment.load(experiment)
    with _bar() as progress:
        campaign = _conduct(plan, out, processes, progress)
    found = _write(plan, campaign, out)
    if as_json:
        typer.echo(found.as_json(), nl=False)
    else:
        _show(campaign, found, out, highlight or ())
    _tell_troubles(campaign)


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="RUN", help="What `homing lab run` has written.", show_default=False)
    ],
    against_: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME", help="Compare with this strategy.", show_default=False),
    ] = None,
    measure: Annotated[
        str, typer.Option(metavar="NAME", help="By this measure (auc_budget, recall, harvest, auc ...).")
    ] = "auc_budget",
    markdown: Annotated[bool, typer.Option("--markdown", metavar="", help="Print Markdown.")] = False,
    highlight: Highlight = None,
    as_json: options.AsJson = False,
) -> None:
    """Tables and pictures of an experiment that has been run."""
    found, timings = Results.read(folder), Timings.read(folder)
    if against_ is not None:
        compared = against(found.rows, against_, by=measure, clusters=found.clusters)
        found = msgspec.structs.replace(found, comparisons=tuple(compared))
    if as_json:
        typer.echo(found.as_json(), nl=False)
        return
    sheets = [tables.summary_sheet(found, timings)]
    if found.comparisons:
        sheets.append(tables.comparison_sheet(found.comparisons))
    for sheet in sheets:
        if markdown:
            typer.echo(sheet.as_markdown())
        else:
            results().print(sheet.as_rich())
    runs, drawn = runs_in(folder), folder / "pictures"
    for path in pictures.draw(runs, found, timings, drawn, highlight=highlight or ()):
        errors().print(str(path), style="dim")


def verify(experiment: ExperimentFile, processes: Processes = None) -> None:
    """Run an experiment and compare it with what its file expects; exit code 1 on a difference."""
    plan = Experiment.load(experiment)
    check_expected(plan)
    with tempfile.TemporaryDirectory() as aside, _bar() as progress:
        campaign = _conduct(plan, Path(aside), processes, progress)
    _tell_troubles(campaign)
    found = results_of(campaign.runs, web=plan.web)
    differs = False
    for each in findings(plan, found):
        differs = differs or not each.holds
        value = "nothing" if each.found is None else f"{each.found:.4f}"
        mark = "ok" if each.holds else "DIFFERS"
        results().print(
            f"{mark:8} {each.strategy}: {each.measure} {value}, expected {each.expected} ± {each.tolerance}"
        )
    if differs:
        raise typer.Exit(1)


@contextmanager
def _bar() -> Iterator[Told]:
    columns = TextColumn("runs"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=errors(), transient=True) as bar:
        task = bar.add_task("runs", total=None)
        yield lambda done, wanted: bar.update(task, completed=done, total=wanted)


def _conduct(plan: Experiment, out: Path, processes: int | None, progress: Told) -> Campaign:
    if refresh(Path(plan.web)):
        errors().print(f"{plan.web} was parsed anew: this Homing reads pages otherwise", style="dim")
    return conduct(plan, out, processes=processes, progress=progress)


def _write(plan: Experiment, campaign: Campaign, out: Path) -> Results:
    settings = plan.model_dump(mode="json", include=_RULES)
    clusters = {each.title: each.cluster for each in plan.topics if each.cluster}
    found = results_of(campaign.runs, web=Path(plan.web).name, settings=settings, clusters=clusters)
    found.write(out)
    timings_of(campaign.runs).write(out)
    return found


_RULES = {"budget", "curve_to", "draws", "examples", "judge", "fit", "outside", "exclude", "truth"}


def _show(campaign: Campaign, found: Results, out: Path, highlight: Sequence[str]) -> None:
    timings = timings_of(campaign.runs)
    console, folder = results(), shlex.quote(str(out))
    console.print(tables.summary_sheet(found, timings).as_rich())
    pictures.draw(campaign.runs, found, timings, out / "pictures", highlight=highlight)
    console.print(f"\n{len(campaign.runs)} runs, {campaign.made} of them new; pictures in {folder}/pictures")
    console.print(f"  homing lab report {folder} --against NAME    how sure the differences are", style="dim")


def _tell_troubles(campaign: Campaign) -> None:
    for line in campaign.troubles:
        errors().print(f"failed: {line}", style="red", markup=False)
    if campaign.troubles:
        raise typer.Exit(1)
