"""The judge ``decimal``: subjects of a decimal taxonomy."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from math import sqrt
from typing import ClassVar, Self

from homing.errors import ModelError, UsageError
from homing.judge.base import RELEVANT, Brief, Judge
from homing.judge.words.background import guess_language
from homing.model import Judgement, Page, State, Topic, Why
from homing.parameters import parameter
from homing.taxonomy import (
    REPEATS,
    Focus,
    Plot,
    Subject,
    Taxonomy,
    Term,
    codes_of,
    damped,
    dots_of,
    load,
    page_text,
    starter,
)
from homing.text.words import terms

_SHOWN = 20
"""Maximum of terms in a judgement."""
_NAMED = 8
"""Maximum of terms in the description of a topic."""
_SAMPLE = 5_000
"""Characters of a taxonomy from which its language is identified."""
_PRIOR_COUNT = 0.5
"""Prior count of terms off the topic: a short text with one term is rated 1 / (1 + this) at most."""


class Decimal(Judge):
    """Asks under which number of a decimal taxonomy a page belongs, and whether that is the topic's.

    Each word or phrase of the page that the taxonomy knows is a dot at each of its numbers. Digit by digit
    the region with the heaviest dots is chosen; where that ends is the page's galaxy. The page is relevant
    if its galaxy lies in one of the topic's numbers. How far it is relevant, or short of it, is a matter
    of the share of the dots that lie there.

    The topic's numbers are those the user gives. If there are none they are found in the same manner: by the
    galaxies of the topic's words and of the examples.

    Examples
    --------
    >>> insects = Subject(code="59.5", label="Insects", terms=("insect", "butterfly", "moth", "wing"))
    >>> aircraft = Subject(code="62", label="Aircraft", terms=("airplane", "wing", "pilot"))
    >>> judge = Decimal(Brief(codes=("59",)), taxonomy=Taxonomy([insects, aircraft]), language="en")
    >>> judgement = judge.judge(Page(url="http://a.example/", text="A moth has wings, a butterfly too."))
    >>> judgement.relevant, judgement.why[0]
    (True, ('moth (59.5)', 0.27...))
    >>> judge.judge(Page(url="http://b.example/", text="The pilot looked at the wing.")).relevant
    False

    References
    ----------
    Seyfi, Patel 2015, A focused crawler combinatory link and content model based on T-Graph principles.
    The paper has three digits of Dewey's numbers; here they are any table's and of any length. It speaks
    of links; for the words of a whole page repeats count less. The score is ours: the paper has none.
    """

    name = "decimal"
    paper: ClassVar[str] = (
        "Seyfi, Patel 2015, A focused crawler combinatory link and content model based on T-Graph principles"
    )

    taxonomy: str | Taxonomy = parameter(
        "A CSV or TSV file with the columns code, label, terms; the built-in taxonomy if empty.",
        default="",
    )
    language: str = parameter(
        "The language of the taxonomy's terms; guessed if empty.",
        default="",
    )
    repeats: float = parameter(
        "What saying a term again counts: 1 as much as the first time, 0 nothing.",
        default=REPEATS,
        within=(0, 1),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._table = _taxonomy(self.taxonomy)
        self.language = self.language or (_language(self._table) if self.taxonomy else "en")
        self.focus = Focus(self._table, language=self.language)
        codes = codes_of(self.brief, self.focus, self.repeats)
        if not codes.keys:
            topic = f'"{self.brief.text}"' if self.brief.text else "the topic"
            raise UsageError(
                f"{self._table.name} has no word for {topic}; "
                "give one of its codes: homing taxonomy find shows them"
            )
        self.keys = codes.keys
        self.found_by = codes.found_by
        self._own = {
            term: share for term in self.focus.lexicon.terms() if (share := _share_of(term, self.keys)) > 0
        }
        """The terms with a number of the topic, and the share of each that lies there."""
        self._first_stems = self.focus.lexicon.first_stems(self._own)

    def judge(self, page: Page) -> Judgement:
        found = damped(self.focus.lexicon.find(page_text(page)), self.repeats)
        plot = Plot(dots_of(found))
        galaxy = plot.galaxy()
        share = plot.share(self.keys)
        is_on_topic = any(each.startswith(self.keys) for each in galaxy)
        # The share is small even in good pages, as every page has words of everything: its root tells more.
        score = RELEVANT * (is_on_topic + sqrt(share))
        return self.judgement(score, self._why(found, () if is_on_topic else galaxy))

    def rate(self, texts: list[str]) -> list[float]:
        return [self._rating(terms(text, self.language)) for text in texts]

    def _rating(self, stems: list[str]) -> float:
        """Return the share of a short text's terms that are on the topic; few terms shrink it towards 0."""
        if self._first_stems.isdisjoint(stems):  # true of most texts, and takes a tenth of the time
            return 0.0
        found = self.focus.lexicon.among(stems)
        own = sum([times * self._own[term] for term, times in found.items() if term in self._own])
        return own / (sum(found.values()) + _PRIOR_COUNT) if own else 0.0

    def topic(self) -> Topic:
        named = ", ".join(map(self._table.describe, self.keys))
        ranked = sorted(self._own, key=lambda term: (-self._own[term], -len(term.places[0].key)))
        words = ", ".join(term.text for term in ranked[:_NAMED])
        return Topic(
            text=self.brief.text or named,
            keywords=self.brief.keywords,
            language=self.language,
            description=f"{named}, {self.found_by}; words: {words}",
            examples=self.brief.examples,
            codes=tuple(map(self._table.written, self.keys)),
            rate=self.rate,
        )

    def state(self) -> State:
        return {
            "codes": list(self.keys),
            "language": self.language,
            "repeats": self.repeats,
            "subjects": [[each.code, each.label, list(each.terms)] for each in self._table.subjects],
        }

    @classmethod
    def from_state(cls, state: State) -> Self:
        match state:
            case {
                "codes": [*codes],
                "language": str(language),
                "repeats": float() | int() as repeats,
                "subjects": [*rows],
            }:
                try:
                    taxonomy = Taxonomy(map(_subject, rows), name="the model's taxonomy")
                    brief = Brief(codes=tuple(map(str, codes)))
                    return cls(brief, taxonomy=taxonomy, language=language, repeats=repeats)
                except UsageError as error:
                    raise ModelError(str(error)) from error
        raise ModelError("its codes, language or subjects are missing")

    def _why(self, found: Mapping[Term, float], galaxy: tuple[str, ...]) -> Why:
        """Return the terms for the topic, and those for the subject that was chosen instead."""
        parts: list[tuple[float, Term, str]] = []
        whole = 0.0
        for term, times in found.items():
            for place in term.places:
                weight = times * place.length
                whole += weight
                if place.key.startswith(self.keys):
                    parts.append((weight, term, place.key))
                elif place.key.startswith(galaxy):
                    parts.append((-weight, term, place.key))
        heaviest = heapq.nlargest(_SHOWN, parts, key=lambda part: abs(part[0]))
        return tuple(
            (f"{term.text} ({self._table.written(key)})", weight / whole) for weight, term, key in heaviest
        )


def _taxonomy(taxonomy: str | Taxonomy) -> Taxonomy:
    if isinstance(taxonomy, Taxonomy):
        return taxonomy
    return load(taxonomy) if taxonomy else starter()


def _language(taxonomy: Taxonomy) -> str:
    """Return the language of a taxonomy: that of its labels, as terms may be names and foreign words."""
    labels = " ".join(subject.label for subject in taxonomy.subjects).strip()
    said = labels or " ".join(term for subject in taxonomy.subjects for term in subject.terms)
    return guess_language(said[:_SAMPLE])


def _share_of(term: Term, keys: tuple[str, ...]) -> float:
    """Return the share of a term's places that lies under these numbers."""
    whole = sum(place.length for place in term.places)
    return sum(place.length for place in term.places if place.key.startswith(keys)) / whole


def _subject(row: object) -> Subject:
    """Read a subject of a model's taxonomy."""
    match row:
        case [str(code), str(label), [*said]]:
            return Subject(code=code, label=label, terms=tuple(map(str, said)))
    raise ModelError(f"{row!r} is no subject of a taxonomy")
