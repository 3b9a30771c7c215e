"""The media type of a body, by its Content-Type and, where that is missing or wrong, by its first bytes.

https://mimesniff.spec.whatwg.org/ is what browsers do; this is the part of it that matters to a crawler.
"""

from __future__ import annotations

import re
from enum import Enum, auto


class Media(Enum):
    """The types that can be read, and ``OTHER``."""

    HTML = auto()
    FEED = auto()
    SITEMAP = auto()
    TEXT = auto()
    PDF = auto()
    OTHER = auto()


_SNIFFED = 2_048
_UNKNOWN = frozenset({"", "application/octet-stream", "binary/octet-stream", "unknown/unknown", "*/*"})

_OTHER_SIGNATURES = (
    b"\x89PNG\r\n",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"RIFF",
    b"OggS",
    b"ID3",
    b"7z\xbc\xaf",
    b"\x7fELF",
    b"wOF",
)

_ROOTS = {
    "rss": Media.FEED,
    "feed": Media.FEED,
    "rdf": Media.FEED,
    "urlset": Media.SITEMAP,
    "sitemapindex": Media.SITEMAP,
    "html": Media.HTML,
}

# Declarations, comments, the document type with its own subset; then the root element and its prefix.
_ROOT = re.compile(
    rb"""(?:\s++|<\?.*?\?>|<!--.*?-->|<!doctype(?:[^\[>]|\[.*?\]\s*(?=>))*+>)*+<(?:[a-z][\w.-]*:)?([a-z][\w.-]*+)""",
    re.IGNORECASE | re.DOTALL,
)
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def media_of(content_type: str, body: bytes) -> Media:
    """Return the media type of a body.

    >>> media_of("text/html; charset=utf-8", b"<p>x").name, media_of("", b"%PDF-1.7 ...").name
    ('HTML', 'PDF')
    >>> media_of("text/html", b"<?xml version='1.0'?><rss><channel/></rss>").name
    'FEED'
    """
    label = content_type.partition(";")[0].strip().lower()
    head = body[:_SNIFFED]
    if label in _UNKNOWN:
        return _sniff(head)
    if label == "application/pdf":
        return Media.PDF
    if label in {"text/html", "application/xhtml+xml"}:
        return _by_signature(head) or _by_root(head) or Media.HTML
    if label in {"text/xml", "application/xml"} or label.endswith("+xml"):
        return _by_root(head) or Media.OTHER
    if label == "text/plain":
        return _by_signature(head) or Media.TEXT
    return Media.OTHER


def _sniff(head: bytes) -> Media:
    if known := _by_signature(head) or _by_root(head):
        return known
    if head.startswith((b"\xfe\xff", b"\xff\xfe")):
        return Media.TEXT
    if _BINARY.search(head):
        return Media.OTHER
    return Media.HTML if re.search(rb"<[a-zA-Z!/]", head) else Media.TEXT


def _by_signature(head: bytes) -> Media | None:
    if head.startswith(b"%PDF-"):
        return Media.PDF
    return Media.OTHER if head.startswith(_OTHER_SIGNATURES) else None


def _by_root(head: bytes) -> Media | None:
    """Return the type by the root element, if that is a known one."""
    if head.startswith((b"\xfe\xff", b"\xff\xfe")):
        head = head.decode("utf-16", "replace").encode()
    match = _ROOT.match(head.removeprefix(b"\xef\xbb\xbf"))
    return _ROOTS.get(match[1].decode("ascii").lower()) if match else None
