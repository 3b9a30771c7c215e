"""``homing judge``: what a judge thinks of files, folders and pages on a real server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Served

Homing = Callable[..., CompletedProcess[str]]

TOPIC = ("--topic", "butterfly gardening")


@pytest.fixture
def pages(served: Served, tmp_path: Path) -> Path:
    """A page on the topic and one that is not."""
    served.save(tmp_path / "pages" / "on", served.targets[:1])
    served.save(tmp_path / "pages" / "off", served.others[:1])
    return tmp_path / "pages"


def judged(done: CompletedProcess[str], code: int = 0) -> dict[str, dict[str, object]]:
    assert done.returncode == code, done.stderr
    opinions = json.loads(done.stdout)
    for opinion in opinions:
        assert opinion.keys() == {"source", "score", "relevant", "why"}
        assert opinion["relevant"] == (opinion["score"] >= 0.5)
    return {opinion["source"]: opinion for opinion in opinions}


def test_files_and_folders_by_a_sentence(homing: Homing, pages: Path) -> None:
    found = judged(homing("judge", *TOPIC, "pages", "--json"))
    assert [found[f"pages/{name}/0.html"]["relevant"] for name in ("on", "off")] == [True, False]
    why = found["pages/on/0.html"]["why"]
    assert isinstance(why, list)
    assert why[0][0] == "butterfly"


def test_pages_on_the_web(homing: Homing, served: Served) -> None:
    on, off = served.targets[0], served.others[0]
    found = judged(homing("judge", *TOPIC, on, off, *served.options, "--json"))
    assert (found[on]["relevant"], found[off]["relevant"]) == (True, False)
    assert [url for url in served.asked() if url.endswith("/robots.txt")]


def test_the_records_of_a_file(homing: Homing, tmp_path: Path) -> None:
    rows = [{"url": f"http://a.example/{text}", "body": f"{text} " * 20} for text in ("butterfly", "chess")]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = judged(homing("judge", "--topic", "butterflies", "a.jsonl", "--json"))
    assert [opinion["relevant"] for opinion in found.values()] == [True, False]


def test_by_examples(homing: Homing, served: Served, pages: Path) -> None:
    examples = [word for url in served.targets[1:5] for word in ("--example", url)]
    found = judged(homing("judge", *examples, "pages", *served.options, "--json"))
    scores = [found[f"pages/{name}/0.html"]["score"] for name in ("on", "off")]
    assert all(isinstance(score, float) for score in scores)
    assert scores == sorted(scores, key=str, reverse=True)


def test_by_a_model(homing: Homing, served: Served, pages: Path, tmp_path: Path) -> None:
    served.save(tmp_path / "on", served.targets[1:8])
    served.save(tmp_path / "off", served.others[1:15])
    done = homing("train", "--positive", "on", "--negative", "off", "--out", "garden.model", "--folds", "2")
    assert done.returncode == 0, done.stderr
    found = judged(homing("judge", "garden.model", "pages", "--json"))
    assert [found[f"pages/{name}/0.html"]["relevant"] for name in ("on", "off")] == [True, False]


def test_by_a_topic_file(homing: Homing, pages: Path, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text('[topic]\nkeywords = ["butterflies"]\n[judge]\nmentions = 1000\n')
    found = judged(homing("judge", "--config", "my.toml", "pages/on/0.html", "--json"))
    assert [opinion["relevant"] for opinion in found.values()] == [False]
    found = judged(homing("judge", "--config", "my.toml", "--set", "mentions=1", "pages/on/0.html", "--json"))
    assert [opinion["relevant"] for opinion in found.values()] == [True]


def test_people_see_the_verdict_and_the_words(homing: Homing, pages: Path) -> None:
    done = homing("judge", *TOPIC, "pages")
    assert done.returncode == 0
    first, words, *_ = done.stdout.splitlines()
    assert first.endswith("not relevant  pages/off/0.html") or first.endswith("relevant      pages/on/0.html")
    assert "butterfly +" in done.stdout
    assert words.startswith("  ") or "not relevant" in first
    assert done.stderr.startswith("keywords judges by the words of the topic: ")


def test_those_that_cannot_be_read_are_named_and_the_others_judged(
    homing: Homing, served: Served, pages: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    gone = f"{served.web.seeds[0]}no-such-page"
    done = homing(
        "judge",
        *TOPIC,
        "none.html",
        "empty",
        gone,
        "pages/on/0.html",
        served.targets[0],
        "--json",
        *served.options,
    )
    assert list(judged(done, code=2)) == ["pages/on/0.html", served.targets[0]]
    assert done.stderr.splitlines() == [
        "homing: cannot read none.html: No such file or directory",
        "homing: empty holds no pages: there is no HTML, text, PDF or JSONL file in it",
        f"homing: cannot fetch {gone}: the host answered 404",
    ]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("page.html",), "no pages: use homing judge MODEL PAGE..., or homing judge --topic TEXT PAGE..."),
        (("page.html", "page.html"), "{here}/page.html is no model of Homing's; make one with homing train"),
        (("none.model", "page.html"), "cannot read the model {here}/none.model: No such file or directory"),
        (
            (*TOPIC, "page.html", "--judge", "keyword"),
            'there is no judge "keyword"; did you mean "keywords"?',
        ),
        (
            (*TOPIC, "page.html", "--set", "mention=3"),
            'judge "keywords" has no parameter "mention"; did you mean "mentions"?',
        ),
        ((*TOPIC, "page.html", "--delay", "x"), '--delay must be a number, not "x"'),
        (("--topic", " ", "page.html"), 'no topic: say what to look for, as in homing crawl "butterfly'),
        (("--example", "none.html", "page.html"), "cannot read {here}/none.html: No such file or directory"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    homing: Homing, tmp_path: Path, arguments: tuple[str, ...], line: str
) -> None:
    (tmp_path / "page.html").write_text("<p>butterflies")
    done = homing("judge", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"homing: {line.format(here=tmp_path)}")
    assert done.stderr.count("\n") == 1


def test_a_topic_alone_has_nothing_to_judge(homing: Homing) -> None:
    assert homing("judge", *TOPIC).returncode == 2
