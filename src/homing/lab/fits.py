"""Models for trainable strategies, fitted before the crawl to data that a user might have."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from homing.errors import UsageError
from homing.files import whole_file
from homing.lab.crawl import crawl
from homing.lab.tasks import Task
from homing.lab.web.recorded import RecordedWeb
from homing.model import State
from homing.ports import Judge
from homing.strategies.breadth_first import BreadthFirst
from homing.strategies.trained.base import Trained
from homing.trails import EdgeList, LocalGraph, grow

PREFIX = 0.10
"""Share of the reachable pages that a breadth-first crawl fetches beforehand."""


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """A model, and the cost of fitting it."""

    model: State | None
    """``None`` where there was too little training data."""
    seconds: float


def fitted(strategy: Trained, judge: Judge, graph: Callable[[], LocalGraph], kept: Path) -> Fit:
    """Fit a strategy, or load the model of an earlier fit; the graph is then not built."""
    if kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=Fit)
    local_graph = graph()
    strategy.begin(judge.topic())
    began = time.process_time()
    try:
        strategy.fit(local_graph)
        model: State | None = strategy.model()
    except UsageError:
        model = None  # a strategy without a model fits itself: the run continues, and its fits are counted
    fit = Fit(model=model, seconds=time.process_time() - began)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(kept) as file:
        file.write(msgspec.json.encode(fit))
    return fit


def prefix_graph(web: RecordedWeb, judge: Judge, task: Task) -> LocalGraph:
    """Return the pages of a breadth-first crawl from the seeds; its relevant pages are the targets."""
    pages = round(PREFIX * len(task.reachable))
    trace = crawl(web, BreadthFirst(), judge, task.seeds, pages=pages)
    met = [web.page(url) for url in trace.urls]
    return LocalGraph(met, {page.url for page in met if judge.judge(page).relevant})


def web_graph(web: RecordedWeb, judge: Judge) -> LocalGraph:
    """Return the surroundings of the pages that the judge calls relevant on another web."""
    targets = [url for url in web if web.has_page(url) and judge.judge(web.page(url)).relevant]
    return grow(targets, EdgeList(web.edges()), lambda url: web.page(url) if web.has_page(url) else None)
