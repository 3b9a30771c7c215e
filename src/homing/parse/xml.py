"""A tolerant and safe XML parser for feeds and sitemaps, which are often broken and sometimes hostile.

It runs over expat: bare ampersands and the entities of HTML are repaired before expat sees them, and what was
read before the first error is kept. Nothing is ever expanded or fetched: a document that declares an entity
is refused.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html import unescape
from typing import Protocol
from xml.parsers import expat
from xml.sax.saxutils import escape

from homing.parse.charset import encoding_of
from homing.parse.gzip import unpacked

MAX_DEPTH = 100

_DECLARATION = re.compile(r"\A\ufeff?\s*<\?xml[^>]{0,300}\?>")
_AMPERSAND = re.compile(r"&(?:#?\w{1,31};)?")
_XML_ENTITIES = frozenset({"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
_TAIL = re.compile(r"&[#\w]{0,33}\Z")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class Reader(Protocol):
    """Receives elements. Names come in lower case and without prefix."""

    full: bool
    """Whether to stop reading."""

    def start(self, name: str, attributes: dict[str, str], prefix: str) -> None: ...

    def end(self, name: str, text: str) -> None:
        """``text`` is all that stood directly in the element."""


class _RefusedError(Exception):
    """The document declares an entity, or is nested too deeply."""


def read_xml(body: bytes, content_type: str, reader: Reader) -> None:
    """Pass every element to the reader, up to the first error."""
    pull = _Pull(reader)
    try:
        for piece in _repaired(_pieces(body, content_type)):
            pull.feed(piece)
            if reader.full:
                return
        pull.finish()
    except (expat.ExpatError, _RefusedError):
        return


def _pieces(body: bytes, content_type: str) -> Iterator[str]:
    """Yield the text of the body in pieces, unpacked if it is a gzip file."""
    decoder: codecs.IncrementalDecoder | None = None
    for chunk in unpacked(body):
        if decoder is None:
            decoder = codecs.getincrementaldecoder(encoding_of(chunk, content_type))("replace")
        yield decoder.decode(chunk)


def _repaired(pieces: Iterator[str]) -> Iterator[str]:
    """Yield the same text as XML that expat accepts: no declaration, no entity but XML's own five."""
    held = ""
    first = True
    for piece in pieces:
        text = held + piece
        if first:
            text, first = _DECLARATION.sub("", text).lstrip("\ufeff \t\r\n"), False
        tail = _TAIL.search(text[-40:])
        held = tail[0] if tail else ""
        yield _repair(text[: len(text) - len(held)])
    yield _repair(held)


def _repair(text: str) -> str:
    return _AMPERSAND.sub(_repair_entity, _FORBIDDEN.sub("", text)) if text else ""


def _repair_entity(match: re.Match[str]) -> str:
    return match[0] if match[0] in _XML_ENTITIES else escape(unescape(match[0]))


class _Pull:
    """Expat with its dangers switched off."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._texts: list[list[str]] = []
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._refuse

    def feed(self, text: str) -> None:
        self._parser.Parse(text.encode("utf-8", "replace"), False)

    def finish(self) -> None:
        self._parser.Parse(b"", True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._texts) >= MAX_DEPTH:
            raise _RefusedError
        self._texts.append([])
        prefix, _, local = name.lower().rpartition(":")
        self._reader.start(local, attributes, prefix)

    def _end(self, name: str) -> None:
        text = "".join(self._texts.pop()).strip()
        self._reader.end(name.lower().rpartition(":")[2], text)

    def _text(self, text: str) -> None:
        if self._texts:
            self._texts[-1].append(text)

    def _refuse(self, *declaration: object) -> None:
        raise _RefusedError
