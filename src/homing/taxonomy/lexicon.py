"""Find the terms of a taxonomy in a text: phrases before words, the longest phrase first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise

from homing.taxonomy.plot import Place
from homing.taxonomy.table import Taxonomy
from homing.text.words import terms


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A word or phrase of the taxonomy, and every number it has."""

    text: str
    places: tuple[Place, ...]


class Lexicon:
    """Finds the terms of a taxonomy in texts.

    Both are stemmed and without stop words. A word that is part of a phrase is not counted by itself. A
    phrase is also found across the end of a sentence, which is rare and cheaper than to avoid.

    Parameters
    ----------
    taxonomy
        Source of the terms.
    language
        Language of the terms and the texts.

    Examples
    --------
    >>> from homing.taxonomy import Subject
    >>> money = Subject(code="33", label="Money", terms=("bank", "interest rate"))
    >>> rivers = Subject(code="55", label="Rivers", terms=("bank", "river"))
    >>> found = Lexicon(Taxonomy([money, rivers])).find("Banks raised interest rates; by the bank of a river")
    >>> [(term.text, [place.key for place in term.places], times) for term, times in found.items()]
    [('interest rate', ['33'], 1), ('bank', ['33', '55'], 2), ('river', ['55'], 1)]
    """

    def __init__(self, taxonomy: Taxonomy, language: str = "en") -> None:
        self.language = language
        numbers: defaultdict[tuple[str, ...], dict[str, Place]] = defaultdict(dict)
        texts: dict[tuple[str, ...], str] = {}
        for subject in taxonomy.subjects:
            place = Place.of(subject.key)
            for text in subject.terms:
                stems = tuple(terms(text, language))
                if stems:
                    numbers[stems][place.key] = place
                    texts.setdefault(stems, text)
        self._words: dict[str, Term] = {}
        self._phrases: dict[tuple[str, str], list[tuple[tuple[str, ...], Term]]] = {}
        """Phrases by their first two stems, the longest first."""
        for stems in sorted(numbers, key=len, reverse=True):
            term = Term(texts[stems], tuple(numbers[stems].values()))
            if len(stems) == 1:
                self._words[stems[0]] = term
            else:
                self._phrases.setdefault((stems[0], stems[1]), []).append((stems, term))

    def __len__(self) -> int:
        return sum(1 for _ in self.terms())

    def terms(self) -> Iterator[Term]:
        """Yield every term."""
        yield from self._words.values()
        for begun_alike in self._phrases.values():
            yield from (term for _, term in begun_alike)

    def find(self, text: str) -> dict[Term, int]:
        """Return the terms in a text with their counts."""
        return self.among(terms(text, self.language))

    def among(self, stems: Sequence[str]) -> dict[Term, int]:
        """Return the same for a text that is already split into stems (``text.words.terms``)."""
        begins_phrase = map(self._phrases.__contains__, pairwise(stems))
        starts = list(compress(range(len(stems)), begins_phrase))
        found: dict[Term, int] = {}
        if not starts:  # most short texts; a page's 60 links have as many, and a Counter takes twice as long
            for word in filter(None, map(self._words.get, stems)):
                found[word] = found.get(word, 0) + 1
            return found
        left = Counter(filter(self._words.__contains__, stems))
        end = 0
        for start in starts:
            if start < end:
                continue
            for phrase, term in self._phrases[stems[start], stems[start + 1]]:
                if tuple(stems[start : start + len(phrase)]) == phrase:
                    end = start + len(phrase)
                    left.subtract(filter(left.__contains__, phrase))
                    found[term] = found.get(term, 0) + 1
                    break
        # In the order of the text: sums of fractions must not depend on how a set is ordered.
        for stem, times in left.items():
            if times:
                found[self._words[stem]] = times
        return found

    def first_stems(self, wanted: Container[Term]) -> frozenset[str]:
        """Return the first stems of these terms: a text without any of them has none of the terms."""
        words = [stem for stem, term in self._words.items() if term in wanted]
        phrases = [
            pair[0]
            for pair, begun_alike in self._phrases.items()
            if any(term in wanted for _, term in begun_alike)
        ]
        return frozenset(words + phrases)
