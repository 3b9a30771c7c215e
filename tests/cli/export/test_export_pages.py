"""``homing export`` on a small crawl, in every format: also covers ``formats`` and ``graphml``."""

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


def test_text_is_read_from_the_archive(homing: Homing, folder: Path) -> None:
    lines = [json.loads(line) for line in homing("export", folder, "--text").stdout.splitlines()]
    assert list(lines[0]) == [*FIELDS, "text"]
    assert "says page number 1" in lines[0]["text"]


def test_pages_of_a_lost_archive_are_exported_without_text(homing: Homing, folder: Path) -> None:
    for file in (folder / "warc").iterdir():
        file.unlink()
    done = homing("export", folder, "--text", "--out", "pages.jsonl")
    assert done.returncode == 0
    assert done.stderr.count("\n") == 2
    assert "3 archived pages were left out" in done.stderr
    assert f"homing check {folder} --mend" in done.stderr
    texts = [json.loads(line)["text"] for line in Path("pages.jsonl").read_text().splitlines()]
    assert texts == [""] * 3


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
