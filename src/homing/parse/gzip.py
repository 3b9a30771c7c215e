"""Unpack sitemaps that are gzip files, in small pieces and up to a maximum size."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

MAX_BYTES = 50 * 1024 * 1024
"""Maximum unpacked size: the sitemap protocol's own for one file."""

_CHUNK = 65_536


def unpacked(body: bytes) -> Iterator[bytes]:
    """Yield the body in chunks, unpacked if it is a gzip file; of a broken one, up to the damage.

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
