"""Undo content encodings in small steps, so that they can be stopped.

A few bytes can decode to gigabytes, encodings can be nested, and gzip members can be empty by the
hundred thousand. So nothing is ever decoded as a whole: each encoding is a layer that writes pieces of
at most 64 KiB into the next one, and the body behind the last one stops all of them as soon as a cap is
reached. Memory is bounded by the body that is kept, one piece a layer, and the layers' own windows.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from typing import IO, Protocol, cast

import brotli  # type: ignore[import-untyped]  # ships no types; what we use of it is _BrotliStream
import zstandard

from homing.fetch.settings import Caps

PIECE = 65_536
"""Most bytes written at once."""
_MAX_LAYERS = 5
_ZSTD_WINDOW = 8 * 1024 * 1024
"""The largest window that a zstd body on the web may require (RFC 9659)."""

GZIP_MAGIC = b"\x1f\x8b"
ACCEPTED = "gzip, deflate, br, zstd"
"""The ``Accept-Encoding`` header."""

BROKEN = (zlib.error, brotli.error, zstandard.ZstdError)
"""Errors of bytes that are not what the encoding says."""

Write = Callable[[bytes], object]


class FullError(Exception):
    """No more is wanted: a cap is reached."""


def decoder_of(content_encoding: str, caps: Caps) -> Decoder | None:
    """Return a decoder for a ``Content-Encoding``; ``None`` if there is nothing to undo."""
    parts = [part.strip() for part in content_encoding.lower().split(",")]
    names = [name for name in parts if name not in ("", "identity")]
    if len(names) > _MAX_LAYERS or any(name not in _LAYERS for name in names):
        # An unknown encoding ("utf-8" is frequent) is most often none.
        return None
    decoder: Decoder | None = None
    # They are listed in the order in which they were applied: the last one is undone first.
    for name in names:
        outer = _LAYERS[name](caps)
        decoder = _Nested(outer, decoder) if decoder else outer
    return decoder


class Decoder(Protocol):
    """Undoes an encoding.

    Each call says where to write to. If a decoder kept a reference to its body, that cycle would keep every
    body in memory until the garbage collector runs.
    """

    def write(self, data: bytes, out: Write) -> None: ...


class _Nested:
    """Two layers: what comes out of the outer one goes through the inner one."""

    def __init__(self, outer: Decoder, inner: Decoder) -> None:
        self._outer = outer
        self._inner = inner

    def write(self, data: bytes, out: Write) -> None:
        self._outer.write(data, partial(self._inner.write, out=out))


class _Gzip:
    """Gzip, of one member or many."""

    def __init__(self, caps: Caps) -> None:
        self._members_left = caps.max_members
        self._stream = zlib.decompressobj(wbits=31)
        self._between_members = False
        self._done = False

    def write(self, data: bytes, out: Write) -> None:
        while data and not self._done:
            if self._between_members and not data.startswith(GZIP_MAGIC[: len(data)]):
                # Padding after the last member is common and harmless.
                self._done = True
                return
            _inflate(self._stream, data, out)
            self._between_members = self._stream.eof
            if not self._stream.eof:
                return
            self._members_left -= 1
            if self._members_left <= 0:
                raise FullError
            data = self._stream.unused_data
            self._stream = zlib.decompressobj(wbits=31)


class _Deflate:
    """Deflate: by the standard with zlib's two bytes in front, by habit of some servers without."""

    def __init__(self, caps: Caps) -> None:
        self._stream: zlib._Decompress | None = None
        self._head = b""

    def write(self, data: bytes, out: Write) -> None:
        if self._stream is None:
            data = self._head = self._head + data
            if len(data) < 2:
                return
            looks_like_zlib = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(wbits=15 if looks_like_zlib else -15)
        _inflate(self._stream, data, out)


class _Brotli:
    """Brotli."""

    def __init__(self, caps: Caps) -> None:
        self._stream: _BrotliStream = brotli.Decompressor()

    def write(self, data: bytes, out: Write) -> None:
        while not self._stream.is_finished():
            piece = self._stream.process(data, output_buffer_limit=PIECE)
            if not piece:
                return
            out(piece)
            data = b""


class _Zstd:
    """Zstandard, of one frame or many."""

    def __init__(self, caps: Caps) -> None:
        reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._pipe = _Pipe()
        pipe = cast(IO[bytes], self._pipe)
        self._stream = reader.stream_writer(pipe, write_size=PIECE, closefd=False)

    def write(self, data: bytes, out: Write) -> None:
        self._pipe.out = out
        try:
            self._stream.write(data)
        finally:
            self._pipe.out = None


class _BrotliStream(Protocol):
    def is_finished(self) -> bool: ...
    def process(self, data: bytes, *, output_buffer_limit: int) -> bytes: ...


class _Pipe:
    """The part of a file that zstandard writes to."""

    out: Write | None = None

    def write(self, piece: bytes) -> int:
        if self.out:
            self.out(piece)
        return len(piece)


def _inflate(stream: zlib._Decompress, data: bytes, out: Write) -> None:
    # After its end a stream still counts what follows as input it has not consumed.
    while not stream.eof:
        piece = stream.decompress(data, PIECE)
        if piece:
            out(piece)
        data = stream.unconsumed_tail
        # A full piece may have left output behind inside zlib even where all input is used up.
        if not data and len(piece) < PIECE:
            return


_LAYERS: dict[str, Callable[[Caps], Decoder]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _Zstd,
}
