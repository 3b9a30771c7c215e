"""All runs of an experiment: spread over the cores, kept as they finish, never repeated."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from homing.errors import FolderError, HomingError, UsageError
from homing.files import whole_file
from homing.lab.experiment import Experiment
from homing.lab.runner import ORACLE, Job, Runner
from homing.lab.runs import Run
from homing.lab.workers import die_with_parent, ended_like_ctrl_c, signals_blocked
from homing.processes import safe_path
from homing.registry import make
from homing.strategies import STRATEGIES

INDEX = "runs.json"
"""File that lists the runs of the folder's last experiment."""
Progress = Callable[[int, int], None]
"""Function called with the number of finished runs and of all runs."""


@dataclass(slots=True, kw_only=True)
class Campaign:
    """The runs of an experiment."""

    runs: list[Run] = field(default_factory=list)
    """Runs in the order of the experiment, whichever finished first."""
    made: int = 0
    """Number of new ones among them."""
    troubles: list[str] = field(default_factory=list)
    """A line for each run that failed."""


def conduct(
    experiment: Experiment,
    out: Path,
    *,
    processes: int | None = None,
    progress: Progress = lambda done, wanted: None,
) -> Campaign:
    """Execute all runs that are missing. A run that fails stops no other.

    Each is saved in ``out/runs`` as soon as it is finished. Ctrl-C, or a kill, loses only unfinished runs.
    """
    runner = Runner(experiment, out / "models")
    check(experiment, runner)
    jobs = {runner.digest(job): job for job in _jobs(experiment)}
    folder = out / "runs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make {folder}: {error.strerror}; choose another --out") from None
    found = {digest: run for digest in jobs if (run := _kept(folder / f"{digest}.json"))}
    missing = {digest: job for digest, job in jobs.items() if digest not in found}
    campaign = Campaign()
    progress(len(found), len(jobs))
    with closing(_made(experiment, out, missing, processes or os.cpu_count() or 1)) as made:
        for digest, result in made:
            if isinstance(result, Run):
                with whole_file(folder / f"{digest}.json") as file:
                    file.write(msgspec.json.encode(result))
                found[digest] = result
                campaign.made += 1
            else:
                campaign.troubles.append(result)
            progress(len(found) + len(campaign.troubles), len(jobs))
    campaign.runs = [found[digest] for digest in jobs if digest in found]
    with whole_file(out / INDEX) as file:
        file.write(msgspec.json.encode([digest for digest in jobs if digest in found]))
    return campaign


def runs_in(out: Path) -> list[Run]:
    """Return the runs of the last experiment in a folder."""
    try:
        digests = msgspec.json.decode((out / INDEX).read_bytes(), type=list[str])
    except (OSError, msgspec.MsgspecError):
        raise UsageError(f"{out} holds no finished experiment; make one with `homing lab run`") from None
    found = [_kept(out / "runs" / f"{digest}.json") for digest in digests]
    if None in found:
        raise UsageError(f"runs are missing from {out}; the same `homing lab run` makes them again")
    return [run for run in found if run]


def check(experiment: Experiment, runner: Runner) -> None:
    """Raise an error at once for an unknown strategy, or a topic that the web does not have."""
    for contender in experiment.strategies:
        if contender.name != ORACLE:
            make(STRATEGIES.get(contender.name), contender.parameters)
        elif contender.parameters:
            raise UsageError("the oracle has no parameters")
    for topic in range(len(experiment.topics)):
        runner.task(topic)


def _jobs(experiment: Experiment) -> Iterator[Job]:
    """Yield the runs unit by unit: strategies on the same unit share a judge."""
    for topic in range(len(experiment.topics)):
        for draw in range(experiment.draws):
            for strategy in range(len(experiment.strategies)):
                yield Job(topic=topic, draw=draw, strategy=strategy)


def _kept(path: Path) -> Run | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Run)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError:
        return None  # of another version: it is repeated


def _made(
    experiment: Experiment, out: Path, jobs: dict[str, Job], processes: int
) -> Generator[tuple[str, Run | str]]:
    """Yield runs as they finish, each with its digest; for one that failed, a line that says so."""
    if not jobs:
        return
    with ended_like_ctrl_c(), _pool(min(processes, len(jobs)), experiment, out / "models") as pool:
        with safe_path(), signals_blocked():
            futures = {pool.submit(_run, job): digest for digest, job in jobs.items()}
        for future in as_completed(futures):
            yield futures[future], _outcome(future, experiment, jobs[futures[future]])


@contextmanager
def _pool(processes: int, experiment: Experiment, models: Path) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of processes. Whatever ends the block early, such as Ctrl-C, kills them at once."""
    others = multiprocessing.active_children()
    with safe_path():
        pool = ProcessPoolExecutor(
            max_workers=processes,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(experiment, models),
        )
    try:
        yield pool
    except BaseException:
        # A pool that is shut down waits for its running jobs, which may take minutes.
        for process in multiprocessing.active_children():
            if process not in others:
                process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _outcome(future: Future[Run], experiment: Experiment, job: Job) -> Run | str:
    strategy, topic = experiment.strategies[job.strategy], experiment.topics[job.topic]
    where = f"{strategy.title} on {topic.title}, draw {job.draw}"
    try:
        return future.result()
    except BrokenProcessPool:
        return f"{where}: the process that made it died; is there enough memory?"
    except HomingError as error:
        return f"{where}: {error}"
    except Exception as error:  # a bug in one strategy must not cost the results of all others
        cause = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
        return f"{where}: {type(cause).__name__}: {cause}"


# --- in the processes -------------------------------------------------------------------------

_runner: Runner | None = None


def _begin(experiment: Experiment, models: Path) -> None:
    global _runner
    # Ctrl-C stays blocked here; the parent ends a process by SIGTERM, which may be in the midst of a run.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGHUP})
    die_with_parent()
    _runner = Runner(experiment, models)


def _run(job: Job) -> Run:
    assert _runner is not None
    return _runner.run(job)
