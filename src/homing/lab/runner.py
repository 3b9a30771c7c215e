"""Execute one run at a time: one strategy on one unit, in one process."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from homing.judge import JUDGES, Brief
from homing.lab.crawl import crawl
from homing.lab.digest import code_digest, module_of
from homing.lab.experiment import Contender, Experiment
from homing.lab.fits import fitted, prefix_graph, web_graph
from homing.lab.oracle import Oracle
from homing.lab.replay import Remembering
from homing.lab.runs import Run, Unit
from homing.lab.similarity import PageSimilarity
from homing.lab.tasks import Draw, Task, task_of
from homing.lab.truth import by_majority
from homing.lab.web.recorded import RecordedWeb
from homing.registry import make
from homing.strategies import STRATEGIES, Strategy
from homing.strategies.trained.base import Trained
from homing.trails import LocalGraph

ORACLE = "oracle"
Cosines = tuple[float, ...]


class Job(Struct, frozen=True, kw_only=True):
    """One run to be executed: positions in the experiment's lists, and the number of the draw."""

    topic: int
    draw: int
    strategy: int


class Runner:
    """Executes the runs of an experiment, and caches what several of them need.

    Parameters
    ----------
    models
        Folder for models that are fitted before a crawl.
    """

    def __init__(self, experiment: Experiment, models: Path) -> None:
        self.experiment = experiment
        self.web = RecordedWeb(Path(experiment.web), exclude=experiment.exclude)
        self._models = models
        # Done here, before there are several processes, so that the vectors are written once.
        self._similarity = PageSimilarity(self.web) if experiment.examples else None
        self.task = lru_cache(maxsize=64)(self._task)
        """Task by the topic's position in the experiment."""
        self._judge = lru_cache(maxsize=2)(self._make_judge)  # runs are ordered by unit

    def run(self, job: Job) -> Run:
        """Execute one run."""
        experiment, contender = self.experiment, self.experiment.strategies[job.strategy]
        task, judge = self.task(job.topic), self._judge(job.topic, job.draw)
        draw = task.draw(job.draw, experiment.examples)
        budget, end = self.pages(task)
        strategy = self._strategy(contender, draw)
        fit_seconds = self._fit(strategy, job) if isinstance(strategy, Trained) else 0.0
        trace = crawl(self.web, strategy, judge, task.seeds, pages=end, outside=experiment.outside)
        firsts = first_steps(trace.urls)
        similar, mean_similar = self._similar(trace.urls, draw, budget)
        return Run(
            unit=Unit(topic=task.topic, draw=job.draw),
            strategy=contender.name,
            params=contender.parameters,
            label=contender.title,
            reachable=len(task.reachable),
            targets=len(draw.targets),
            budget=budget,
            end=end,
            pages=len(trace.urls),
            hits=tuple(step for url, step in firsts.items() if url in draw.targets),
            similar=similar,
            mean_similar=mean_similar,
            cpu_seconds=trace.cpu_seconds,
            fit_seconds=trace.fit_seconds + fit_seconds,
            fits=trace.fits,
            seconds=trace.seconds,
            bytes_a_url=round(trace.bytes_a_url, 1),
        )

    def pages(self, task: Task) -> tuple[int, int]:
        """Return the budget, and the length of the curve."""
        shares = self.experiment.budget, self.experiment.curve_to
        budget, end = (self.experiment.pages(share, len(task.reachable)) for share in shares)
        return budget, max(budget, end)

    def _task(self, topic: int) -> Task:
        task = task_of(self.web, self.experiment.topics[topic])
        return by_majority(self.web, task, self.experiment.truth) if self.experiment.truth else task

    def _make_judge(self, topic: int, draw: int) -> Remembering:
        chosen, entry = self.experiment.judge, self.experiment.topics[topic]
        examples = self.task(topic).draw(draw, self.experiment.examples).examples
        brief = Brief(text=entry.text, examples=tuple(map(self.web.page, examples)))
        return Remembering(make(JUDGES.get(chosen.name), chosen.parameters, brief))

    def _similar(self, urls: Sequence[str], draw: Draw, budget: int) -> tuple[Cosines, Cosines]:
        """Return each page's highest cosine to an example, and each example's mean up to the budget.

        A page fetched again brings nothing similar that was not there.
        """
        if self._similarity is None:
            return (), ()
        cosines = self._similarity.to(draw.examples)[[self.web.numbers.get(url, -1) for url in urls]]
        cosines[_again(urls)] = 0.0
        means = cosines[:budget].mean(axis=0)
        return tuple(cosines.max(axis=1).round(4).tolist()), tuple(means.round(4).tolist())

    def _strategy(self, contender: Contender, draw: Draw) -> Strategy:
        if contender.name == ORACLE:
            return Oracle(self.web, draw.targets)
        return make(STRATEGIES.get(contender.name), contender.parameters)

    def _fit(self, strategy: Trained, job: Job) -> float:
        """Give the strategy a model, unless it fits itself; return the seconds of the fit."""
        if self.experiment.fit == "self":
            return 0.0
        judge, kept = self._judge(job.topic, job.draw), self._models / f"{self.digest(job)}.json"
        fit = fitted(strategy, judge, lambda: self._graph(job, judge), kept)
        if fit.model is not None:
            strategy.give(fit.model)
        return fit.seconds

    def _graph(self, job: Job, judge: Remembering) -> LocalGraph:
        if self.experiment.fit == "prefix":
            return prefix_graph(self.web, judge, self.task(job.topic))
        with RecordedWeb(Path(self.experiment.fit)) as other:
            return web_graph(other, judge)

    def digest(self, job: Job) -> str:
        """Return a digest of the web, unit, strategy and rules of a run, and of the code it needs."""
        experiment, contender = self.experiment, self.experiment.strategies[job.strategy]
        task = self.task(job.topic)
        is_oracle = contender.name == ORACLE
        parts = [Oracle if is_oracle else STRATEGIES.get(contender.name), JUDGES.get(experiment.judge.name)]
        said = {
            "web": [self.web.digest, self.web.facts["parser"], experiment.exclude, experiment.outside],
            "task": [task.topic, task.seeds, task.positives, experiment.topics[job.topic].text],
            "draw": [job.draw, experiment.examples, *self.pages(task)],
            "judge": experiment.judge.model_dump(),
            "strategy": contender.model_dump(),
            "fit": [experiment.fit, _digest_of(experiment.fit)],
            "code": code_digest([*map(module_of, parts), *_HERE]),
        }
        return hashlib.sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()[:32]


def first_steps(urls: Sequence[str]) -> dict[str, int]:
    """Return when each URL was fetched first, in order: however often a page is fetched, it counts once."""
    steps: dict[str, int] = {}
    for step, url in enumerate(urls, 1):
        steps.setdefault(url, step)
    return steps


def _again(urls: Sequence[str]) -> list[int]:
    """Return the places of URLs that were fetched before."""
    firsts = first_steps(urls)
    return [place for place, url in enumerate(urls) if firsts[url] != place + 1]


_HERE = ("homing.lab.crawl", "homing.lab.tasks", "homing.lab.similarity", "homing.lab.fits")


@lru_cache(maxsize=4)
def _digest_of(fit: str) -> str:
    if fit in ("self", "prefix"):
        return ""
    with RecordedWeb(Path(fit)) as web:
        return web.digest
