"""``homing search`` and ``homing index``."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.cli.conftest import Served

from homing.store.folder import Layout
from homing.store.index import Search, Writer
from homing.store.views.reader import Reader

Homing = Callable[..., CompletedProcess[str]]
A, B, SEED = "https://bees.example/a", "https://bees.example/b", "https://seed.example/"


def test_results_are_one_json_document_with_the_agreed_names(homing: Homing, folder: Path) -> None:
    done = homing("search", folder, "bees", "nest", "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found["total"] == 3
    best = found["results"][0]
    assert {"url", "title", "snippet", "score", "topic_score"} <= best.keys()
    assert best["url"] == A
    assert best["topic_score"] == pytest.approx(0.9)
    assert [best["snippet"][start:end] for start, end in best["marks"]] == ["bees", "nest"]


def test_results_read_well_and_hostile_titles_stay_text(homing: Homing, folder: Path) -> None:
    shown = homing("search", folder, "bees").stdout
    assert "Wild bees, “Wildbienen”" in shown
    assert "Wild bees live alone, says page number 1" in shown
    assert "\x1b" not in shown
    assert "1 to 3 of 3" in shown


def test_filters_sorting_and_paging(homing: Homing, folder: Path) -> None:
    def urls(*options: object) -> list[str]:
        found = json.loads(homing("search", folder, "--json", *options).stdout)
        return [result["url"] for result in found["results"]]

    assert urls("bees", "--sort", "topic") == [A, B, SEED]
    assert urls("bees", "--sort", "date") == [B, A, SEED]
    assert urls("bees", "--sort", "date", "--limit", 1, "--page", 2) == [A]
    assert set(urls("bees", "--host", "bees.example")) == {A, B}
    assert set(urls("host:bees.example")) == {A, B}
    assert urls("bees", "--score", "0.7") == [A]
    assert urls("bees", "--since", "2023-11-15") == []
    assert len(urls("bees", "--since", "2023-11-14", "--until", "2023-11-14")) == 3
    assert urls("bees", "--language", "de") == []


def test_a_page_as_text_and_pages_like_it(homing: Homing, folder: Path) -> None:
    shown = homing("search", folder, "--text", A).stdout
    assert shown.startswith("Wild bees, “Wildbienen”\n")
    assert "each digs its own nest" in shown
    assert json.loads(homing("search", folder, "--text", A, "--json").stdout)["url"] == A
    like = json.loads(homing("search", folder, "--like", A, "--json").stdout)
    assert {result["url"] for result in like["results"]} == {B, SEED}


def test_nothing_found_is_no_error(homing: Homing, folder: Path) -> None:
    done = homing("search", folder, "dinosaurs")
    assert (done.returncode, done.stdout) == (0, "nothing found\n")
    assert homing("search", folder, "bees", "--page", 9).stdout == "there are only 3 results\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (['"wild bees'], "not closed"),
        (["hots:bees.example"], "did you mean"),
        (["the"], "add others"),
        (["bees", "--sort", "tpoic"], 'did you mean "topic"'),
        (["bees", "--since", "yesterday"], "2026-05-31"),
        (["bees", "--until", "9999-12-31"], "2026-05-31"),
        (["bees", "--score", "7"], "0 to 1"),
        (["bees", "--limit", "0"], "1 or more"),
        (["bees", "--limit", "many"], "--limit"),
        (["bees", "--like", A], "use one of them"),
        (["--like", A, "--host", "a.example"], "leave out the filters"),
        (["--text", "https://other.example/"], "not in the index"),
        (["--text", "what"], "no URL"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_exit_code_2(
    homing: Homing, folder: Path, words: list[str], complaint: str
) -> None:
    done = homing("search", folder, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert complaint in done.stderr


def test_a_folder_without_a_crawl_is_refused_and_left_alone(homing: Homing, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for command in (("search", empty, "bees"), ("index", empty), ("index", empty, "--rebuild")):
        done = homing(*command)
        assert (done.returncode, done.stdout) == (2, "")
        assert "holds no crawl" in done.stderr
    assert list(empty.iterdir()) == []


def test_index_says_how_many_pages_are_indexed(homing: Homing, folder: Path) -> None:
    assert homing("index", folder).stdout == "3 pages are indexed\n"
    assert json.loads(homing("index", folder, "--rebuild", "--json").stdout) == {"pages": 3}


def test_an_index_that_is_being_written_is_searched_and_not_rebuilt(homing: Homing, folder: Path) -> None:
    homing("index", folder)
    (Layout(folder).index / "homing.json").write_text('{"format": 1, "visit": 0}')  # it lags behind
    with Writer(Layout(folder).index, command="homing crawl"):
        assert json.loads(homing("search", folder, "bees", "--json").stdout)["total"] == 3
        done = homing("index", folder, "--rebuild")
    assert (done.returncode, done.stdout) == (2, "")
    assert "homing crawl" in done.stderr


def test_all_pages_of_a_killed_crawl_are_found(served: Served, homing: Homing, tmp_path: Path) -> None:
    crawl = tmp_path / "killed"
    words = ["crawl", "butterfly gardening", served.web.seeds[0], "--out", str(crawl), *served.options]
    process = subprocess.Popen([sys.executable, "-m", "homing", *words, "--quiet"])
    try:
        end = time.monotonic() + 30
        while committed(crawl) < 30:
            assert time.monotonic() < end, "it did not get on"
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Reader(crawl) as reader:
        rows = [row for row in reader.pages() if row.status == 200 and not row.noindex]
    assert json.loads(homing("search", crawl, "--json", "--limit", 1).stdout)["total"] == len(rows)
    search = Search(crawl)
    assert all(search.page_text(row.url).title == row.title for row in rows)


def committed(crawl: Path) -> int:
    if not Layout(crawl).database.exists():
        return 0
    with Reader(crawl) as reader:
        return int(str(reader.figures()["fetched"]))
