"""``homing taxonomy``."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Homing = Callable[..., CompletedProcess[str]]

WORDS = {
    "animals.insects": "butterfly moth caterpillar wing nectar",
    "animals.fish": "trout salmon fin gill river",
    "law": "court judge verdict appeal lawyer",
}


def texts() -> list[tuple[str, str]]:
    """Five pages of each label, each without one of its words."""
    return [
        (label, " ".join(word for word in words.split() if word != left_out))
        for label, words in WORDS.items()
        for left_out in words.split()
    ]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl.gz"
    lines = [
        json.dumps({"url": f"http://a.example/{place}", "body": f"<p>{text}</p>", "labels": [label]})
        for place, (label, text) in enumerate(texts())
    ]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for place, (label, text) in enumerate(texts()):
        path = tmp_path / "pages" / label.replace(".", "/") / f"{place}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<title>{text}</title><p>{text}</p>")
    return tmp_path / "pages"


def table(path: Path) -> dict[str, tuple[str, set[str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["code"]: (row["label"], set(row["terms"].split("; "))) for row in csv.DictReader(file)}


def test_a_lexicon_is_learnt_from_records(homing: Homing, records: Path) -> None:
    done = homing("taxonomy", "learn", records, "--out", "t.csv")
    assert done.returncode == 0
    assert "4 subjects from 15 pages written to t.csv" in done.stderr
    found = table(Path("t.csv"))
    assert {code: label for code, (label, _) in found.items()} == {
        "1": "animals",
        "11": "fish",
        "12": "insects",
        "2": "law",
    }
    assert found["12"][1] == set(WORDS["animals.insects"].split())


def test_the_folders_of_pages_are_their_labels(homing: Homing, folder: Path, records: Path) -> None:
    assert homing("taxonomy", "learn", folder, "--out", "of-folder.csv").returncode == 0
    assert homing("taxonomy", "learn", records, "--out", "of-records.csv").returncode == 0
    labels = [
        {code: label for code, (label, _) in table(Path(name)).items()}
        for name in ("of-folder.csv", "of-records.csv")
    ]
    assert labels[0] == labels[1]


def test_the_result_as_json(homing: Homing, records: Path) -> None:
    done = homing("taxonomy", "learn", records, "--out", "t.csv", "--terms", "2", "--json")
    found = json.loads(done.stdout)
    assert (found["out"], found["pages"]) == ("t.csv", 15)
    assert {len(subject["terms"]) for subject in found["subjects"]} == {0, 2}
    assert found["subjects"][2]["part_of"] == ["animals"]


def test_what_was_learnt_can_be_asked_for_words(homing: Homing, records: Path) -> None:
    homing("taxonomy", "learn", records, "--out", "t.csv")
    done = homing("taxonomy", "find", "butterflies", "--taxonomy", "t.csv")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].split()[:4] == ["12", "animals", "›", "insects"]
    found = json.loads(homing("taxonomy", "find", "trout", "lawyers", "--taxonomy", "t.csv", "--json").stdout)
    assert [row["code"] for row in found] == ["11", "2"]


def test_a_code_shows_what_it_holds(homing: Homing, records: Path) -> None:
    homing("taxonomy", "learn", records, "--out", "t.csv")
    rows = json.loads(homing("taxonomy", "find", "1", "--taxonomy", "t.csv", "--json").stdout)
    assert [row["label"] for row in rows] == ["animals", "fish", "insects"]
    rows = json.loads(homing("taxonomy", "find", "--taxonomy", "t.csv", "--json").stdout)
    assert [row["label"] for row in rows] == ["animals", "law"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["find", "zither", "--taxonomy", "t.csv"],
            'the taxonomy t.csv has no subject for "zither"; try other words',
        ),
        (
            ["find", "99", "--taxonomy", "t.csv"],
            'the taxonomy t.csv has no code "99"; the nearest is 2 (law)',
        ),
        (
            ["find", "bee", "--taxonomy", "missing.csv"],
            "the taxonomy missing.csv cannot be read: No such file",
        ),
        (["learn", "missing.jsonl", "--out", "u.csv"], "cannot read missing.jsonl: No such file"),
        (["learn", "empty", "--out", "u.csv"], "empty holds no pages"),
        (["learn", "flat", "--out", "u.csv"], "flat holds no labelled pages"),
        (["learn", "one", "--out", "u.csv"], "a taxonomy needs pages with at least two different labels"),
        (["learn", "broken.jsonl", "--out", "u.csv"], "broken.jsonl, line 1: no JSON"),
        (["learn", "pages.jsonl.gz", "--out", "missing/u.csv"], "cannot write missing/u.csv: No such file"),
        (["learn", "pages.jsonl.gz"], "missing option '--out'"),
        (["learn", "pages.jsonl.gz", "--out", "u.csv", "--terms", "0"], "invalid value for '--terms'"),
    ],
)
def test_bad_input_gets_one_clear_line_and_writes_nothing(
    homing: Homing, records: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    assert homing("taxonomy", "learn", records, "--out", "t.csv").returncode == 0
    for name in ("empty", "flat", "one/alone"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "flat" / "page.html").write_text("<p>a page")
    (tmp_path / "one" / "alone" / "page.html").write_text("<p>a page")
    (tmp_path / "broken.jsonl").write_text("no json\n")
    before = sorted(tmp_path.rglob("*"))
    done = homing("taxonomy", *words)
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("homing: ")
    assert message in done.stderr
    assert sorted(tmp_path.rglob("*")) == before
