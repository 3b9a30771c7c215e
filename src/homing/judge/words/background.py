"""Word frequencies of ordinary text: how common the words of a topic are, and which language they are.

The counts are ``wordfreq``'s, for some forty languages. They are all a judge has when the user gives
nothing but a sentence.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from homing.text.words import background, fold, is_paired, primary, stem, words

RAREST = 1e-8
"""Share of running words assumed for a word that no list has: that of the rarest in the lists."""

_NUMBER = 1e-5
"""Share assumed for a number: the lists hold numbers only by their count of digits."""

_UNKNOWN = 7.0
"""-log10 of the share assumed for a word that a small list lacks: the list ends at 6."""

_BY_SCRIPT = {
    "LATIN": ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "nb", "da", "fi", "cs", "sk", "hu", "ro",
              "tr", "ca", "sl", "sh", "lt", "lv", "is", "id", "ms", "vi", "fil"),
    "CYRILLIC": ("ru", "uk", "bg", "mk"),
    "ARABIC": ("ar", "fa", "ur"),
    "DEVANAGARI": ("hi",),
    "GREEK": ("el",),
    "HEBREW": ("he",),
    "BENGALI": ("bn",),
    "TAMIL": ("ta",),
    "CJK": ("zh", "ja"),
}  # fmt: skip
"""Languages to choose from, by the first word of a letter's Unicode name; the likeliest first."""

_CERTAIN = {"HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "THAI": "th", "LAO": "lo", "KHMER": "km"}


_PREFIXING = frozenset({"ar", "fa", "he", "id", "ur"})
"""Languages that write articles and prepositions as the first letters of a word."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How a stem is used: the words that have it, commonest first, and their share of running words."""

    forms: tuple[str, ...]
    share: float


@lru_cache(maxsize=32)
def usage(stems: frozenset[str], language: str) -> Mapping[str, Usage]:
    """Look stems up in the language's word list, all in one pass over it.

    >>> found = usage(frozenset({"butterfli"}), "en")["butterfli"]
    >>> found.forms[:2], f"{found.share:.0e}"
    (('butterfly', 'butterflies'), '1e-05')
    """
    forms: defaultdict[str, list[str]] = defaultdict(list)
    shares: defaultdict[str, float] = defaultdict(float)
    buckets = background(language, large=True)
    pairs = [each for each in stems if is_paired(each)]
    candidates = _candidates(stems.difference(pairs), language, buckets)
    for place, bucket in enumerate(buckets):
        share = 10 ** (-place / 100)
        for word in filter(candidates.__contains__, bucket):
            root = stem(word, language)
            if root in stems:
                forms[root].append(word)
                shares[root] += share
        for pair in pairs:
            holding = [word for word in bucket if pair in word]
            forms[pair] += [word for word in holding if word == pair]
            shares[pair] += share * len(holding)
    return {each: Usage(tuple(forms[each]), max(shares[each], _least(each))) for each in stems}


def _candidates(stems: Iterable[str], language: str, buckets: Sequence[Sequence[str]]) -> set[str]:
    """Return the words that may have one of these stems.

    They begin as a stem does (but for an umlaut), or hold it behind a prefix. To stem these alone takes a
    tenth of the time.
    """
    begins = {_bare(each[:2]) for each in stems}
    written = {word[:2] for bucket in buckets for word in bucket}
    heads = {head for head in written if _bare(head) in begins}
    found = {word for bucket in buckets for word in bucket if word[:2] in heads}
    if primary(language) in _PREFIXING:
        found |= {word for each in stems for bucket in buckets for word in bucket if each in word}
    return found


@lru_cache(maxsize=64)
def guess_language(text: str) -> str:
    """Identify the language of a topic: the one in which its words are most common.

    A few words are little evidence, so the answer is English if all of them are in its list.

    >>> [guess_language(text) for text in ("butterflies", "Gärten für Schmetterlinge", "jardin de papillons")]
    ['en', 'de', 'fr']
    >>> [guess_language(text) for text in ("бабочки в саду", "蝴蝶花园", "蝶の庭", "나비 정원", "")]
    ['ru', 'zh', 'ja', 'ko', 'en']
    """
    said = Counter(word for word in words(text) if any(map(str.isalpha, word)))
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in fold(text) if letter.isalpha()}
    for script, language in _CERTAIN.items():
        if script in scripts:
            return language
    candidates = [code for script, codes in _BY_SCRIPT.items() if script in scripts for code in codes]
    if not said or not candidates:
        return "en"
    if len(candidates) == 1 or (candidates[0] == "en" and _worst(said, "en") < _UNKNOWN):
        return candidates[0]
    return min(candidates, key=lambda code: sum(_rarities(said, code)))


def _worst(said: Counter[str], language: str) -> float:
    return max(rarity / count for rarity, count in zip(_rarities(said, language), said.values(), strict=True))


def _rarities(said: Counter[str], language: str) -> list[float]:
    """Return for each word -log10 of its share in the language, times its count."""
    places = dict.fromkeys(said, 100 * _UNKNOWN)
    for place, bucket in enumerate(background(language)):
        for word in said.keys() & bucket:
            places[word] = place
    return [said[word] * place / 100 for word, place in places.items()]


def _least(term: str) -> float:
    return _NUMBER if any(map(str.isdigit, term)) else RAREST


def _bare(letters: str) -> str:
    """Return letters without their accents."""
    return letters if letters.isascii() else unicodedata.normalize("NFD", letters)[: len(letters)]
