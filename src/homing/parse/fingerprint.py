"""Near-duplicates by simhash: texts that share most of their words differ in few of 64 bits.

Charikar, 2002, Similarity estimation techniques from rounding algorithms; Manku, Jain and Das Sarma, 2007,
Detecting near-duplicates for web crawling. They weigh their features; ours are words, all of one weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_MAX_BYTES = 8_192
"""Bytes read of a text, some 1,300 words: enough to tell pages apart, at half the cost of all of it."""
_SPACELESS = 25
"""Average bytes a word above which a script has no spaces between words."""
_SHINGLE = 9
"""Bytes of a feature in such a script: three letters of Chinese."""

# The hash of a word is a polynomial of its bytes, wherever it stands: its part of a sum over the whole text,
# shifted back to the power 0. One multiplication a byte, none of it in Python: 0.13 ms for 2,400 words, half
# the time of a set of words. 32 bits are enough to tell the words of a page apart.
_BASE = 0x9E3779B1
_POWERS = np.cumprod(np.full(_MAX_BYTES + 2, _BASE, dtype=np.uint32), dtype=np.uint32)
_INVERSES = np.cumprod(np.full(_MAX_BYTES + 2, pow(_BASE, -1, 1 << 32), dtype=np.uint32), dtype=np.uint32)

_SHORT = 400
"""Characters of text below which the words of the links count, too."""
_WORDS = re.compile(r"[^\W_]+")
_DIGITS = str.maketrans("123456789", "000000000")

_LETTERS = bytes(0 if byte <= ord(" ") else byte for byte in range(256)).lower()
"""A table for ``bytes.translate``: small letters, and 0 for whatever separates words."""


def fingerprint(text: str) -> int:
    """Return 64 bits for a text, 0 if it has no words. Each distinct word counts once, wherever it stands.

    Counting a word as often as it occurs would let "the" and "of" decide. On distinct words, one word
    changed in a hundred turns about three bits; two unrelated pages differ in about 28.

    >>> page = " ".join(f"word{number}" for number in range(200))
    >>> distance(fingerprint(page), fingerprint(page.replace("word7 ", "other "))) < 5
    True
    >>> fingerprint(" ")
    0
    """
    words = _distinct_words(text)
    if not len(words):
        return 0
    # Let every bit of a hash depend on every other: the last step of splitmix64 (Steele et al., 2014).
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    words ^= words >> np.uint64(31)
    # A byte for each bit; eight of them are added at once, as no byte overflows in so few rows.
    bits = np.unpackbits(words.view(np.uint8)).view(np.uint64).reshape(-1, 8)
    sums = np.add.reduceat(bits, np.arange(0, len(bits), 255), axis=0)
    ones = sums.view(np.uint8).sum(axis=0, dtype=np.int32)
    return int.from_bytes(np.packbits(ones * 2 > len(words)).tobytes(), "big")


def page_fingerprint(url: str, text: str, anchors: Iterable[str]) -> int:
    """Return the fingerprint of a page with links.

    A page of little text may be a list of links, which its main text leaves out: their words tell it from
    other lists. Numbers do not, nor what the page repeats of its own address: an empty day of a calendar is
    like the next, and one "not found" like another.

    >>> moth = page_fingerprint("http://a.org/moth", "No moth!", ["3"])
    >>> moth == page_fingerprint("http://a.org/bee", "No bee!", ["4"])
    True
    >>> moths = page_fingerprint("http://a.org/", "Links", ["moths"])
    >>> moths == page_fingerprint("http://a.org/", "Links", ["trains"])
    False
    """
    if len(text) >= _SHORT:
        return fingerprint(text)
    words = _WORDS.findall("\n".join([text, *anchors]).translate(_DIGITS).lower())
    echoed = frozenset(_WORDS.findall(url.translate(_DIGITS).lower()))
    return fingerprint(" ".join([word for word in words if word not in echoed]))


def distance(one: int, other: int) -> int:
    """Return the number of bits in which two fingerprints differ."""
    return (one ^ other).bit_count()


def _distinct_words(text: str) -> NDArray[np.uint64]:
    """Return a hash for each distinct word, sorted."""
    raw = text[:_MAX_BYTES].encode("utf-8", "replace")[:_MAX_BYTES]
    letters = np.frombuffer((b" %b " % raw).translate(_LETTERS), dtype=np.uint8)
    gaps = np.flatnonzero(letters == 0)
    terms = letters * _POWERS[: len(letters)]
    if len(letters) > _SPACELESS * len(gaps):
        sums = np.cumsum(terms, dtype=np.uint32)
        starts = np.arange(max(len(letters) - _SHINGLE, 0))
        words = sums[starts + _SHINGLE] - sums[starts]
    else:
        starts = gaps[:-1]
        words = np.add.reduceat(terms, starts, dtype=np.uint32)
    words *= _INVERSES[starts]
    words.sort()
    distinct = np.empty(len(words), dtype=np.bool_)
    distinct[:1] = True
    np.not_equal(words[1:], words[:-1], out=distinct[1:])
    found: NDArray[np.uint64] = words[distinct & (words != 0)].astype(np.uint64)
    return found
