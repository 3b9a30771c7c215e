"""Decode bytes to text in the order of the WHATWG: byte order mark, Content-Type, meta element, guess.

resiliparse reads no header and looks into comments for a meta element, so the order is ours. Which labels
count is in ``homing.text.encodings``.

https://html.spec.whatwg.org/#determining-the-character-encoding
"""

from __future__ import annotations

import re

from resiliparse.parse.encoding import detect_encoding  # type: ignore[import-untyped]

from homing.parse.tag_grammar import ATTRIBUTE, TAG
from homing.text.encodings import FALLBACK, codec_of

PRESCAN = 10_240
"""Bytes within which a page must name its encoding: ten times the standard's, as browsers, too, accept a late
meta element."""

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))

_HEADER = re.compile(r"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"',]+))""", re.IGNORECASE)
_XML = re.compile(r"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']{1,40})["']""")


def decode(body: bytes, content_type: str = "") -> str:
    """Return the text of a body. Bytes that are invalid in its encoding become U+FFFD.

    >>> decode("ça va".encode("latin-1"), "text/html; charset=iso-8859-1")
    'ça va'
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    return body.decode(encoding_of(body, content_type), "replace")


def encoding_of(body: bytes, content_type: str = "") -> str:
    """Return the Python codec of a body.

    >>> encoding_of(b'<!-- <meta charset=koi8-r> --><meta charset="Shift_JIS">')
    'cp932'
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return codec
    return _from_header(content_type) or _from_markup(body) or _guess(body)


def _from_header(content_type: str) -> str | None:
    match = _HEADER.search(content_type)
    return codec_of(next(filter(None, match.groups()), "")) if match else None


def _from_markup(body: bytes) -> str | None:
    """Return the codec that the XML declaration or the first meta element with an encoding names."""
    head = body[:PRESCAN].decode("latin-1")
    if (declared := _XML.match(head.lstrip())) and (codec := codec_of(declared[1])):
        return _readable(codec)
    # Every meta element that names an encoding has this word; looking for it is far cheaper than for tags.
    if "charset" not in head.lower():
        return None
    for tag in TAG.finditer(head):
        is_meta = (tag["name"] or "").lower() == "meta" and not tag["slash"] and tag[0].endswith(">")
        if is_meta and (codec := _from_meta(tag["attributes"])):
            return _readable(codec)
    return None


def _from_meta(markup: str) -> str | None:
    """Return the codec that a meta element names, by ``charset`` or by ``http-equiv`` and ``content``."""
    attributes: dict[str, str] = {}
    for name, value in ATTRIBUTE.findall(markup):
        attributes.setdefault(name.lower(), value[1:-1] if value[:1] in {'"', "'"} else value)
    label = attributes.get("charset")
    if label is None and attributes.get("http-equiv", "").lower() == "content-type":
        return _from_header(attributes.get("content", ""))
    return codec_of(label) if label else None


def _readable(codec: str) -> str:
    """Return UTF-8 for UTF-16: a meta element that was read as ASCII cannot be UTF-16."""
    return "utf-8" if codec.startswith("utf-16") else codec


def _guess(body: bytes) -> str:
    """Return UTF-8 if all bytes are valid UTF-8, else the codec that they look like."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body cut at its limit may end within a letter; the rest is still UTF-8.
        if error.start >= len(body) - 3:
            return "utf-8"
        return codec_of(detect_encoding(body, html5_compatible=False) or "") or FALLBACK
    return "utf-8"
