"""Finding a topic's words in running text without cutting the text into words.

A topic has a handful of words and a page has thousands. So the text is not tokenised: it is searched
for the first letters of each topic word, and only what begins that way is looked at closely, stemmed,
and compared. That takes a tenth of the time of a bag of words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from homing.text.words import WORD, fold, is_paired, stem

_HEAD = 5
"""Letters of a word that are searched for. Fewer find more words that are none of ours; more would miss
relatives (medicine, medical)."""

_KINSHIP = 0.7
"""Two stems are related if they share this much of the longer one from the start, and at least a head."""

_REMEMBERED = 50_000


class Spotter:
    """Spots the words of a topic, and their relatives, in texts.

    Parameters
    ----------
    terms
        The topic's stems, or pairs of characters in scripts without blanks.
    forms
        Known words of each stem: a stem's words need not begin alike (``Garten``, ``Gärten``).
    language
        Whose stems they are.
    relatives
        What a word counts that only shares its beginning with a topic word.

    Examples
    --------
    >>> spotter = Spotter(["butterfli", "chemistri"], {}, language="en", relatives=0.5)
    >>> spotter.count("Butterflies, a butterfly net, and the chemist; butter.")
    [2.0, 0.5]
    """

    def __init__(
        self, terms: Sequence[str], forms: Mapping[str, Sequence[str]], *, language: str, relatives: float
    ) -> None:
        self.terms = tuple(terms)
        self.language = language
        self.relatives = relatives
        self._pairs = tuple((place, term) for place, term in enumerate(terms) if is_paired(term))
        self._spelt = tuple((place, term) for place, term in enumerate(terms) if not is_paired(term))
        heads = {
            form[:_HEAD]
            for _, term in self._spelt
            for form in (term, *forms.get(term, ()))
            if WORD.match(form)
        }
        # No head may begin another: a word found by both would count twice.
        self._heads = tuple(
            head for head in sorted(heads) if not any(head[:end] in heads for end in range(1, len(head)))
        )
        self._ascii = all(map(str.isascii, (*self._heads, *(term for _, term in self._pairs))))
        self._seen: dict[str, tuple[tuple[int, float], ...]] = {}

    def count(self, text: str) -> list[float]:
        """How often each term occurs; relatives count less."""
        counts = [0.0] * len(self.terms)
        for _, term, weight in self._spot(self._plain(text)):
            counts[term] += weight
        return counts

    def count_each(self, texts: Sequence[str]) -> dict[int, list[float]]:
        """The same for many short texts in one go; only for those, by number, in which a term occurs."""
        plain = [self._plain(text) for text in texts]
        starts = list(accumulate((len(text) + 1 for text in plain), initial=0))
        found: dict[int, list[float]] = {}
        for position, term, weight in self._spot("\n".join(plain)):
            number = bisect_right(starts, position) - 1
            counts = found.get(number)
            if counts is None:
                counts = found[number] = [0.0] * len(self.terms)
            counts[term] += weight
        return found

    def _plain(self, text: str) -> str:
        # Composing characters takes five times as long as changing case, and only a soft hyphen can
        # stand between the letters of an ASCII word.
        if self._ascii:
            return text.casefold().replace("\u00ad", "")
        return fold(text)

    def _spot(self, text: str) -> Iterator[tuple[int, int, float]]:
        """Every occurrence as (position, term, weight)."""
        for term, pair in self._pairs:
            at = text.find(pair)
            while at >= 0:
                yield at, term, 1.0
                at = text.find(pair, at + len(pair))
        for head in self._heads:
            at = text.find(head)
            while at >= 0:
                end = at + len(head)
                if not text[at - 1 : at].isalnum() and (match := WORD.match(text, at)):
                    end = match.end()
                    for term, weight in self._meaning(match.group()):
                        yield at, term, weight
                at = text.find(head, end)

    def _meaning(self, word: str) -> tuple[tuple[int, float], ...]:
        """The terms a word stands for, each with what it counts."""
        meaning = self._seen.get(word)
        if meaning is None:
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            root = stem(word, self.language)
            exact = tuple((place, 1.0) for place, term in self._spelt if term == root)
            meaning = exact or tuple(
                (place, self.relatives) for place, term in self._spelt if _are_related(term, root)
            )
            self._seen[word] = meaning
        return meaning


def _are_related(one: str, other: str) -> bool:
    shared = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    return shared >= _HEAD and shared >= _KINSHIP * max(len(one), len(other))
