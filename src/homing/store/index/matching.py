"""Turns a parsed query into one that the index understands.

A German page was cut into German stems, an English one into English stems, and the language of a
query is unknown. So it is cut once for each language in the index. Languages that cut it alike are queried
together; a page answers only to its own language's cut.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import tantivy
from msgspec import Struct
from tantivy import FieldType, Occur, Query

from homing import urls
from homing.errors import UsageError
from homing.store.index.fields import SEARCHED
from homing.store.index.grammar import Alternatives, Clause
from homing.text.words import is_paired, terms

_Cut = tuple[tuple[tuple[str, ...], ...], ...]
"""The terms of every clause of all alternatives."""


class Filters(Struct, frozen=True, kw_only=True):
    """Restricts a search to some pages."""

    host: str = ""
    """This host and those below it."""
    language: str = ""
    score: float | None = None
    """Lowest relevance to the topic."""
    since: float | None = None
    """Fetched at this time or later, in seconds since 1970."""
    until: float | None = None
    """Fetched before this time."""


class Matcher:
    """Builds queries for one state of an index.

    Parameters
    ----------
    schema
        Of the index.
    languages
        Those of its pages.
    """

    def __init__(self, schema: tantivy.Schema, languages: Iterable[str]) -> None:
        self._schema = schema
        self._languages = list(languages)

    def query(self, required: Sequence[Alternatives], filters: Filters) -> Query:
        """Return the query for pages that meet every requirement."""
        worded = [either for either in required if not either[0].is_filter]
        conditions = [self._condition(either) for either in required if either[0].is_filter]
        conditions += [(Occur.Must, limit) for limit in self._limits(filters)]
        conditions.append((Occur.Must, self._in_any_language(worded) if worded else Query.all_query()))
        return Query.boolean_query(conditions)

    def wanted(self, required: Sequence[Alternatives], language: str) -> frozenset[str]:
        """Return the terms that a page in this language was found by."""
        return frozenset(
            term
            for either in required
            for clause in either
            if not clause.unwanted and not clause.is_filter
            for term in terms(clause.text, language)
        )

    def alike(self, weights: dict[str, float], url: str) -> Query:
        """Return the query for pages that share a good part of these terms, the page at that URL apart."""
        shared = [
            (Occur.Should, Query.boost_query(self._term("text", (term,)), weights[term])) for term in weights
        ]
        return Query.boolean_query(
            [
                (
                    Occur.Must,
                    Query.boolean_query(shared, minimum_number_should_match=max(1, len(shared) // 4)),
                ),
                (Occur.MustNot, self.at(url)),
            ]
        )

    def at(self, url: str) -> Query:
        """Return the query for the page at a URL."""
        return Query.term_query(self._schema, "url", url)

    # -- words

    def _in_any_language(self, required: Sequence[Alternatives]) -> Query:
        cuts: defaultdict[_Cut, list[str]] = defaultdict(list)
        for language in self._languages or [""]:
            cuts[_cut(required, language)].append(language)
        found = [
            self._in_languages(query, languages)
            for cut, languages in cuts.items()
            if (query := self._of_cut(required, cut)) is not None
        ]
        if not found:
            words = " ".join(clause.text for either in required for clause in either)
            raise UsageError(
                f"{words}: so common, or so little of a word, that no page is known by it; add others"
            )
        return found[0] if len(found) == 1 else Query.boolean_query([(Occur.Should, each) for each in found])

    def _in_languages(self, query: Query, languages: list[str]) -> Query:
        if len(languages) >= len(self._languages):
            return query
        among = _unscored(Query.term_set_query(self._schema, "language", languages))
        return Query.boolean_query([(Occur.Must, among), (Occur.Must, query)])

    def _of_cut(self, required: Sequence[Alternatives], cut: _Cut) -> Query | None:
        """Return the query as one language cuts its words; ``None`` if no word is left."""
        parts: list[tuple[Occur, Query]] = []
        for either, terms_of in zip(required, cut, strict=True):
            queries = [
                self._clause(clause, found) for clause, found in zip(either, terms_of, strict=True) if found
            ]
            # A stop word is on no page of its language, and requires nothing there.
            if queries:
                parts.append((Occur.MustNot if either[0].unwanted else Occur.Must, _any_of(queries)))
        return Query.boolean_query(parts) if any(occur == Occur.Must for occur, _ in parts) else None

    def _clause(self, clause: Clause, found: tuple[str, ...]) -> Query:
        places = {"title": 1.0} if clause.place == "title" else SEARCHED
        return _any_of(
            [Query.boost_query(self._term(field, found), weight) for field, weight in places.items()]
        )

    def _term(self, field: str, found: tuple[str, ...]) -> Query:
        """Match a term, or several in a row: one word to a person may be several terms."""
        if len(found) > 1:
            return Query.phrase_query(self._schema, field, list(found))
        if len(found[0]) == 1 and is_paired(found[0]):
            # The index has pairs; a single character is a part of some.
            return Query.regex_query(self._schema, field, f"{found[0]}.?|.{found[0]}")
        return Query.term_query(self._schema, field, found[0])

    # -- limits

    def _condition(self, either: Alternatives) -> tuple[Occur, Query]:
        any_of = _any_of([self._place(clause) for clause in either])
        return Occur.MustNot if either[0].unwanted else Occur.Must, _unscored(any_of)

    def _place(self, clause: Clause) -> Query:
        return self._host(clause.text) if clause.place == "host" else self._language(clause.text)

    def _host(self, name: str) -> Query:
        address = urls.canonical(f"http://{name}/")
        if address is None:
            raise UsageError(f'"{name}" is no host; write it like example.org')
        return Query.term_query(self._schema, "host", urls.host(address))

    def _language(self, code: str) -> Query:
        return Query.term_query(self._schema, "language", code.lower().partition("-")[0])

    def _limits(self, filters: Filters) -> Iterable[Query]:
        if filters.host:
            yield _unscored(self._host(filters.host))
        if filters.language:
            yield _unscored(self._language(filters.language))
        if filters.score is not None:
            yield self._range("topic_score", filters.score, None)
        if filters.since is not None or filters.until is not None:
            yield self._range("fetched_at", filters.since, filters.until)

    def _range(self, field: str, low: float | None, high: float | None) -> Query:
        found = Query.range_query(self._schema, field, FieldType.Float, low, high, include_upper=high is None)
        return _unscored(found)


def _cut(required: Sequence[Alternatives], language: str) -> _Cut:
    return tuple(tuple(tuple(terms(clause.text, language)) for clause in either) for either in required)


def _any_of(queries: list[Query]) -> Query:
    return (
        queries[0] if len(queries) == 1 else Query.boolean_query([(Occur.Should, each) for each in queries])
    )


def _unscored(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)
