"""The grammar of search queries.

butterfly garden          both words, in any order
"butterfly garden"        one after the other
butterfly OR moth         one of them
garden -wasps             without that word
title:moths               in the title
host:example.org          of that host, or one below it
language:de               in that language
"""

from __future__ import annotations

import re
from typing import Literal, cast

from msgspec import Struct

from homing.errors import UsageError, did_you_mean

Place = Literal["", "title", "host", "language"]
_PLACES = ("title", "host", "language")

_LONGEST = 1_000
_CLAUSE = re.compile(
    r'(?P<minus>-?)(?:(?P<place>[A-Za-z]+):(?!//))?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))(?!\S)'
)
_QUOTES = str.maketrans("“”„«»＂", '""""""')


class Clause(Struct, frozen=True, kw_only=True):
    """One condition: what a page must have, or must not have."""

    text: str
    place: Place = ""
    """Where: anywhere if empty."""
    unwanted: bool = False

    @property
    def is_filter(self) -> bool:
        """Whether it restricts the pages, rather than naming words."""
        return self.place in ("host", "language")


Alternatives = tuple[Clause, ...]
"""Clauses of which one must hold."""


def parse(query: str) -> list[Alternatives]:
    """Parse a query; raise an error that says what is wrong where it makes no sense.

    >>> [[clause.text for clause in either] for either in parse('garden "hawk moth" OR wasp -bees')]
    [['garden'], ['hawk moth', 'wasp'], ['bees']]
    """
    if len(query) > _LONGEST:
        raise UsageError(f"the query is {len(query)} characters long; at most {_LONGEST} are looked at")
    clauses = _clauses(query.translate(_QUOTES).strip())
    wanted: list[Alternatives] = []
    joining = False
    for clause in clauses:
        if clause is None:
            if joining or not wanted:
                raise UsageError("OR stands between two words: butterfly OR moth")
            joining = True
        elif joining:
            wanted[-1] = (*wanted[-1], clause)
            joining = False
        else:
            wanted.append((clause,))
    if joining:
        raise UsageError("OR stands between two words: butterfly OR moth")
    if any(len(either) > 1 and any(clause.unwanted for clause in either) for either in wanted):
        raise UsageError("a word with a minus cannot be one side of OR; leave out one of the two")
    if any({clause.is_filter for clause in either} == {True, False} for either in wanted):
        raise UsageError("OR joins words with words and hosts with hosts, not one with the other")
    if wanted and all(either[0].unwanted for either in wanted):
        raise UsageError("the query only says what to leave out; add a word to look for")
    return wanted


def _clauses(query: str) -> list[Clause | None]:
    """Return the clauses in order; ``None`` where ``OR`` stands."""
    found: list[Clause | None] = []
    place = 0
    while place < len(query):
        match = _CLAUSE.match(query, place)
        if match is None:
            raise UsageError(_complaint(query, place))
        found.append(None if match[0] == "OR" else _clause(match))
        place = match.end()
        while place < len(query) and query[place].isspace():
            place += 1
    return found


def _clause(match: re.Match[str]) -> Clause:
    place = (match["place"] or "").lower()
    text = match["word"] if match["phrase"] is None else match["phrase"]
    if place and place not in _PLACES:
        hint = did_you_mean(place, _PLACES).rstrip("?")
        raise UsageError(
            f'"{place}:" is no field{hint}; put quotes around {match[0]} to look for it as words'
        )
    is_bare = text.endswith(":") and text[:-1].lower() in _PLACES
    if is_bare or text == "-" or not text.strip():
        raise UsageError(f"{match[0]} looks for nothing; put a word there, or leave it out")
    return Clause(text=text, place=cast(Place, place), unwanted=bool(match["minus"]))


def _complaint(query: str, place: int) -> str:
    word = query[place:].split()[0]
    if query.count('"') % 2:
        return 'a quotation mark is not closed; phrases look like "butterfly garden"'
    return f"cannot make sense of the query from {word} on; quotation marks stand around whole words"
