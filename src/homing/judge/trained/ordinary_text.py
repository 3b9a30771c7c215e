"""Ordinary text: what the other class looks like before anybody has shown a page of it.

The word counts of a language say how often a term turns up in a page about nothing in particular. That
is enough to weigh terms by their rarity and to draw made-up pages that stand in for the rest of the web.
Pages that are known to be off the topic make the picture truer, each a little.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate

from homing.judge.trained.features import Vector
from homing.text.languages import background
from homing.text.words import is_paired, terms

_WORDS = 1500
"""Running words of an ordinary page."""

_RAREST = 1e-3
"""No term is taken to be in fewer pages than this: the lists end there, and names would outweigh words."""

_UNLISTED = 1e-5
"""The share of running words taken for numbers, and for pairs of characters that are no word: both are
common, and the lists do not have them."""

_WORTH = 10.0
"""So many pages must be met until they say as much of ordinary text as the word counts do."""


class Ordinary:
    """Ordinary text of one language, and of the pages off the topic that have been met.

    Parameters
    ----------
    language
        Whose word counts to take. Nobody has counted the words of some: there, all terms are equal.
    met
        Pages that are not on the topic.

    Examples
    --------
    >>> english = Ordinary("en")
    >>> english.presence("butterfli") < 0.02 < 0.5 < english.presence("peopl")
    True
    """

    def __init__(self, language: str, met: Sequence[Vector] = ()) -> None:
        self.language = language
        self._shares = _shares(language)
        self._usual = _usual(language)
        self._weight = _WORTH / (len(met) + _WORTH)
        self._seen: Counter[str] = Counter(term for vector in met for term in vector)
        self._said: dict[str, float] = {}
        for vector in met:
            for term, value in vector.items():
                self._said[term] = self._said.get(term, 0.0) + value
        self._met = max(len(met), 1)
        self._rarities: dict[str, float] = {}

    def presence(self, term: str) -> float:
        """The share of ordinary pages that have the term."""
        listed = 1 - math.exp(-_WORDS * self._share(term))
        seen = self._seen[term] / self._met
        return max(self._weight * listed + (1 - self._weight) * seen, _RAREST)

    def rarity(self, term: str) -> float:
        """How much the term tells, as an inverse document frequency."""
        found = self._rarities.get(term)
        if found is None:
            found = self._rarities[term] = math.log(1 + 1 / self.presence(term))
        return found

    def strength(self, term: str) -> float:
        """The mean value of the term in the vectors of ordinary pages."""
        listed = self.listed(term)
        seen = self._said.get(term, 0.0) / self._met
        return self._weight * listed + (1 - self._weight) * seen

    def listed(self, term: str) -> float:
        """The same by the word counts alone."""
        return self._usual.get(term, 0.0)

    @cached_property
    def direction(self) -> Vector:
        """The mean vector of ordinary pages, each term by its rarity, one long."""
        known = dict.fromkeys((*self._usual, *self._said))
        weighed = {term: self.strength(term) * self.rarity(term) for term in known}
        length = math.sqrt(sum([value * value for value in weighed.values()])) or 1.0
        return {term: value / length for term, value in weighed.items()}

    def pages(self, count: int, lengths: Sequence[int]) -> list[Counter[str]]:
        """Made-up pages, always the same: terms drawn by how common they are, as long as ``lengths``."""
        chance = random.Random(count)  # noqa: S311  (no secret)
        return [Counter(self._draw(length, chance)) for length in chance.choices(lengths, k=count)]

    def _draw(self, length: int, chance: random.Random) -> list[str]:
        listed, heights = _ladder(self.language)
        return chance.choices(listed, cum_weights=heights, k=length) if listed else []

    def _share(self, term: str) -> float:
        share = self._shares.get(term, 0.0)
        if share < _UNLISTED and (any(map(str.isdigit, term)) or is_paired(term)):
            return _UNLISTED
        return share


@lru_cache(maxsize=2)
def text_of(language: str) -> Ordinary:
    """Ordinary text of a language, before any page of the other class has been met."""
    return Ordinary(language)


@lru_cache(maxsize=2)
def _shares(language: str) -> Mapping[str, float]:
    """Each term's share of running words. The tokenizer cuts the listed words as it will cut pages."""
    found: dict[str, float] = {}
    for place, bucket in enumerate(background(language)):
        share = 10 ** (-place / 100)
        for term in terms("\n".join(bucket), language):
            if term.strip("0"):  # a number of so many digits, as the lists spell it
                found[term] = found.get(term, 0.0) + share
    return found


@lru_cache(maxsize=2)
def _usual(language: str) -> Mapping[str, float]:
    """The mean vector of pages drawn from the word counts, in closed form: each count is Poisson's."""
    expected = {term: _WORDS * share for term, share in _shares(language).items()}
    chances = {term: 1 - math.exp(-count) for term, count in expected.items()}
    felt = {term: 1 + math.log(max(count, 1.0)) for term, count in expected.items()}
    length = math.sqrt(sum(chance * felt[term] ** 2 for term, chance in chances.items())) or 1.0
    return {term: chance * felt[term] / length for term, chance in chances.items()}


@lru_cache(maxsize=2)
def _ladder(language: str) -> tuple[list[str], list[float]]:
    shares = _shares(language)
    return list(shares), list(accumulate(shares.values()))
