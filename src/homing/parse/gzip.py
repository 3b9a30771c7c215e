"""Sitemaps often come as gzip files; these are unpacked in small pieces, and not without end."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

MAX_BYTES = 50 * 1024 * 1024
"""Unpacked; what the sitemap protocol allows one file to have."""

_CHUNK = 65_536


def unpacked(body: bytes) -> Iterator[bytes]:
    """The body in chunks, unpacked if it is a gzip file; of a broken one, what comes before the damage.

    >>> b"".join(unpacked(b"moths"))
    b'moths'
    """
    if not body.startswith(b"\x1f\x8b"):
        for start in range(0, min(len(body), MAX_BYTES), _CHUNK):
            yield body[start : start + _CHUNK]
        return
    unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    given = 0
    try:
        while given < MAX_BYTES and (chunk := unpack.decompress(body, _CHUNK)):
            given += len(chunk)
            body = unpack.unconsumed_tail
            yield chunk
    except zlib.error:
        return
