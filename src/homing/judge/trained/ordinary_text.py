"""Ordinary text: what the negative class looks like before any page of it is known.

The word counts of a language say how often a term occurs in a page about nothing in particular. That is
enough to weight terms by their rarity and to draw made-up pages that stand in for the rest of the web.
Each page known to be off the topic improves the estimate a little.
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
"""Least share of pages with a term: the word lists end there, and names would outweigh words."""

_UNLISTED = 1e-5
"""Share of running words assumed for numbers, and for pairs of characters that are no word: both are
common, and the lists lack them."""

_WORTH = 10.0
"""Number of known pages from which on they weigh as much as the word counts do."""


class OrdinaryText:
    """Term statistics of ordinary text in one language, updated by known pages off the topic.

    Parameters
    ----------
    language
        Language of the word counts. For one without counts all terms are equal.
    known
        Vectors of pages that are not on the topic.

    Examples
    --------
    >>> english = OrdinaryText("en")
    >>> english.presence("butterfli") < 0.02 < 0.5 < english.presence("peopl")
    True
    """

    def __init__(self, language: str, known: Sequence[Vector] = ()) -> None:
        self.language = language
        self._shares = _shares(language)
        self._mean_vector = _mean_vector(language)
        self._weight = _WORTH / (len(known) + _WORTH)
        self._pages_with: Counter[str] = Counter(term for vector in known for term in vector)
        self._sums: dict[str, float] = {}
        for vector in known:
            for term, value in vector.items():
                self._sums[term] = self._sums.get(term, 0.0) + value
        self._known = max(len(known), 1)
        self._rarities: dict[str, float] = {}

    def presence(self, term: str) -> float:
        """Return the share of ordinary pages that have the term."""
        listed = 1 - math.exp(-_WORDS * self._share(term))
        seen = self._pages_with[term] / self._known
        return max(self._weight * listed + (1 - self._weight) * seen, _RAREST)

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of the term."""
        found = self._rarities.get(term)
        if found is None:
            found = self._rarities[term] = math.log(1 + 1 / self.presence(term))
        return found

    def strength(self, term: str) -> float:
        """Return the mean value of the term in the vectors of ordinary pages."""
        listed = self.listed(term)
        seen = self._sums.get(term, 0.0) / self._known
        return self._weight * listed + (1 - self._weight) * seen

    def listed(self, term: str) -> float:
        """Return the same by the word counts alone."""
        return self._mean_vector.get(term, 0.0)

    @cached_property
    def direction(self) -> Vector:
        """The mean vector of ordinary pages, each term weighted by its rarity, of unit length."""
        known = dict.fromkeys((*self._mean_vector, *self._sums))
        weighed = {term: self.strength(term) * self.rarity(term) for term in known}
        length = math.sqrt(sum([value * value for value in weighed.values()])) or 1.0
        return {term: value / length for term, value in weighed.items()}

    def pages(self, count: int, lengths: Sequence[int]) -> list[Counter[str]]:
        """Draw made-up pages, always the same: terms by their frequency, with lengths out of ``lengths``."""
        chance = random.Random(count)  # noqa: S311  (no secret)
        return [Counter(self._draw(length, chance)) for length in chance.choices(lengths, k=count)]

    def _draw(self, length: int, chance: random.Random) -> list[str]:
        listed, heights = _cumulated(self.language)
        return chance.choices(listed, cum_weights=heights, k=length) if listed else []

    def _share(self, term: str) -> float:
        share = self._shares.get(term, 0.0)
        if share < _UNLISTED and (any(map(str.isdigit, term)) or is_paired(term)):
            return _UNLISTED
        return share


@lru_cache(maxsize=2)
def ordinary_text(language: str) -> OrdinaryText:
    """Return ordinary text of a language, before any page off the topic is known."""
    return OrdinaryText(language)


@lru_cache(maxsize=2)
def _shares(language: str) -> Mapping[str, float]:
    """Return each term's share of running words. Listed words are tokenised as pages are."""
    found: dict[str, float] = {}
    for place, bucket in enumerate(background(language)):
        share = 10 ** (-place / 100)
        for term in terms("\n".join(bucket), language):
            if term.strip("0"):  # a number with that count of digits, as the lists spell it
                found[term] = found.get(term, 0.0) + share
    return found


@lru_cache(maxsize=2)
def _mean_vector(language: str) -> Mapping[str, float]:
    """Return the mean vector of pages drawn from the word counts, in closed form: each count is Poisson's."""
    expected = {term: _WORDS * share for term, share in _shares(language).items()}
    chances = {term: 1 - math.exp(-count) for term, count in expected.items()}
    damped = {term: 1 + math.log(max(count, 1.0)) for term, count in expected.items()}
    length = math.sqrt(sum(chance * damped[term] ** 2 for term, chance in chances.items())) or 1.0
    return {term: chance * damped[term] / length for term, chance in chances.items()}


@lru_cache(maxsize=2)
def _cumulated(language: str) -> tuple[list[str], list[float]]:
    shares = _shares(language)
    return list(shares), list(accumulate(shares.values()))
