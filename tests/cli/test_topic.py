"""``homing crawl`` for every way to say a topic, on a real server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest

from homing.config import Config

if TYPE_CHECKING:
    from tests.cli.conftest import Served

Homing = Callable[..., CompletedProcess[str]]


@pytest.fixture
def crawl(homing: Homing, served: Served) -> Homing:
    """``homing crawl`` of 40 pages of the little web."""

    def run(*arguments: object) -> CompletedProcess[str]:
        return homing("crawl", *arguments, *served.web.seeds, *served.options, "--pages", "40")

    return run


def understood(done: CompletedProcess[str]) -> str:
    """The line that says how the topic was understood."""
    assert done.returncode == 0, done.stderr
    [line] = [line for line in done.stderr.splitlines() if " judges by " in line]
    return line


def relevant(homing: Homing, folder: str) -> int:
    figures = json.loads(homing("report", folder, "--json").stdout)
    assert figures["fetched"] == 40
    return int(figures["relevant"])


def test_only_a_sentence(crawl: Homing, homing: Homing) -> None:
    line = understood(crawl("butterfly gardening"))
    assert line.startswith("crawling into butterfly-gardening: keywords judges by the words of the topic: ")
    assert "butterfly 1.00" in line
    assert relevant(homing, "butterfly-gardening") > 0


def test_only_three_example_urls(crawl: Homing, homing: Homing, served: Served) -> None:
    examples = served.targets[:3]
    done = crawl(*(word for url in examples for word in ("--example", url)), "--out", "here")
    line = understood(done)
    assert line.startswith("crawling into here: examples judges by 3 example pages: ")
    assert "butterfl" in line
    assert relevant(homing, "here") > 0
    assert done.stderr.startswith("fetching 3 example pages first\n")
    log = served.asked()
    first_page = next(place for place, url in enumerate(log) if url in served.web.seeds)
    assert set(examples) <= set(log[:first_page]), "examples come before the crawl"


def test_only_a_folder(crawl: Homing, homing: Homing, served: Served, tmp_path: Path) -> None:
    served.save(tmp_path / "butterflies", served.targets[:5])
    line = understood(crawl("--example", "butterflies"))
    assert line.startswith("crawling into like-butterflies: examples judges by 5 example pages: ")
    assert relevant(homing, "like-butterflies") > 0


def test_only_a_code(crawl: Homing, homing: Homing) -> None:
    line = understood(crawl("--code", "140", "--code", "890"))
    assert line.startswith("crawling into code-140-890: decimal judges by code 140, 890: 140 (Butterflies ")
    assert "caterpillar" in line
    assert relevant(homing, "code-140-890") > 0


def test_only_a_model(crawl: Homing, homing: Homing, served: Served, tmp_path: Path) -> None:
    served.save(tmp_path / "on", served.targets[:6])
    served.save(tmp_path / "off", served.others[:12])
    trained = homing(
        "train", "--positive", "on", "--negative", "off", "--out", "garden.model", "--folds", "2"
    )
    assert trained.returncode == 0, trained.stderr
    line = understood(crawl("--model", "garden.model"))
    assert line.startswith(
        "crawling into garden: bayes judges by garden.model, trained on 6 example pages and 12 other pages: "
    )
    assert relevant(homing, "garden") > 0


def test_a_topic_file(crawl: Homing, served: Served, tmp_path: Path) -> None:
    served.save(tmp_path / "topics" / "pages", served.targets[:3])
    (tmp_path / "topics" / "garden.toml").write_text(
        '[topic]\ntext = "butterfly gardening"\nexamples = ["pages"]\n[judge]\nname = "keywords"\n'
    )
    line = understood(crawl("--config", "topics/garden.toml"))
    assert line.startswith("crawling into butterfly-gardening: keywords judges by 3 example pages: ")
    stored = Config.load(tmp_path / "butterfly-gardening" / "crawl.toml")
    assert stored.topic.examples == (str(tmp_path / "topics" / "pages"),)


def test_a_crawl_resumes_without_its_examples_being_named_or_fetched_again(
    crawl: Homing, homing: Homing, served: Served
) -> None:
    first = understood(crawl("--example", served.targets[0], "--out", "here"))
    served.server.log.clear()
    again = homing("crawl", "--out", "here", "--pages", "45")
    assert understood(again) == first.replace("crawling into", "resuming")
    assert "fetching" not in again.stderr
    assert len([url for url in served.asked() if url == served.targets[0]]) <= 1


# -- what is refused


def refusal(homing: Homing, *arguments: object) -> list[str]:
    """The lines a refused command says; it must not touch the disk."""
    before = sorted(Path().rglob("*"))
    done = homing(*arguments)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert sorted(Path().rglob("*")) == before
    lines = [line for line in done.stderr.splitlines() if not line.startswith("fetching ")]
    assert all(line.startswith("homing: ") for line in lines)
    return [line.removeprefix("homing: ") for line in lines]


SEED = "http://127.0.0.1:9/"


def test_every_example_that_cannot_be_had_has_its_line(
    homing: Homing, served: Served, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    nowhere = f"{served.web.seeds[0]}no-such-page"
    sources = ("none.html", "empty", "photo.png", nowhere, served.targets[0])
    options = [word for source in sources for word in ("--example", source)]
    assert refusal(homing, "crawl", SEED, *options, *served.options) == [
        f"cannot read {tmp_path}/none.html: No such file or directory",
        f"{tmp_path}/empty holds no pages: there is no HTML, text, PDF or JSONL file in it",
        f"{tmp_path}/photo.png is no page: neither HTML, text nor PDF",
        f"cannot fetch {nowhere}: the host answered 404",
    ]


def test_an_example_at_a_private_address_is_refused(homing: Homing) -> None:
    [line] = refusal(homing, "crawl", SEED, "--example", SEED)
    assert line.startswith(f"cannot fetch {SEED}: ")
    assert line.endswith("; --allow-network permits private addresses")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--example", "ftp://a.example/"), '--example "ftp://a.example/" is no valid http(s) URL'),
        (("--not-example", "a.html"), "negative examples need positive ones: give examples as well"),
        (("--model", "none.model"), "cannot read the model {here}/none.model: No such file or directory"),
        (
            ("--model", "foreign.model"),
            "{here}/foreign.model is no model of Homing's; make one with homing train or homing fit",
        ),
        (("--code", ""), '--code must be codes such as "140", not ""'),
    ],
)
def test_a_topic_that_cannot_be_understood_is_one_line(
    homing: Homing, tmp_path: Path, options: tuple[str, ...], line: str
) -> None:
    (tmp_path / "foreign.model").write_bytes(b"\x80\x04\x95\x10")
    assert refusal(homing, "crawl", SEED, *options) == [line.format(here=tmp_path)]


def test_an_unknown_code_is_one_line(homing: Homing) -> None:
    [line] = refusal(homing, "crawl", SEED, "--code", "14099")
    assert line == 'the built-in taxonomy has no code "14099"; the nearest is 140 (Butterflies and moths)'


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("code,label,terms\n5,Science,atom\n59,Animals,moth\n59,Plants,tree\n", '"59"'),
        ("code,label,parent\n5,Science,59\n59,Animals,5\n", "parents go in a circle: 5 → 59 → 5"),
    ],
)
def test_a_taxonomy_with_doubled_codes_or_cycles_is_one_line(
    homing: Homing, tmp_path: Path, table: str, words: str
) -> None:
    (tmp_path / "t.csv").write_text(table)
    [line] = refusal(homing, "crawl", SEED, "--code", "59", "--set", "taxonomy=t.csv")
    assert "t.csv" in line
    assert words in line


def test_parameters_cannot_be_set_on_a_model(homing: Homing, served: Served, tmp_path: Path) -> None:
    served.save(tmp_path / "on", served.targets[:4])
    assert homing("train", "--positive", "on", "--out", "m.model", "--folds", "2").returncode == 0
    parameter = json.loads(homing("judges", "--json").stdout)
    [name] = [part["parameters"][0]["name"] for part in parameter if part["name"] == "bayes"]
    lines = refusal(homing, "crawl", SEED, "--model", "m.model", "--set", f"judge.{name}=1")
    assert lines == [f"a model keeps the parameters it was trained with: leave out {name}"]


def test_other_examples_are_another_crawl(
    homing: Homing, crawl: Homing, served: Served, tmp_path: Path
) -> None:
    served.save(tmp_path / "pages", served.targets[:2])
    understood(crawl("--example", "pages", "--out", "here"))
    done = homing("crawl", "--out", "here", "--example", "pages/1.html")
    assert done.returncode == 2
    assert "here holds a crawl with another topic examples" in done.stderr
