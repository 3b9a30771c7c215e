"""Words, stems and bags: one tokenizer for everything that reads.

A page's text is cut in two stages, because tokenising is the largest cost a page. First the whole
text is split at ASCII punctuation and blanks by one byte table (a quarter of the time of ``\\w+``);
then each piece is finished, once for all its occurrences: accents composed, scripts told apart, stop
words dropped, the rest stemmed.

Han, Kana, Hangul and the scripts of South-East Asia put no blanks between words, or put them
elsewhere: their runs become overlapping pairs of characters, never across the border of two scripts.
"""

from __future__ import annotations

import hashlib
import importlib
import re
import unicodedata
from base64 import b32encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

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
"""Languages by ISO code whose stems PyStemmer knows; names that its build lacks are passed over."""

_ALIASES = {"no": "nb", "sr": "sh", "hr": "sh", "bs": "sh", "iw": "he", "in": "id", "tl": "fil"}

_ENGLISH = frozenset(
    """a about above after again against all almost also although always am among an and another any are aren
    around as at be became because become been before being below between both but by can cannot could couldn
    d did didn do does doesn doing don done down during each either else etc ever every few for from further
    had hadn has hasn have haven having he hence her here hers herself him himself his how however i if in
    instead into is isn it its itself just least less ll m many may me might more most much must my myself
    neither never no nor not now of off often on once one only onto or other others our ours ourselves out
    over own per perhaps quite rather re s same shall she should shouldn since so some such t than that the
    their theirs them themselves then there these they this those though through thus to together too toward
    towards under until up upon us ve very via was wasn we were weren what when where whether which while who
    whom whose why will with within without won would wouldn yet you your yours yourself yourselves""".split()
)

_STOP_SHARE = 270
"""A word used more often than 10**-2.7 of the time (2 in 1,000) says nothing of a topic: 30 to 70 words in
most languages, nearly all of them grammar."""

_REMEMBERED = 100_000
_REMEMBERED_LENGTH = 40
"""How many distinct chunks are kept finished for each language, and how long they may be: some 20 MB at
most. Longer ones are paragraphs of a script without blanks, and do not come again."""

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u3096\u309d-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"
_SOUTH_EAST = "\u0e01-\u0e3a\u0e40-\u0e4e", "\u0e81-\u0ece", "\u1000-\u103f", "\u1780-\u17d3"
_PAIRED = (_HAN, _HIRAGANA, _KATAKANA, _HANGUL, *_SOUTH_EAST)

# Vowel signs and accents that Python's \w leaves out and without which Hindi or Hebrew falls to pieces.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u06d6-\u06dc\u06df-\u06e8"
    "\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0963\u0981-\u09e3\u0a01-\u0a75\u0a81-\u0ae3"
    "\u0b01-\u0b63\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0ce3\u0d00-\u0d63\u0d81-\u0df3\u0f18-\u0fbc\u1ab0-\u1aff"
)
_LETTERS = f"(?:[^\\W_{''.join(_PAIRED)}]|[{_MARKS}])+"

WORD = re.compile(_LETTERS)
"""One word of a script that has blanks between its words."""

_PIECE = re.compile("|".join([f"(?:{_LETTERS})", *(f"[{script}]+" for script in _PAIRED)]))
_IS_PAIRED = re.compile(f"[{''.join(_PAIRED)}]")

# Shown but not meant: soft hyphen, zero-width marks, and the vowel points Arabic may go without.
_SILENT = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\u0640\u064b-\u065f\u0670]")

_ASCII = bytes(
    ord(chr(byte).lower()) if byte < 128 and chr(byte).isalnum() else byte if byte >= 128 else 32
    for byte in range(256)
)


def words(text: str) -> list[str]:
    """The words of a text in order, in lower case; pairs of characters where a script has no blanks.

    >>> words("Café-au-lait, 2nd edition")
    ['café', 'au', 'lait', '2nd', 'edition']
    >>> words("東京タワーへ行く")
    ['東京', 'タワ', 'ワー', 'へ', '行', 'く']
    """
    found: list[str] = []
    for chunk in _chunks(text):
        if chunk.isascii():
            found.append(chunk)
        else:
            found.extend(_pieces(chunk))
    return found


def terms(text: str, language: str = "en") -> list[str]:
    """The words of a text in order, stemmed and without stop words.

    >>> terms("The gardens that attract butterflies")
    ['garden', 'attract', 'butterfli']
    """
    return list(_terms(text, language))


def bag(text: str, language: str = "en") -> Counter[str]:
    """How often each term occurs.

    >>> bag("A butterfly garden is a garden for butterflies")
    Counter({'butterfli': 2, 'garden': 2})
    """
    return Counter(_terms(text, language))


