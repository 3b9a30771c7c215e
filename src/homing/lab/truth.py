"""Targets of a web without labels: the pages that a majority of several judges calls relevant.

These judges are trained on all pages known to be on the topic, independently of the judge of the crawl, and
judge every page of the web once.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

import msgspec

from homing.files import whole_file
from homing.judge import JUDGES, Brief
from homing.lab.tasks import Task
from homing.lab.web.recorded import RecordedWeb

BACKGROUND = 300
"""Pages sampled from the whole web as negatives for the judges."""


def by_majority(web: RecordedWeb, task: Task, names: Sequence[str]) -> Task:
    """Return the task with new positives: the pages that more than half of these judges call relevant."""
    said = "\n".join([web.digest, *names, *task.positives, *sorted(task.reachable)])
    path = web.folder / f"truth-{hashlib.sha256(said.encode()).hexdigest()[:16]}.json"
    if not path.exists():
        with whole_file(path) as file:
            file.write(msgspec.json.encode(_voted(web, task, names)))
    return msgspec.structs.replace(
        task, positives=msgspec.json.decode(path.read_bytes(), type=tuple[str, ...])
    )


def _voted(web: RecordedWeb, task: Task, names: Sequence[str]) -> list[str]:
    chance = random.Random(task.topic)  # noqa: S311  (a sample, not a secret)
    others = [url for url in web if web.has_page(url) and url not in set(task.positives)]
    shown = chance.sample(others, min(BACKGROUND, len(others)))
    brief = Brief(examples=tuple(map(web.page, task.positives)), unlabelled=tuple(map(web.page, shown)))
    judges = [JUDGES.get(name)(brief) for name in names]
    return [
        url
        for url in web
        if web.has_page(url)
        and sum(judge.judge(web.page(url)).relevant for judge in judges) > len(judges) / 2
    ]
