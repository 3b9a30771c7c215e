"""``report``, ``export`` and ``explain`` on a small crawl."""

import csv
import io
import json
import os
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pyarrow.parquet  # type: ignore[import-untyped]
import pytest

Homing = Callable[..., CompletedProcess[str]]

FIELDS = [
    *("url", "final_url", "status", "title", "score", "relevant", "depth", "parent", "anchor", "strategy"),
    *("tier", "priority", "fetched_at", "language", "digest", "warc_file", "warc_offset"),
]
A, B, SEED = "https://bees.example/a", "https://bees.example/b", "https://seed.example/"


def test_report_gives_one_json_document_with_the_agreed_names(homing: Homing, folder: Path) -> None:
    done = homing("report", folder, "--json")
    figures = json.loads(done.stdout)
    assert figures["fetched"] == 3
    assert figures["relevant"] == 2
    assert figures["harvest_rate"] == pytest.approx(2 / 3)
    assert figures["failed"] == {"dns": 1}
    assert figures["frontier"] == 1
    assert (figures["strategy"], figures["judge"]) == ("link-context", "keywords")
    assert {"hosts", "seconds", "pages_per_second", "stop_reason"} <= figures.keys()
    assert done.stderr == ""


def test_report_reads_well(homing: Homing, folder: Path) -> None:
    shown = homing("report", folder).stdout
    assert "66.7 %" in shown
    assert "1 dns" in shown
    assert "12.5 s" in shown


def test_a_folder_without_a_crawl_is_one_line_and_exit_code_2(homing: Homing, tmp_path: Path) -> None:
    for command in (("report",), ("export",), ("explain",)):
        done = homing(*command, tmp_path, *([A] if command == ("explain",) else []))
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        assert "holds no crawl" in done.stderr


def test_jsonl_has_a_line_a_page_best_first(homing: Homing, folder: Path) -> None:
    lines = [json.loads(line) for line in homing("export", folder).stdout.splitlines()]
    assert [line["url"] for line in lines] == [A, B, SEED]
    assert list(lines[0]) == FIELDS
    best = lines[0]
    assert best["title"] == "Wild bees, “Wildbienen”"
    assert best["parent"] == SEED
    assert best["anchor"] == "wild bees"
    assert best["fetched_at"] == "2023-11-14T22:13:22.250Z"
    assert best["warc_file"].endswith(".warc.gz")


def test_relevant_only_leaves_out_the_rest(homing: Homing, folder: Path) -> None:
    assert homing("export", folder, "--format", "urls", "--relevant-only").stdout == f"{A}\n{B}\n"


def test_text_is_read_anew_from_the_archive(homing: Homing, folder: Path) -> None:
    lines = [json.loads(line) for line in homing("export", folder, "--text").stdout.splitlines()]
    assert list(lines[0]) == [*FIELDS, "text"]
    assert "says page number 1" in lines[0]["text"]


def test_a_lost_archive_is_one_line(homing: Homing, folder: Path) -> None:
    for file in (folder / "warc").iterdir():
        file.unlink()
    done = homing("export", folder, "--text", "--out", "pages.jsonl")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert ".warc.gz" in done.stderr


def test_csv_survives_quotes_commas_line_breaks_and_other_scripts(homing: Homing, folder: Path) -> None:
    homing("export", folder, "--format", "csv", "--out", "pages.csv")
    content = Path("pages.csv").read_bytes().decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(content, newline="")))
    assert list(rows[0]) == FIELDS
    assert rows[0]["title"] == "Wild bees, “Wildbienen”"
    assert rows[1]["anchor"] == '"quoted", and\nbroken'
    assert [row["relevant"] for row in rows] == ["true", "true", "false"]
    assert rows[2]["parent"] == ""


def test_parquet_has_the_same_columns_with_types(homing: Homing, folder: Path) -> None:
    done = homing("export", folder, "--format", "parquet", "--out", "pages.parquet", "--text")
    assert done.returncode == 0
    assert "3 pages" in done.stderr
    table = pyarrow.parquet.read_table("pages.parquet")
    assert table.column_names == [*FIELDS, "text"]
    assert table.column("url").to_pylist() == [A, B, SEED]
    assert str(table.schema.field("score").type) == "double"
    assert table.column("relevant").to_pylist() == [True, True, False]


def test_parquet_needs_a_file(homing: Homing, folder: Path) -> None:
    done = homing("export", folder, "--format", "parquet")
    assert done.returncode == 2
    assert "--out FILE" in done.stderr


