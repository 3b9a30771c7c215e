"""The tokenizer: words, stems and bags of terms.

A page's text is split in two stages, because tokenising is the largest cost of a page. First the whole
text is split at ASCII punctuation and spaces by one byte table (a quarter of the time of ``\\w+``);
then each chunk is turned into terms, once for all its occurrences: accents composed, scripts separated, stop
words dropped, the rest stemmed.

Han, Kana, Hangul and the scripts of South-East Asia put no spaces between words, or put them
elsewhere: their runs become overlapping pairs of characters, never across the border of two scripts.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from operator import add
from typing import TypeVar

from homing.text.languages import background, function_words, primary, stem, stemmer_of

__all__ = [
    "WORD", "ChunkCache", "background", "bag", "chunk_terms", "chunks", "fold", "is_paired", "primary",
    "stem", "stop_words", "terms", "words",
]  # fmt: skip

Value = TypeVar("Value")

_CACHED = 50_000
_MAX_CHUNK = 64
_MAX_NUMBER = 4
"""Maximum distinct chunks cached for each language, and maximum bytes of one and of one with digits: 10 MB.
Longer ones are paragraphs of a script without spaces, or numbers longer than a year, and rarely recur."""

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u3096\u309d-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"
_SOUTH_EAST = "\u0e01-\u0e3a\u0e40-\u0e4e", "\u0e81-\u0ece", "\u1000-\u103f", "\u1780-\u17d3"
_PAIRED = (_HAN, _HIRAGANA, _KATAKANA, _HANGUL, *_SOUTH_EAST)

# In the scripts of South-East Asia vowels and tones stand over and under a letter, and count as part of it.
_STACKED = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
_CHARACTER = re.compile(f".[{_STACKED}]*", re.DOTALL)
_IS_STACKED = re.compile(f"[{''.join(_SOUTH_EAST)}]")

# Vowel signs and accents that Python's \w leaves out and without which Hindi or Hebrew words break up.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u06d6-\u06dc\u06df-\u06e8"
    "\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0963\u0981-\u09e3\u0a01-\u0a75\u0a81-\u0ae3"
    "\u0b01-\u0b63\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0ce3\u0d00-\u0d63\u0d81-\u0df3\u0f18-\u0fbc\u1ab0-\u1aff"
)
_LETTERS = f"(?:[^\\W_{''.join(_PAIRED)}]|[{_MARKS}])+"

WORD = re.compile(_LETTERS)
"""One word of a script that has spaces between its words."""

_PIECE = re.compile("|".join([f"(?:{_LETTERS})", *(f"[{script}]+" for script in _PAIRED)]))
_IS_PAIRED = re.compile(f"[{''.join(_PAIRED)}]")
_DIGIT = re.compile(rb"[0-9]")

# Shown but not meant: soft hyphen, zero-width marks, and the vowel points Arabic may go without.
_SILENT = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\u0640\u064b-\u065f\u0670]")

_ASCII = bytes(
    ord(chr(byte).lower()) if byte < 128 and chr(byte).isalnum() else byte if byte >= 128 else 32
    for byte in range(256)
)

# What Chinese and Japanese have instead of spaces. A text with these is not in normal form, and it takes ten
# times as long to find that out for a paragraph than for what stands between them.
_STOPS = tuple(mark.encode() for mark in "。、，．：；！？（）「」『』《》…")


def words(text: str) -> list[str]:
    """Return the words of a text in order, in lower case; pairs of characters where a script has no spaces.

    >>> words("Café-au-lait, 2nd edition")
    ['café', 'au', 'lait', '2nd', 'edition']
    >>> words("東京タワーへ行く")
    ['東京', 'タワ', 'ワー', 'へ', '行', 'く']
    """
    found: list[str] = []
    for chunk in chunks(text):
        if chunk.isascii():
            found.append(chunk.decode())
        else:
            found.extend(_pieces(chunk.decode()))
    return found


def terms(text: str, language: str = "en") -> list[str]:
    """Return the words of a text in order, stemmed and without stop words.

    >>> terms("The gardens that attract butterflies")
    ['garden', 'attract', 'butterfli']
    """
    return list(_terms(text, language))


def bag(text: str, language: str = "en") -> Counter[str]:
    """Count each term of a text.

    >>> bag("A butterfly garden is a garden for butterflies")
    Counter({'butterfli': 2, 'garden': 2})
    """
    return Counter(_terms(text, language))


def fold(text: str) -> str:
    """Return the text in lower case, composed, and without invisible characters.

    >>> fold("Ｂutter\\u00adFLIES"), fold("Λάμψης"), fold("Straße")
    ('butterflies', 'λάμψησ', 'strasse')
    """
    if text.isascii():
        return text.lower()
    # Folded rather than lowered: a sigma that ends its word becomes like any other, ß becomes ss. A Turkish İ
    # would keep its dot apart from the i.
    return _SILENT.sub("", unicodedata.normalize("NFKC", text)).casefold().replace("i\u0307", "i")


@lru_cache(maxsize=64)
def stop_words(language: str = "en") -> frozenset[str]:
    """Return the stop words of a language, in the spelling of ``words``.

    >>> "the" in stop_words("en"), "und" in stop_words("de-AT"), len(stop_words("xx"))
    (True, True, 0)
    """
    listed = words(" ".join(function_words(primary(language))))
    return frozenset(word for word in listed if not any(map(str.isdigit, word)))


def is_paired(term: str) -> bool:
    """Return whether the term is of a script that is split into pairs of characters.

    >>> is_paired("蝴蝶"), is_paired("butterfli")
    (True, False)
    """
    return _IS_PAIRED.match(term) is not None


# --- the two stages -------------------------------------------------------------------------------


def chunks(text: str) -> list[bytes]:
    """Split a text at spaces and ASCII punctuation, into UTF-8; only ASCII letters are lowered yet.

    >>> chunks("Élan, VITAL")
    [b'\\xc3\\x89lan', b'vital']
    """
    encoded = text.encode("utf-8", "replace").translate(_ASCII)
    if "。" in text or "，" in text:
        for mark in _STOPS:
            encoded = encoded.replace(mark, b" ")
    return encoded.split()


def chunk_terms(language: str) -> Mapping[bytes, tuple[str, ...]]:
    """Return the cache of the terms of each chunk.

    >>> chunk_terms("en")[b"gardens"], chunk_terms("en")[b"the"]
    (('garden',), ())
    """
    return _terms_cache(primary(language))


def _terms(text: str, language: str) -> Iterator[str]:
    # No Python code runs a word: measured at half the time of counting bare ``\w+`` words.
    return chain.from_iterable(map(_terms_cache(primary(language)).__getitem__, chunks(text)))


def _pieces(chunk: str) -> list[str]:
    """Return the words of a chunk that is not pure ASCII."""
    found: list[str] = []
    for piece in _PIECE.findall(fold(chunk)):
        if len(piece) < 2 or not _IS_PAIRED.match(piece):
            found.append(piece)
        elif _IS_STACKED.match(piece):
            characters = _CHARACTER.findall(piece)
            found.extend(map(add, characters, characters[1:]) if len(characters) > 1 else characters)
        else:
            found.extend(map(add, piece, piece[1:]))
    return found


class ChunkCache(dict[bytes, Value], ABC):
    """A value for each chunk, computed once; bounded, as pages have any number of distinct chunks."""

    @abstractmethod
    def compute(self, chunk: bytes) -> Value:
        """Return the value of a chunk."""

    def __missing__(self, chunk: bytes) -> Value:
        if len(self) >= _CACHED:
            self.clear()
        value = self.compute(chunk)
        if len(chunk) <= (_MAX_NUMBER if _DIGIT.search(chunk) else _MAX_CHUNK):
            self[chunk] = value
        return value


class _ChunkTerms(ChunkCache[tuple[str, ...]]):
    """Chunk to terms for one language."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stop = stop_words(language)
        self._stemmer = stemmer_of(language)

    def compute(self, chunk: bytes) -> tuple[str, ...]:
        kept = [word for word in words(chunk.decode()) if word not in self._stop]
        return tuple(self._stemmer.stemWords(kept) if self._stemmer else kept)


# Pages declare their language, and may declare anything: caches by language are bounded.
@lru_cache(maxsize=16)
def _terms_cache(code: str) -> _ChunkTerms:
    return _ChunkTerms(code)
