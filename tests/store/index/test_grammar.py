"""What people type, and what they are told if it makes no sense."""

import pytest

from homing.errors import UsageError
from homing.store.index.grammar import Clause, parse


def test_words_phrases_and_places_are_told_apart() -> None:
    assert parse('moth "hawk moth" title:wings -title:"at night" host:a.example') == [
        (Clause(text="moth"),),
        (Clause(text="hawk moth"),),
        (Clause(text="wings", place="title"),),
        (Clause(text="at night", place="title", unwanted=True),),
        (Clause(text="a.example", place="host"),),
    ]


def test_or_joins_as_many_as_there_are() -> None:
    assert [[clause.text for clause in either] for either in parse("a OR b OR c d or")] == [
        ["a", "b", "c"],
        ["d"],
        ["or"],
    ]


def test_a_hyphen_within_a_word_and_an_address_are_words() -> None:
    assert [either[0].text for either in parse("bird's-foot https://a.example/x 茶")] == [
        "bird's-foot",
        "https://a.example/x",
        "茶",
    ]


def test_quotation_marks_of_other_countries_are_marks() -> None:
    assert parse("„hawk moth“ «wild bee»") == parse('"hawk moth" "wild bee"')


def test_nothing_asks_for_nothing() -> None:
    assert parse("  ") == []


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ('"hawk moth', "not closed"),
        ('moth"s" x', "around whole words"),
        ('""', "looks for nothing"),
        ("host:", "looks for nothing"),
        ("moth -", "looks for nothing"),
        ("hots:a.example", 'did you mean "host"'),
        ("OR moth", "between two words"),
        ("moth OR", "between two words"),
        ("moth OR OR bee", "between two words"),
        ("moth OR -bee", "minus"),
        ("moth OR host:a.example", "hosts with hosts"),
        ("-moth", "add a word"),
        ("moth " * 300, "at most"),
    ],
)
def test_a_broken_query_is_refused_in_one_line(query: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(query)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
