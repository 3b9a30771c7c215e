"""Data of each language: its code, stemmer, stop words, and word frequencies."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

import Stemmer  # type: ignore[import-not-found]  # a C module that ships no types

_STEMMERS = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech", "da": "danish",
    "nl": "dutch", "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish", "fr": "french",
    "de": "german", "el": "greek", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "ga": "irish",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nb": "norwegian", "nn": "norwegian",
    "fa": "persian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sh": "serbian", "st": "sesotho", "es": "spanish", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip
"""Languages by ISO code with a stemmer in PyStemmer; names that its build lacks are skipped."""

_ALIASES = {"no": "nb", "sr": "sh", "hr": "sh", "bs": "sh", "iw": "he", "in": "id", "tl": "fil"}

_STOP_SHARE = 270
"""A word more frequent than 10**-2.7 (2 in 1,000) is hardly ever a topic: 30 to 70 words in most languages.
Used only for languages without a list, because names are among them (Israel in Hebrew)."""


@lru_cache(maxsize=256)  # called for every anchor and every window
def primary(language: str) -> str:
    """Return the code of a language without its region: ``"pt_BR"`` and ``"pt"`` are one.

    >>> primary("zh-Hant-TW"), primary("no"), primary("")
    ('zh', 'nb', 'en')
    """
    code = language.replace("_", "-").partition("-")[0].lower() or "en"
    return _ALIASES.get(code, code)


def stem(word: str, language: str = "en") -> str:
    """Return the stem of one lower-case word; the word itself in a language without a stemmer.

    >>> stem("butterflies"), stem("mariposas", "es"), stem("蝴蝶", "zh")
    ('butterfli', 'marip', '蝴蝶')
    """
    stemmer = stemmer_of(primary(language))
    return stemmer.stemWord(word) if stemmer else word


def background(language: str, *, large: bool = False) -> Sequence[Sequence[str]]:
    """Return the words of a language by frequency; empty for a language without a list.

    The words at place ``i`` make up ``10 ** (-i / 100)`` of all running words each. The small list goes
    down to one in a million, the large one to one in a hundred million (where there is one).

    >>> "the" in background("en")[127], background("xx")
    (True, [])
    """
    return _background(primary(language), large)


def function_words(code: str) -> Sequence[str]:
    """Return the words without a topic, as written: from a list, else the most frequent ones.

    >>> function_words("de")[:3], len(function_words("xx"))
    (['ab', 'aber', 'alle'], 0)
    """
    return _stop_lists().get(code) or [word for bucket in background(code)[:_STOP_SHARE] for word in bucket]


@lru_cache(maxsize=64)
def stemmer_of(code: str) -> Stemmer.Stemmer | None:
    """Return the stemmer of the language with this primary code."""
    name = _STEMMERS.get(code)
    if name not in Stemmer.algorithms():
        return None
    return Stemmer.Stemmer(name, 0)  # its own cache would double the tokenizer's


@cache
def _stop_lists() -> dict[str, list[str]]:
    text = Path(__file__).with_name("stop_words.txt").read_text(encoding="utf-8")
    lists = (paragraph.partition(":") for paragraph in text.split("\n\n")[1:])
    return {code: listed.split() for code, _, listed in lists}


# Pages declare their language, and may declare anything: caches by language are bounded.
@lru_cache(maxsize=2)
def _background(code: str, large: bool) -> list[list[str]]:
    # Importing wordfreq takes 0.2 s, which commands that judge nothing need not spend. Its own
    # ``get_frequency_list`` keeps every list it ever read, 2 to 30 MB each.
    wordfreq = importlib.import_module("wordfreq")
    for size in ("large", "small") if large else ("small",):
        path = wordfreq.available_languages(size).get(code)
        if path:
            buckets: list[list[str]] = wordfreq.read_cBpack(path)
            return buckets
    return []
