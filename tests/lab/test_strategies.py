"""Every strategy on the whole little web: is it better than no strategy at all?"""

from __future__ import annotations

from pathlib import Path

import pytest

from homing.demo.web.little_web import LittleWeb
from homing.demo.web_records import TARGET, records_of
from homing.judge import Brief
from homing.judge.examples import Examples
from homing.lab.crawl import crawl
from homing.lab.experiment import TopicEntry
from homing.lab.replay import Remembering
from homing.lab.tasks import Draw, Task, task_of
from homing.lab.web.recorded import RecordedWeb
from homing.lab.web.recording import record
from homing.registry import make
from homing.strategies import STRATEGIES

BUDGET = 0.30
BLIND = ("breadth-first", "random")
NO_BETTER = {"opic"}
"""It goes by links alone, whatever the topic; its docstring says so."""
QUICK = {"hmm", "memm", "crf"}
"""They learn from fewer walks here than usual, to be done in a second."""


class Ground:
    """A little web, what is to be found in it, and a judge that has seen eight examples."""

    def __init__(self, folder: Path, seed: int) -> None:
        little = LittleWeb(seed)
        record(records_of(little), folder)
        self.web = RecordedWeb(folder)
        self.task: Task = task_of(self.web, TopicEntry(label=TARGET, seeds=little.seeds))
        self.draw: Draw = self.task.draw(0, examples=8)
        self.judge = Remembering(Examples(Brief(examples=tuple(map(self.web.page, self.draw.examples)))))

    def recall(self, name: str) -> float:
        strategy = make(STRATEGIES.get(name), {"walks": 80} if name in QUICK else {})
        pages = round(BUDGET * len(self.task.reachable))
        trace = crawl(self.web, strategy, self.judge, self.task.seeds, pages=pages)
        return len(self.draw.targets.intersection(trace.urls)) / len(self.draw.targets)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return Ground(tmp_path_factory.mktemp("web") / "little", seed=1)


@pytest.fixture(scope="module")
def blind(ground: Ground) -> float:
    """What is found without looking."""
    return max(map(ground.recall, BLIND))


@pytest.mark.parametrize("name", [name for name in STRATEGIES.names() if name not in BLIND])
def test_at_a_third_of_the_pages_a_strategy_has_found_more_than_chance(
    name: str, ground: Ground, blind: float
) -> None:
    recall = ground.recall(name)
    if name in NO_BETTER:
        assert "topic" in (STRATEGIES.get(name).__doc__ or "")
    else:
        assert recall > 1.2 * blind
