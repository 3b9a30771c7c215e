"""The encodings of the web: those of the WHATWG's Encoding standard, and no other codec of Python's.

A label comes from outside: a header, a meta element, the ``charset`` of a record. Python has codecs that take
the square of a text's length (``punycode``, ``idna``) and some that are none (``unicode_escape``). So every
such label passes through here.

The standard's labels come from resiliparse, which maps them to Python's codecs. It takes the narrow codec
where the standard means its superset (``gbk`` for GB 18030, ``shift_jis`` for Windows-31J), so these are
ours.
"""

from __future__ import annotations

import codecs
from functools import lru_cache

from resiliparse.parse.encoding import map_encoding_to_html5  # type: ignore[import-untyped]

FALLBACK = "cp1252"

_WIDER = {
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "iso8859-11": "cp874",
}
"""Codecs of the standard that have more characters than those of the same name in Python."""

_OWN_LABELS = {
    "x-user-defined": FALLBACK,
    "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-ukrainian": "mac_cyrillic",
    # The standard decodes these to one replacement character, because bytes that look harmless in them
    # can spell tags. As ASCII nothing can be hidden and links are still found.
    "replacement": "ascii",
    "hz-gb-2312": "ascii",
    "csiso2022kr": "ascii",
    "iso-2022-cn": "ascii",
    "iso-2022-cn-ext": "ascii",
    "iso-2022-kr": "ascii",
}


@lru_cache(maxsize=256)
def codec_of(label: str) -> str | None:
    """Return the codec for a label of the standard; ``None`` for all others, UTF-7 among them.

    >>> codec_of("Shift_JIS"), codec_of("punycode")
    ('cp932', None)
    """
    label = label.strip().lower()
    if label in _OWN_LABELS:
        return _OWN_LABELS[label]
    codec = map_encoding_to_html5(label, fallback_utf8=False)
    return None if codec is None else _WIDER.get(codec, codec)


def own_codec_of(label: str) -> str | None:
    """Return Python's codec of that name, or another name of it, if the standard has the encoding.

    It is for files that Python wrote: as the label says, and not as browsers read it.

    >>> own_codec_of("latin-1"), own_codec_of("gbk"), own_codec_of("idna")
    ('iso8859-1', 'gbk', None)
    """
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return None
    return name if codec_of(label) or codec_of(name) else None
