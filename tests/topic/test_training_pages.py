"""Pages to train a judge on, from wherever they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from homing.errors import FolderError, UnreadableError, UsageError
from homing.model import Page
from homing.store.catalog.labels import label_pages
from homing.topic import training_pages as module
from homing.topic.crawled_pages import EvenSample
from homing.topic.training_pages import TrainingSources, read_training_pages

if TYPE_CHECKING:
    from tests.crawler.conftest import Folder, SmallWeb

A = "http://a.example"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("moths/a.html", "moths/b.html", "chess/a.html", "any/a.html", "any/b.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"<title>{name}</title><p>a page")
    rows = [
        {"url": "http://x.example/1", "body": "one", "labels": ["animals.insects"]},
        {"url": "http://x.example/2", "body": "two", "labels": ["games.chess", "animals"]},
        {"url": "http://x.example/3", "body": "three", "labels": ["games.chess"]},
        {"url": "http://x.example/4", "body": "four"},
    ]
    (tmp_path / "set.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


@pytest.fixture
def crawl(small: SmallWeb, folder: Folder) -> Path:
    """A crawl of ten pages and a seed that lists them, four of the ten with a label."""
    small.page(f"{A}/", *(f"/{number}" for number in range(10)), text="the seed")
    for number in range(10):
        small.page(f"{A}/{number}", text=f"page {number}")
    folder.run(f"{A}/", scope={"within": "host"})
    label_pages(
        folder.root,
        {f"{A}/1": True, f"{A}/2": True, f"{A}/3": False, f"{A}/4": False},
        wall=lambda: 0.0,
    )
    return folder.root


def names(pages: Sequence[Page]) -> list[str]:
    """The pages by the last two parts of their addresses."""
    return ["/".join(page.url.split("/")[-2:]) for page in pages]


def read(**said: object) -> tuple[list[str], list[str], list[str]]:
    brief = read_training_pages(TrainingSources(**said))  # type: ignore[arg-type]
    return names(brief.examples), names(brief.negatives), names(brief.unlabelled)


def test_folders_and_files_of_each_sort(here: Path) -> None:
    found = read(positive=("moths",), negative=("chess/a.html",), unlabelled=("any",))
    assert found == (["moths/a.html", "moths/b.html"], ["chess/a.html"], ["any/a.html", "any/b.html"])


def test_positives_are_enough(here: Path) -> None:
    assert read(positive=("moths",)) == (["moths/a.html", "moths/b.html"], [], [])


def test_a_label_parts_a_set_in_those_that_have_it_or_one_below_and_the_others(here: Path) -> None:
    on, off, others = read(positive=("set.jsonl",), negative=("set.jsonl",), label="animals")
    assert (on, off, others) == (
        ["x.example/1", "x.example/2"],
        ["x.example/3", "x.example/4"],
        [],
    )
    assert read(positive=("set.jsonl",), unlabelled=("set.jsonl",), label="games.chess")[2] == [
        "x.example/1",
        "x.example/4",
    ]


def test_without_a_label_all_pages_of_a_set_are_what_they_are_called(here: Path) -> None:
    assert len(read(positive=("set.jsonl",))[0]) == 4


def test_a_crawl_brings_its_labels_and_its_other_pages(crawl: Path) -> None:
    on, off, others = read(crawl=crawl)
    assert on == ["a.example/1", "a.example/2"]
    assert off == ["a.example/3", "a.example/4"]
    assert sorted(others) == sorted(["a.example/", *(f"a.example/{number}" for number in (0, 5, 6, 7, 8, 9))])


def test_urls_name_pages_of_the_crawl(here: Path, crawl: Path) -> None:
    (here / "good.txt").write_text(f"{A}/5\n{A}/6#top\n")
    on, off, others = read(crawl=crawl, positive=("good.txt",), negative=(f"{A}/7",))
    assert sorted(on) == ["a.example/1", "a.example/2", "a.example/5", "a.example/6"]
    assert "a.example/7" in off
    assert not {"a.example/5", "a.example/6", "a.example/7"} & set(others)


def test_of_many_other_pages_some_are_taken_evenly(
    crawl: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MANY", 3)
    assert 2 <= len(read(crawl=crawl)[2]) <= 3
    kept = EvenSample[int](10)
    kept.extend(range(1_000))
    assert 5 <= len(kept.kept) <= 10
    assert {later - sooner for sooner, later in zip(kept.kept, kept.kept[1:], strict=False)} == {128}


def refusal(**said: object) -> tuple[str, ...]:
    with pytest.raises(UsageError) as caught:
        read(**said)
    return caught.value.lines


def test_one_class_only_is_refused_if_it_is_the_wrong_one(here: Path) -> None:
    line = "no pages on the topic: name some with --positive, or label some of a crawl"
    assert refusal(negative=("chess",)) == (line,)
    assert refusal() == (line,)


def test_a_label_that_no_page_has_names_the_nearest(here: Path) -> None:
    assert refusal(positive=("set.jsonl",), label="animals.insect") == (
        'no page is labelled "animals.insect"; did you mean "animals.insects"?',
    )
    assert refusal(positive=("moths",), label="moths") == (
        'no page is labelled "moths": the pages given have no labels',
    )


def test_a_page_cannot_be_on_the_topic_and_off_it(here: Path) -> None:
    assert refusal(positive=("moths",), negative=("moths/b.html",)) == (
        f"{(here / 'moths' / 'b.html').as_uri()} is said to be on the topic and off it",
    )


def test_urls_need_a_crawl_that_has_them(here: Path, crawl: Path) -> None:
    assert refusal(positive=(f"{A}/1",)) == (
        f"{A}/1 names pages by URL: say with --crawl in which crawl they are",
    )
    assert refusal(positive=(f"{A}/1", f"{A}/none", f"{A}/nil"), crawl=crawl) == (
        f"{A}/none is no page that the crawl has kept",
        f"{A}/nil is no page that the crawl has kept",
    )


def test_everything_that_cannot_be_read_is_listed(here: Path) -> None:
    (here / "empty").mkdir()
    (here / "blank.html").write_text("<p>")
    with pytest.raises(UnreadableError) as caught:
        read(positive=("none.html", "moths"), negative=("empty",), unlabelled=("any", "bad.jsonl"))
    assert caught.value.lines == (
        "cannot read none.html: No such file or directory",
        "empty holds no pages: there is no HTML, text, PDF or JSONL file in it",
        "cannot read bad.jsonl: No such file or directory",
    )
    assert refusal(positive=("blank.html",)) == ("blank.html holds no text to learn from",)


def test_a_folder_without_a_crawl_is_one_line(here: Path) -> None:
    with pytest.raises(FolderError, match="holds no crawl"):
        read(crawl=here)
