"""Targets, seeds, draws: what a topic is on a recorded web."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lab.conftest import drawn

from homing.errors import UsageError
from homing.lab.experiment import TopicEntry
from homing.lab.tasks import task_of
from homing.lab.web.recorded import RecordedWeb

SITE = "http://a.example"
PAGES = {
    "/": ("/a", "/photo.jpg"),
    "/a": ("/b", "/gone"),
    "/b": ("/",),
    "/island": ("/a",),
    "/photo.jpg": (),
    **{f"/t{number}": () for number in range(9)},
    "/hub": tuple(f"/t{number}" for number in range(9)),
}
TARGETS = (*(f"/t{number}" for number in range(9)), "/b")


@pytest.fixture
def web(tmp_path: Path) -> RecordedWeb:
    return drawn(tmp_path / "web", PAGES, TARGETS)


def entry(**said: object) -> TopicEntry:
    return TopicEntry.model_validate({"label": "on", "seeds": [f"{SITE}/"], **said})


def test_only_what_the_engine_could_reach_counts(web: RecordedWeb) -> None:
    task = task_of(web, entry())
    assert sorted(url.removeprefix(SITE) for url in task.reachable) == ["/", "/a", "/b"]
    assert len(task.positives) == 10
    both = task_of(web, entry(seeds=[f"{SITE}/", f"{SITE}/hub"]))
    assert len(both.reachable) == 3 + 10


def test_examples_are_drawn_alike_each_time_and_are_no_targets(web: RecordedWeb) -> None:
    task = task_of(web, entry(seeds=[f"{SITE}/", f"{SITE}/hub"]))
    draw = task.draw(1, examples=8)
    assert draw == task.draw(1, examples=8)
    assert draw.examples != task.draw(2, examples=8).examples
    assert len(draw.examples) == 3, "a third of ten"
    assert len(task.draw(1, examples=2).examples) == 2
    assert len(draw.targets) == 10 - 3
    assert not draw.targets & set(draw.examples)


def test_without_examples_every_page_on_the_topic_is_a_target(web: RecordedWeb) -> None:
    draw = task_of(web, entry(seeds=[f"{SITE}/", f"{SITE}/hub"])).draw(0, examples=0)
    assert draw.examples == ()
    assert len(draw.targets) == 10


def test_targets_may_be_listed_in_a_file(web: RecordedWeb, tmp_path: Path) -> None:
    listed = tmp_path / "wanted.txt"
    listed.write_text(f"{SITE}/b\n\nHTTP://A.example:80/a\n{SITE}/nowhere\n")
    task = task_of(web, TopicEntry(urls=str(listed), seeds=(f"{SITE}/",)))
    assert task.positives == (f"{SITE}/a", f"{SITE}/b")
    assert task.topic == "wanted"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({"label": "onn"}, 'no page of {web} is labelled "onn"; did you mean "on"?'),
        ({"seeds": [f"{SITE}/gone"]}, f"the seed {SITE}/gone is not in {{web}}"),
        ({"seeds": [f"{SITE}/t1"], "label": "off"}, 'no page of {web} is labelled "off"'),
    ],
)
def test_what_a_web_does_not_have_is_one_clear_line(
    web: RecordedWeb, said: dict[str, object], line: str
) -> None:
    with pytest.raises(UsageError) as caught:
        task_of(web, entry(**said))
    assert str(caught.value).startswith(line.format(web=web.folder))


def test_a_topic_that_no_seed_leads_to_is_refused(tmp_path: Path) -> None:
    web = drawn(tmp_path / "web", {"/": ("/a",), "/a": (), "/t": ()}, ("/t",))
    with pytest.raises(UsageError, match='no way leads from the seeds of "on" to one of its pages'):
        task_of(web, entry())


def test_a_draw_that_leaves_nothing_to_find_is_refused(tmp_path: Path) -> None:
    web = drawn(tmp_path / "web", {"/": ("/t",), "/t": (), "/u": ()}, ("/t",))
    with pytest.raises(UsageError, match="nothing is left to find; take other seeds or fewer examples"):
        task_of(web, entry()).draw(0, examples=8)
