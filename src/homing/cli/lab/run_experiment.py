"""``homing lab run`` and ``verify``: run or resume an experiment, and check its results."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from homing.cli import options
from homing.cli.lab.recorded_webs import renew
from homing.cli.lab.report_experiment import DRAWN, Highlight, draw, sheets
from homing.cli.output import errors, print_document, print_json, results
from homing.errors import BrokenOffError, UsageError, did_you_mean
from homing.files import whole_file
from homing.lab.campaign import Campaign, conduct
from homing.lab.experiment import Experiment
from homing.lab.results.file import Results, results_of
from homing.lab.results.timings import Timings, timings_of
from homing.lab.verify import Finding, check_expected, findings

TABLES = "tables.md"

ExperimentFile = Annotated[
    Path,
    typer.Argument(
        metavar="EXPERIMENT.toml",
        help="Strategies, web and topics: see docs/lab.md and examples/experiment.toml.",
        show_default=False,
    ),
]
Processes = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=1024, help="Processes. Default: one per core.", show_default=False),
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
    """Replay strategies on a recorded web, and report which finds more with fewer pages.

    homing lab run experiment.toml --out my-run

    Finished runs are kept: after Ctrl-C, or with one more strategy in the file, the same command runs only
    the missing ones.
    """
    plan = Experiment.load(experiment)
    _check_known(plan, highlight or ())
    with _Bar() as bar, _interruptible(bar):
        campaign = _conduct(plan, out, processes, bar)
        timings = timings_of(campaign.runs)
        found = _write(plan, campaign, timings, out)
        if as_json:
            print_document(found.as_json())
        elif found.rows:
            results().print(sheets(found, timings)[0].as_rich())
        are_drawn = draw(out, found, timings, highlight or ())
    if not as_json:
        _say_what_next(campaign, out, are_drawn=are_drawn)
    _tell_troubles(campaign)


def verify(
    experiment: ExperimentFile,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="Keep the runs in this folder, and reuse those already in it.",
            show_default=False,
        ),
    ] = None,
    processes: Processes = None,
    as_json: options.AsJson = False,
) -> None:
    """Run an experiment and compare it with what its file expects; exit code 1 on a difference."""
    plan = Experiment.load(experiment)
    check_expected(plan)
    with (
        _Bar() as bar,
        _interruptible(bar, keeps=out is not None),
        nullcontext(out) if out else tempfile.TemporaryDirectory() as folder,
    ):
        campaign = _conduct(plan, Path(folder), processes, bar)
    compared = list(findings(plan, results_of(campaign.runs, web=plan.web)))
    if as_json:
        print_json([{**msgspec.structs.asdict(each), "holds": each.holds} for each in compared])
    else:
        for each in compared:
            results().print(_worded(each), markup=False, soft_wrap=True)
    _tell_troubles(campaign)
    if differ := sum(not each.holds for each in compared):
        line = f"homing: {differ} of {len(compared)} values differ from what {experiment} expects"
        errors().print(line, markup=False, soft_wrap=True)
        raise typer.Exit(1)


class _Bar:
    """A progress bar of the runs; its counts remain for the message on Ctrl-C."""

    def __init__(self) -> None:
        columns = TextColumn("runs"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        console = errors()
        self._shown = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._shown.add_task("runs", total=None)
        self.done, self.wanted = 0, 0

    def __enter__(self) -> _Bar:
        self._shown.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._shown.stop()

    def __call__(self, done: int, wanted: int) -> None:
        self.done, self.wanted = done, wanted
        self._shown.update(self._task, completed=done, total=wanted)
        if done == wanted:
            self._shown.stop()


@contextmanager
def _interruptible(bar: _Bar, *, keeps: bool = True) -> Iterator[None]:
    """Turn Ctrl-C into one line that says what is kept and how to resume."""
    try:
        yield
    except KeyboardInterrupt:
        kept = f"{bar.done} of {bar.wanted} runs are kept, and " * bool(bar.wanted)
        raise BrokenOffError("interrupted" + f"; {kept}the same command resumes" * keeps) from None


def _check_known(plan: Experiment, highlight: Sequence[str]) -> None:
    """Reject unknown names before the runs, not an hour later."""
    titles = [each.title for each in plan.strategies]
    for name in highlight:
        if name not in titles:
            raise UsageError(f'no strategy "{name}" to highlight{did_you_mean(name, titles)}')


def _conduct(plan: Experiment, out: Path, processes: int | None, bar: _Bar) -> Campaign:
    renew(Path(plan.web))
    return conduct(plan, out, processes=processes, progress=bar)


def _write(plan: Experiment, campaign: Campaign, timings: Timings, out: Path) -> Results:
    settings = plan.model_dump(mode="json", include=_RULES)
    clusters = {each.title: each.cluster for each in plan.topics if each.cluster}
    found = results_of(campaign.runs, web=Path(plan.web).name, settings=settings, clusters=clusters)
    found.write(out)
    timings.write(out)
    with whole_file(out / TABLES) as file:
        file.write("\n".join(sheet.as_markdown() for sheet in sheets(found, timings)).encode())
    return found


_RULES = {"budget", "curve_to", "draws", "examples", "judge", "fit", "outside", "exclude", "truth"}


def _say_what_next(campaign: Campaign, out: Path, *, are_drawn: bool) -> None:
    folder = shlex.quote(str(out))
    drawn = f"; pictures in {folder}/{DRAWN}" if are_drawn else ""
    console = results()
    failed = f"; {len(campaign.troubles)} failed" if campaign.troubles else ""
    line = f"\n{len(campaign.runs)} runs, {campaign.made} of them new{failed}{drawn}"
    console.print(line, markup=False, soft_wrap=True)
    if campaign.runs:
        line = f"  homing lab report {folder} --against NAME    significance of the differences"
        console.print(line, style="dim", markup=False, soft_wrap=True)


def _worded(each: Finding) -> str:
    value = "nothing" if each.found is None else f"{each.found:.4f}"
    mark = "ok" if each.holds else "DIFFERS"
    return f"{mark:8} {each.strategy}: {each.measure} {value}, expected {each.expected} ± {each.tolerance}"


def _tell_troubles(campaign: Campaign) -> None:
    for line in campaign.troubles:
        errors().print(f"homing: failed: {line}", style="red", markup=False, soft_wrap=True)
    if campaign.troubles:
        raise typer.Exit(1)
