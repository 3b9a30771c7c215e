"""``homing fit``, and crawls with what it makes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest
from tests.calling import called

from homing.model import Standing
from homing.modelfile import read_model
from homing.parse import PageParser
from homing.records import Record, write_records
from homing.store.views.reader import Reader
from homing.urls import host

if TYPE_CHECKING:
    from tests.cli.conftest import Served

Homing = Callable[..., CompletedProcess[str]]
TOPIC = "butterfly gardening"


@pytest.fixture(scope="module")
def crawled(_served: Served, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that has found some targets."""
    folder = tmp_path_factory.mktemp("crawled") / "old"
    wanted = ["crawl", TOPIC, *_served.web.seeds, *_served.options, "--pages", 120]
    done = called(*wanted, "--out", folder, "--quiet")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def crawl(crawled: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return shutil.copytree(crawled, tmp_path / "old")


def fitted(homing: Homing, *arguments: object) -> dict[str, object]:
    done = homing("fit", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def refused(done: CompletedProcess[str]) -> str:
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    return done.stderr.strip()


def test_a_strategy_is_fitted_on_a_crawl_and_another_crawl_uses_it(
    homing: Homing, served: Served, crawl: Path, tmp_path: Path
) -> None:
    found = fitted(homing, crawl, "--strategy", "q-learning", "--out", "a.model")
    model = read_model(tmp_path / "a.model")
    assert (model.kind, model.name, model.topic) == ("strategy", "q-learning", TOPIC)
    assert model.trained_on["pages"] == found["pages"]
    arguments = ["crawl", TOPIC, *served.web.seeds, *served.options, "--model", "a.model", "--out", "new"]
    done = homing(*arguments, "--pages", 20, "--quiet", "--json")
    assert json.loads(done.stdout)["strategy"] == "q-learning"
    (tmp_path / "a.model").unlink()  # the crawl has a copy of its own
    done = homing("crawl", "--out", "new", *served.options, "--pages", 25, "--quiet", "--json")
    assert json.loads(done.stdout)["fetched"] == 25, done.stderr


def test_a_strategy_is_fitted_on_recorded_pages_by_their_labels(
    homing: Homing, served: Served, tmp_path: Path
) -> None:
    targets = set(served.web.targets)
    write_records(
        tmp_path / "web.jsonl.gz",
        (
            Record(reply=served.reply(url), labels=("garden.butterflies",) if url in targets else ())
            for url in served.web.pages
        ),
    )
    web = ["web.jsonl.gz", "--strategy", "context-graph", "--out", "a.model"]
    found = fitted(homing, *web, "--label", "garden", "--layers", 2)
    assert isinstance(found["layers"], list)
    assert found["layers"][0] >= len(served.targets) / 2
    assert 'no page of web.jsonl.gz is labelled "gardn"' in refused(homing("fit", *web, "--label", "gardn"))
    assert "say with --label" in refused(homing("fit", *web))


def test_a_recorded_web_trains_as_its_records_do(homing: Homing, served: Served, tmp_path: Path) -> None:
    example = linked_target(served)
    targets = set(served.web.targets)
    write_records(
        tmp_path / "web.jsonl",
        (
            Record(reply=served.reply(url), labels=("garden.butterflies",) if url in targets else ())
            for url in served.web.pages
            if url != example
        ),
    )
    assert homing("lab", "import", "web.jsonl", "--out", "web").returncode == 0
    options = ["--strategy", "context-graph", "--out", "a.model", "--label", "garden", "--layers", 2]
    by_label = fitted(homing, "web", *options)
    assert by_label == fitted(homing, "web.jsonl", *options)
    # An example that was not recorded is known by the links to it.
    options += ["--example", example, *served.options]
    by_example = fitted(homing, "web", *options)
    assert by_example == fitted(homing, "web.jsonl", *options) != by_label

    base = ["fit", "web", "--strategy", "context-graph", "--out", "b.model"]
    assert 'no page of web is labelled "gardn"; there is: garden.butterflies' in refused(
        homing(*base, "--label", "gardn")
    )
    unsaid = refused(homing(*base))
    assert "say with --label which pages of web are the targets (there is: garden.butterflies)" in unsaid
    assert not (tmp_path / "b.model").exists()


def test_browsing_sessions_and_edges_can_be_trained_on(homing: Homing, crawl: Path, tmp_path: Path) -> None:
    with Reader(crawl) as reader:
        rows = list(reader.pages())
        others = {row.url for row in rows if not row.relevant}
        ways = [[entry.url for entry in reader.way(row.seq)] for row in rows if row.relevant]
        way = next(way for way in ways if way[-2:-1] and way[-2] in others)
        backlinks = reader.backlinks()
    assert way[-2] in backlinks.parents(way[-1])
    (tmp_path / "sessions.txt").write_text(" ".join(way) + "\n")
    (tmp_path / "edges.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairwise(way)))
    base = [crawl, "--strategy", "q-learning", "--out", "a.model"]
    assert fitted(homing, *base, "--edges", "edges.tsv")["pages"]
    pages = {row.url for row in rows}
    assert fitted(homing, *base, "--trails", "sessions.txt")["pages"] == len(pages.intersection(way))


def recorded(served: Served, path: Path, without: str) -> None:
    """All pages but one, none of them labelled."""
    write_records(path, (Record(reply=served.reply(url)) for url in served.web.pages if url != without))


def linked_target(served: Served) -> str:
    """A target that other pages link to."""
    linked = {link.url for url in served.others for link in PageParser().read(served.reply(url)).links}
    return next(url for url in served.targets if url in linked)


def test_an_example_on_the_web_is_fetched_politely_and_is_a_target(
    homing: Homing, served: Served, tmp_path: Path
) -> None:
    example = linked_target(served)
    recorded(served, tmp_path / "web.jsonl", without=example)
    reach = ["--connect-to", served.server.address, "--delay", "0.3"]
    done = homing(
        "fit", "web.jsonl", "--strategy", "q-learning", "--out", "a.model", "--example", example, *reach
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("fetching 1 example page first\n")
    assert served.asked() == [f"http://{host(example)}/robots.txt", example]
    robots, page = served.server.log
    assert page.began - robots.ended >= 0.29
    counts = done.stdout.splitlines()[0].removeprefix("pages by distance to a target: ").split(", ")
    assert int(counts[0]) >= 1
    assert int(counts[1]) >= 1, "the recorded pages that link to it"


def test_an_example_that_a_crawl_has_only_heard_of_is_one_more_target(
    homing: Homing, served: Served, crawl: Path
) -> None:
    base = [crawl, "--strategy", "q-learning", "--out", "a.model", "--layers", 1]
    with Reader(crawl) as reader:
        entries = [entry for url in served.targets if (entry := reader.find(url))]
        example = next(each.url for each in entries if reader.standing(each.seq) is Standing.WAITING)
        parents = set(reader.backlinks(also=[example]).parents(example))
    assert parents
    before = fitted(homing, *base)["layers"]
    after = fitted(homing, *base, "--example", example, *served.options)["layers"]
    assert isinstance(before, list)
    assert isinstance(after, list)
    assert after[0] > before[0]


def test_an_example_that_cannot_be_had_is_one_line_and_writes_nothing(
    homing: Homing, served: Served, crawl: Path
) -> None:
    base = ["fit", crawl, "--strategy", "q-learning", "--out", "a.model", *served.options, "--example"]
    nowhere = f"{served.web.seeds[0]}no-such-page"
    robots = {name: served.web.answer(name, "/robots.txt").body for name in served.web.hosts}
    private = next(f"http://{name}/private/" for name, text in robots.items() if b"/private/" in text)
    for example, words in (
        (nowhere, f"cannot fetch {nowhere}: the host answered 404"),
        (private, f"cannot fetch {private}: robots.txt"),
        ("none.html", "cannot read"),
    ):
        done = homing(*base, example)
        assert done.returncode == 2
        lines = [line for line in done.stderr.splitlines() if not line.startswith("fetching ")]
        assert len(lines) == 1
        assert words in lines[0]
        assert [path.name for path in crawl.parent.iterdir()] == ["old"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["old", "--strategy", "otie", "--out", "a.model"], "learns nothing by fitting; these do:"),
        (["old", "--strategy", "q-lerning", "--out", "a.model"], 'did you mean "q-learning"?'),
        (["none", "--strategy", "q-learning", "--out", "a.model"], "neither a crawl folder nor a file"),
        (["old", "--strategy", "q-learning", "--out", "no/a.model"], "--out cannot be no/a.model"),
        (["old", "--strategy", "q-learning", "--out", "a.model", "--trails", "x"], "cannot read x"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    homing: Homing, crawl: Path, arguments: list[str], words: str
) -> None:
    assert words in refused(homing("fit", *arguments))
    assert [path.name for path in crawl.parent.iterdir()] == ["old"]


def test_a_crawl_without_relevant_pages_cannot_train(homing: Homing, served: Served) -> None:
    seeds = served.web.seeds
    homing("crawl", "zeppelin", *seeds, *served.options, "--pages", 5, "--out", "old", "--quiet")
    done = homing("fit", "old", "--strategy", "q-learning", "--out", "a.model")
    assert "old has no relevant page" in refused(done)


def test_a_model_of_something_else_is_refused_before_anything_is_touched(
    homing: Homing, served: Served, crawl: Path, tmp_path: Path
) -> None:
    fitted(homing, crawl, "--strategy", "q-learning", "--out", "a.model")
    base = [*served.web.seeds, *served.options, "--out", "new"]
    wrong_topic = homing("crawl", "steam trains", *base, "--model", "a.model")
    assert f'was fitted for "{TOPIC}", not for "steam trains"' in refused(wrong_topic)
    wrong_strategy = homing("crawl", TOPIC, *base, "--model", "a.model", "--strategy", "layered")
    assert 'is a model of the strategy "q-learning", not of "layered"' in refused(wrong_strategy)
    twice = homing("crawl", TOPIC, *base, "--model", "a.model", "--model", "a.model")
    assert "both models of a strategy" in refused(twice)
    (tmp_path / "a.model").write_bytes((tmp_path / "a.model").read_bytes()[:-40])
    damaged = homing("crawl", TOPIC, *base, "--model", "a.model")
    assert "is damaged" in refused(damaged)
    assert not (tmp_path / "new").exists()
