"""What each part of ``adaptive`` is worth, and how well a crawl predicts its own yield: development topics.

    python -m experiments.adaptive.trials ../shared/data/webs experiments/lab/runs/adaptive-trials.json

Development topics of both webs are crawled once by ``adaptive`` as it is, and once without each of its parts.
The prior weights were fitted with all parts in place and are not refitted for the rest, so a part that others
could replace seems to be worth more than it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
from msgspec.json import encode
from msgspec.json import format as tidy
from msgspec.structs import replace
from numpy.typing import NDArray

from experiments.adaptive.prior_weights import BUDGET, EXAMPLES, FOLDER, development_topics
from homing.crawler.progress import RECENT, YOUNG
from homing.judge import JUDGES, Brief
from homing.lab.crawl import Trace, crawl
from homing.lab.replay import Remembering
from homing.lab.tasks import Draw, task_of
from homing.lab.web.recorded import RecordedWeb
from homing.model import Topic
from homing.strategies.adaptive.adaptive import Adaptive
from homing.strategies.adaptive.features import FEATURES
from homing.strategies.adaptive.prior import MEANS

STRIDES = {"wikispeedia": 3, "webkb": 1}
"""Step through the development topics, as in ``protocol.py``."""
LONG = 0.30
"""Fraction of the reachable pages over which the yield is predicted."""
NEXT = 100
EVERY = 50

Row = dict[str, object]


class Without(Adaptive):
    """``adaptive`` without some features."""

    def __init__(self, *hidden: str) -> None:
        super().__init__()
        self._hidden = [place for place, name in enumerate(FEATURES) if any(each in name for each in hidden)]

    def _features(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        rows = super()._features(places)
        rows[:, self._hidden] = np.array(MEANS)[self._hidden]
        return rows


class WithoutExamplePages(Adaptive):
    """``adaptive`` whose examples only describe the topic, and do not count as pages already read."""

    def begin(self, topic: Topic) -> None:
        super().begin(replace(topic, examples=()))
        self._topic.begin(topic)
        self._similar_names.begin(topic)


class Unrefined(Adaptive):
    """``adaptive`` that scores pages by the judge alone, and never refines the topic vector."""

    def _refine(self) -> None:
        """Do nothing."""


TRIALS: Mapping[str, Callable[[], Adaptive]] = {
    "adaptive": Adaptive,
    "learning nothing": lambda: Adaptive(learn=False),
    "learning from its own pages alone": lambda: Adaptive(pull=0.1),
    "topic vector not refined": Unrefined,
    "examples not counted as read": WithoutExamplePages,
    "without the judge's ratings of links": lambda: Without("context", "anchor"),
    "without co-occurrence": lambda: Without("co-occurrence"),
    "without word vectors": lambda: Without("similar names"),
    "without learned link words": lambda: Without("words"),
    "without folders": lambda: Without("folder"),
    "without the pages links are on": lambda: Without("mean page", "siblings"),
    "without neighbours": lambda: Without("neighbours"),
    "without blocks and tag paths": lambda: Without("block", "place", "path"),
}


def main(webs: Path, out: Path) -> None:
    """Crawl, and write the results."""
    found: dict[str, list[Row]] = {"trials": [], "yields": []}
    for web, topics, exclude in development_topics(webs):
        with RecordedWeb(FOLDER / web, exclude=exclude) as recorded:
            for topic in topics[:: STRIDES[web]]:
                task = task_of(recorded, topic)
                draw = task.draw(0, EXAMPLES)
                examples = tuple(map(recorded.page, draw.examples))
                judge = Remembering(JUDGES.get("examples")(Brief(examples=examples)))
                for name, make in TRIALS.items():
                    pages = max(1, round(BUDGET * len(task.reachable)))
                    auc = auc_of(crawl(recorded, make(), judge, task.seeds, pages=pages), draw, pages)
                    found["trials"].append({"web": web, "topic": task.topic, "trial": name, "auc": auc})
                longer = max(1, round(LONG * len(task.reachable)))
                trace = crawl(recorded, Adaptive(), judge, task.seeds, pages=longer)
                relevant = [judge.judge(recorded.page(url)).relevant for url in trace.urls]
                found["yields"] += ({"web": web, **row} for row in _yields(trace, draw, relevant))
                print(web, task.topic, f"{found['trials'][-len(TRIALS)]['auc']:.3f}", file=sys.stderr)
    out.write_bytes(tidy(encode(found)))


def auc_of(trace: Trace, draw: Draw, pages: int) -> float:
    """Return the mean recall over the fetches of the budget."""
    found = [place for place, url in enumerate(trace.urls) if url in draw.targets]
    return sum(pages - place for place in found) / pages / len(draw.targets)


def _yields(trace: Trace, draw: Draw, relevant: list[bool]) -> Iterator[Row]:
    """Return the yield expected of the next pages (``Counters.expected_yield``) and the real one."""
    on_topic = [url in draw.targets for url in trace.urls]
    for now in range(YOUNG, len(relevant) - NEXT + 1, EVERY):
        if any(relevant[:now]):
            yield {
                "expected": 100 * sum(relevant[now - RECENT : now]) / RECENT,
                "came": sum(relevant[now : now + NEXT]),
                "true": sum(on_topic[now : now + NEXT]),
            }


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
