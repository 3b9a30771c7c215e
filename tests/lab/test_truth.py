"""Targets of a web without labels."""

from __future__ import annotations

from pathlib import Path

from homing.lab.experiment import TopicEntry
from homing.lab.tasks import task_of
from homing.lab.truth import by_majority
from homing.lab.web.recorded import RecordedWeb


def test_judges_may_vote_on_what_is_a_target(little: RecordedWeb, little_folder: Path) -> None:
    seeds = next(iter(little))
    task = task_of(little, TopicEntry(label="target", seeds=(seeds,)))
    voted = by_majority(little, task, ["bayes", "svm", "keywords"][:2])
    known = set(task.positives)
    assert len(known & set(voted.positives)) / len(known) > 0.8
    assert len(known & set(voted.positives)) / len(voted.positives) > 0.5
    assert by_majority(little, task, ["bayes", "svm"]) == voted
    assert list(little_folder.glob("truth-*.json"))