def fold(text: str) -> str:
    """The text in lower case, composed, and without characters that are not meant to be read.

    >>> fold("Ｂutter\\u00adFLIES")
    'butterflies'
    """
    if text.isascii():
        return text.lower()
    return _SILENT.sub("", unicodedata.normalize("NFKC", text)).lower()


def stem(word: str, language: str = "en") -> str:
    """The stem of one lower-case word; the word itself where nobody knows the language's stems.

    >>> stem("butterflies"), stem("mariposas", "es"), stem("蝴蝶", "zh")
    ('butterfli', 'marip', '蝴蝶')
    """
    stemmer = _stemmer(primary(language))
    return stemmer.stemWord(word) if stemmer else word


def stop_words(language: str = "en") -> frozenset[str]:
    """Words that say nothing of a topic: a list for English, the most common words elsewhere.

    >>> "the" in stop_words("en"), "und" in stop_words("de-AT"), len(stop_words("xx"))
    (True, True, 0)
    """
    code = primary(language)
    return _ENGLISH if code == "en" else _most_common(code)


def background(language: str, *, large: bool = False) -> Sequence[Sequence[str]]:
    """The words of a language by how common they are; empty for a language nobody has counted.

    The words at place ``i`` make up ``10 ** (-i / 100)`` of all running words each. The small list goes
    down to one in a million, the large one to one in a hundred million (where there is one).

    >>> "the" in background("en")[127], background("xx")
    (True, [])
    """
    return _background(primary(language), large)


def primary(language: str) -> str:
    """The code by which a language is known here: ``"pt_BR"`` and ``"pt"`` are one.

    >>> primary("zh-Hant-TW"), primary("no"), primary("")
    ('zh', 'nb', 'en')
    """
    code = language.replace("_", "-").partition("-")[0].lower() or "en"
    return _ALIASES.get(code, code)


def is_paired(term: str) -> bool:
    """Whether the term is of a script that is read in pairs of characters.

    >>> is_paired("蝴蝶"), is_paired("butterfli")
    (True, False)
    """
    return _IS_PAIRED.match(term) is not None


# --- the two stages -------------------------------------------------------------------------------


def _chunks(text: str) -> list[str]:
    """What stands between blanks and ASCII punctuation; only ASCII letters are in lower case yet."""
    return text.encode("utf-8", "replace").translate(_ASCII).decode().split()


def _terms(text: str, language: str) -> Iterator[str]:
    # No Python code runs a word: measured at half the time of counting bare ``\w+`` words.
    return chain.from_iterable(map(_finished(primary(language)).__getitem__, _chunks(text)))


def _pieces(chunk: str) -> Iterable[str]:
    """The words of a chunk that is not pure ASCII."""
    for piece in _PIECE.findall(fold(chunk)):
        if len(piece) < 2 or not _IS_PAIRED.match(piece):
            yield piece
        else:
            yield from map("".join, pairwise(piece))


class _Finished(dict[str, tuple[str, ...]]):
    """Chunk to terms for one language, worked out on first sight and remembered."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stop = stop_words(language)
        self._stemmer = _stemmer(language)

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        kept = [word for word in words(chunk) if word not in self._stop]
        found = tuple(self._stemmer.stemWords(kept) if self._stemmer else kept)
        if len(chunk) <= _REMEMBERED_LENGTH:
            self[chunk] = found
        return found


# Pages name their language themselves, and may name anything: no cache by language grows without bound.
@lru_cache(maxsize=16)
def _finished(code: str) -> _Finished:
    return _Finished(code)


@lru_cache(maxsize=64)
def _stemmer(code: str) -> Stemmer.Stemmer | None:
    name = _STEMMERS.get(code)
    if name not in Stemmer.algorithms():
        return None
    return Stemmer.Stemmer(name, 0)  # its own cache would double ours


@lru_cache(maxsize=64)
def _most_common(code: str) -> frozenset[str]:
    return frozenset(word for bucket in background(code)[:_STOP_SHARE] for word in bucket if word.isalpha())


@lru_cache(maxsize=2)
def _background(code: str, large: bool) -> list[list[str]]:
    # Importing wordfreq takes 0.2 s: commands that judge nothing should not wait for it. Its own
    # ``get_frequency_list`` keeps every list it ever read, 2 to 30 MB each.
    wordfreq = importlib.import_module("wordfreq")
    for size in ("large", "small") if large else ("small",):
        path = wordfreq.available_languages(size).get(code)
        if path:
            buckets: list[list[str]] = wordfreq.read_cBpack(path)
            return buckets
    return []


def digest_of(body: bytes) -> str:
    """SHA-1 of a body as WARC files spell it.

    >>> digest_of(b"")
    'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'
    """
    return f"sha1:{b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()}"