def test_parquet_without_pyarrow_says_how_to_get_it(
    homing: Homing, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = homing("export", folder, "--format", "parquet", "--out", "pages.parquet")
    assert done.returncode == 2
    assert done.stderr == "homing: parquet needs pyarrow: pip install homing[parquet]\n"
    assert not list(Path().glob("pages.*")), "a failed export must leave nothing behind"


def test_graphml_holds_the_pages_and_the_links_among_them(homing: Homing, folder: Path) -> None:
    root = ElementTree.fromstring(homing("export", folder, "--format", "graphml").stdout)
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    urls = {
        node.get("id"): node.findtext("g:data[@key='url']", namespaces=space)
        for node in root.iterfind(".//g:node", space)
    }
    assert sorted(filter(None, urls.values())) == [A, B, SEED]
    edges = {(urls[e.get("source")], urls[e.get("target")]) for e in root.iterfind(".//g:edge", space)}
    assert edges == {(SEED, A), (SEED, B), (A, SEED), (B, A)}


def test_graphml_of_relevant_pages_keeps_only_links_between_them(homing: Homing, folder: Path) -> None:
    text = homing("export", folder, "--format", "graphml", "--relevant-only").stdout
    assert text.count("<node ") == 2
    assert text.count("<edge ") == 1


def test_a_wrong_format_names_the_nearest(homing: Homing, folder: Path) -> None:
    done = homing("export", folder, "--format", "json")
    assert done.returncode == 2
    assert done.stderr == 'homing: --format cannot be "json"; did you mean "jsonl"?\n'


def test_a_file_that_cannot_be_written_is_one_line(homing: Homing, folder: Path) -> None:
    for target in ("no/such/folder/pages.jsonl", "."):
        done = homing("export", folder, "--out", target)
        assert done.returncode == 1
        assert done.stderr.startswith("homing: cannot write")
        assert done.stderr.count("\n") == 1


def test_a_file_that_is_there_is_replaced_as_a_whole(homing: Homing, folder: Path) -> None:
    Path("pages.txt").write_text("old\n" * 1000)
    homing("export", folder, "--format", "urls", "--out", "pages.txt")
    assert Path("pages.txt").read_text() == f"{A}\n{B}\n{SEED}\n"
    assert not list(Path().glob("*.part"))


def test_a_link_is_written_through_and_stays_a_link(homing: Homing, folder: Path) -> None:
    Path("target.txt").touch()
    Path("link.txt").symlink_to("target.txt")
    homing("export", folder, "--format", "urls", "--out", "link.txt")
    assert Path("link.txt").is_symlink()
    assert Path("target.txt").read_text() == f"{A}\n{B}\n{SEED}\n"


def test_a_pipe_is_written_to_and_stays_a_pipe(homing: Homing, folder: Path) -> None:
    os.mkfifo("pipe")
    reading = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        homing("export", folder, "--format", "urls", "--out", "pipe")
        assert os.read(reading, 1000).decode() == f"{A}\n{B}\n{SEED}\n"
    finally:
        os.close(reading)
    assert Path("pipe").is_fifo()


def test_explain_has_the_agreed_shape(homing: Homing, folder: Path) -> None:
    found = json.loads(homing("explain", folder, A, "--json").stdout)
    assert found["url"] == A
    assert found["state"] == "done"
    assert [stage["url"] for stage in found["way"]] == [SEED, A]
    last = found["way"][-1]
    assert last["anchor"] == "wild bees"
    assert last["priority"] == 0.8
    assert last["why"] == [["anchor", 0.5], ["page", 0.3]]
    assert found["judgement"] == {
        "score": 0.9,
        "relevant": True,
        "judge": "keywords",
        "why": [["bees", 0.6], ["wild", 0.3]],
    }


def test_explain_shows_the_way_and_the_words(homing: Homing, folder: Path) -> None:
    shown = homing("explain", folder, A).stdout
    assert shown.index(SEED) < shown.index(A)
    assert "“wild bees”" in shown
    assert "anchor 0.5, page 0.3" in shown
    assert "relevant, score 0.900 by keywords" in shown
    assert "+0.600  bees" in shown


def test_explain_of_a_waiting_url_says_that_it_waits(homing: Homing, folder: Path) -> None:
    found = json.loads(homing("explain", folder, "https://seed.example/later", "--json").stdout)
    assert (found["state"], found["judgement"]) == ("waiting", None)
    assert [stage["url"] for stage in found["way"]] == [SEED, A, "https://seed.example/later"]
    assert "waiting" in homing("explain", folder, "https://seed.example/later").stdout


def test_explain_of_a_failed_url_says_why(homing: Homing, folder: Path) -> None:
    found = json.loads(homing("explain", folder, "https://dead.example/", "--json").stdout)
    assert found["state"] == "failed"
    assert found["failure"] == {"kind": "dns", "detail": "no such name"}
    assert "failed: dns: no such name" in homing("explain", folder, "https://dead.example/").stdout


def test_explain_of_a_redirect_says_so(homing: Homing, folder: Path) -> None:
    assert "redirects" in homing("explain", folder, "https://seed.example/old").stdout


def test_explain_finds_a_url_in_another_spelling(homing: Homing, folder: Path) -> None:
    assert json.loads(homing("explain", folder, "HTTPS://bees.example:443/a#x", "--json").stdout)["url"] == A


def test_explain_of_an_unknown_url_is_exit_code_1(homing: Homing, folder: Path) -> None:
    done = homing("explain", folder, "https://nowhere.example/", "--json")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_explain_of_no_url_is_exit_code_2(homing: Homing, folder: Path) -> None:
    assert homing("explain", folder, "bees").returncode == 2


def test_a_title_from_the_web_cannot_command_the_terminal(homing: Homing, folder: Path) -> None:
    shown = homing("explain", folder, SEED).stdout
    assert "Seed" in shown
    assert "\x1b[31m" not in shown
