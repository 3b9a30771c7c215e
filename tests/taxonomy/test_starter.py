"""The lexicon that comes with Homing keeps what it promises."""

from __future__ import annotations

import csv
from collections import defaultdict
from importlib.resources import files

import pytest

from homing.taxonomy import starter
from homing.text.words import stop_words, words

Rows = dict[str, tuple[str, list[str]]]


@pytest.fixture(scope="module")
def rows() -> Rows:
    text = (files("homing.taxonomy") / "starter.csv").read_text(encoding="utf-8")
    table = list(csv.DictReader(text.splitlines()))
    assert len({row["code"] for row in table}) == len(table)
    return {row["code"]: (row["label"], row["terms"].split(";")) for row in table}


def test_it_has_ten_classes_and_a_hundred_divisions_each_with_a_label(rows: Rows) -> None:
    assert sorted(code for code in rows if len(code) == 1) == list("0123456789")
    assert sum(len(code) == 2 for code in rows) == 100
    assert all(label for label, _ in rows.values())


def test_every_subject_stands_below_another(rows: Rows) -> None:
    assert all(len(code) == 1 or code[:-1] in rows for code in rows)


def test_it_has_many_terms_of_its_own(rows: Rows) -> None:
    assert len({term for _, terms in rows.values() for term in terms}) >= 10_000


def test_every_division_has_enough_of_them(rows: Rows) -> None:
    counts: defaultdict[str, int] = defaultdict(int)
    for code, (_, terms) in rows.items():
        if len(code) >= 2:
            counts[code[:2]] += len(terms)
    assert min(counts.values()) >= 40


def test_terms_are_plain(rows: Rows) -> None:
    for code, (_, terms) in rows.items():
        assert len(terms) == len(set(terms)), code
        for term in terms:
            assert term == term.lower().strip(), term
            assert set(words(term)) - stop_words("en"), term


def test_no_term_stands_all_over_the_table(rows: Rows) -> None:
    divisions: defaultdict[str, set[str]] = defaultdict(set)
    for code, (_, terms) in rows.items():
        for term in terms:
            divisions[term].add(code[:2])
    assert max(map(len, divisions.values())) <= 4


@pytest.mark.parametrize(
    ("phrase", "code"),
    [("butterfly", "1"), ("football", "8"), ("interest rate", "5"), ("mosque", "3"), ("railway", "6")],
)
def test_common_subjects_are_where_one_would_look(rows: Rows, phrase: str, code: str) -> None:
    assert code in {number[0] for number, (_, terms) in rows.items() if phrase in terms}


def test_it_loads_as_a_taxonomy(rows: Rows) -> None:
    assert len(starter().subjects) == len(rows)
