"""The fields of the index, and how a page becomes a document of it."""

from __future__ import annotations

from functools import lru_cache

import msgspec
import tantivy
from isal import isal_zlib

from homing import urls
from homing.bounded import inflate
from homing.text.words import ChunkCache, chunk_terms, chunks, primary

FORMAT = 1
"""Raised with every change of the fields or of how words are cut; an index of another format is rebuilt."""

SEARCHED = {"title": 3.0, "anchors": 2.0, "text": 1.0, "address": 1.0}
"""The fields that are searched, and the weight of each. Anchors are the words of links to the page, the
address is the URL in words."""

LARGEST = 32 * 1024 * 1024
"""Bytes of a page as it is kept, unpacked: many times the longest text that is read of one."""
_LEVEL = 1
"""Of compression: a quarter smaller than tantivy's own blocks, for the same time in all."""


class IndexedPage(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A page as the index returns it."""

    url: str
    title: str
    text: str
    language: str
    """Two letters of ISO 639-1, or empty if unknown."""
    topic_score: float
    """The judge's score, 0 to 1."""
    fetched_at: float
    """Seconds since 1970."""


def make_schema() -> tantivy.Schema:
    """Return the fields of the index."""
    builder = tantivy.SchemaBuilder()
    # Signed: as of 0.27 tantivy deletes by a signed number only, and finds no unsigned one to delete.
    builder.add_integer_field("seq", indexed=True)
    for name in ("url", "host", "language"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    # Terms joined by blanks. Handing over tokens takes eight times as long and saves no byte.
    for name in SEARCHED:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    builder.add_float_field("topic_score", fast=True)
    builder.add_float_field("fetched_at", fast=True)
    builder.add_bytes_field("kept", stored=True)
    return builder.build()


def document(seq: int, kept: IndexedPage, anchors: list[str]) -> tantivy.Document:
    """Turn a page into a document of the index."""
    language = kept.language
    built = tantivy.Document()
    built.add_integer("seq", seq)
    built.add_text("url", kept.url)
    for host in hosts_of(kept.url):
        built.add_text("host", host)
    built.add_text("language", language)
    built.add_text("title", _joined(kept.title, language))
    built.add_text("text", _joined(kept.text, language))
    for anchor in anchors:
        built.add_text("anchors", _joined(anchor, language))
    built.add_text("address", _joined(f"{urls.host(kept.url)} {urls.words_of(kept.url)}", language))
    built.add_float("topic_score", kept.topic_score)
    built.add_float("fetched_at", kept.fetched_at)
    built.add_bytes("kept", isal_zlib.compress(msgspec.msgpack.encode(kept), _LEVEL))
    return built


def page_of(found: tantivy.Document) -> IndexedPage:
    """Return the page that ``document`` was given."""
    packed = found.get_first("kept")
    assert isinstance(packed, bytes | list)
    return msgspec.msgpack.decode(inflate(bytes(packed), most=LARGEST), type=IndexedPage)


def hosts_of(url: str) -> list[str]:
    """Return the host and the names above it down to the registered domain: these include it.

    >>> hosts_of("https://a.news.bbc.co.uk/moths")
    ['a.news.bbc.co.uk', 'news.bbc.co.uk', 'bbc.co.uk']
    """
    host = urls.host(url)
    names, site = [host], urls.site(host)
    while names[-1] != site and "." in names[-1]:
        names.append(names[-1].partition(".")[2])
    return names


def _joined(text: str, language: str) -> str:
    """Join the terms of a text, each followed by a blank; half the time of joining ``terms``."""
    return "".join(map(_spaced(primary(language)).__getitem__, chunks(text)))


class _Spaced(ChunkCache[str]):
    """Maps a chunk to its terms, each followed by a blank, for one language."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._terms = chunk_terms(code)

    def compute(self, chunk: bytes) -> str:
        return "".join(f"{term} " for term in self._terms[chunk])


@lru_cache(maxsize=16)
def _spaced(code: str) -> _Spaced:
    return _Spaced(code)
