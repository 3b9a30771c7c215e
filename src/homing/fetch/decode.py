"""Undo content encodings in small steps, under caps.

A few bytes can decode to gigabytes, encodings can be nested, and gzip members can be empty by the
hundred thousand. So nothing is ever decoded as a whole: each encoding is a layer that writes pieces of
at most 64 KiB into the next one, and the last one stops all of them as soon as a cap is reached. Memory is
bounded by the body that is kept, one piece a layer, and the layers' own windows.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Protocol, cast

import brotli  # type: ignore[import-untyped]  # ships no types; what we use of it is _BrotliStream
import zstandard

_PIECE = 65_536
_RATIO_COUNTS_FROM = 1024 * 1024
_MAX_LAYERS = 5
_ZSTD_WINDOW = 8 * 1024 * 1024
"""The largest window that RFC 9659 lets a zstd body on the web ask for."""

GZIP_MAGIC = b"\x1f\x8b"
ACCEPTED = "gzip, deflate, br, zstd"
"""The ``Accept-Encoding`` header."""

_BROKEN = (zlib.error, brotli.error, zstandard.ZstdError)

Write = Callable[[bytes], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """How far a body may grow."""

    max_bytes: int = 10 * 1024 * 1024
    max_ratio: int = 250
    max_members: int = 1_000


class Body:
    """A body as it arrives: feed it encoded bytes, then take the decoded ones.

    >>> body = Body("gzip", Caps(max_bytes=5))
    >>> body.feed(zlib.compress(b"butterfly", wbits=31))
    False
    >>> body.take(), body.truncated
    (b'butte', 'length')
    """

    def __init__(self, content_encoding: str, caps: Caps) -> None:
        self.truncated = ""
        """Why the body is not whole, in WARC's terms; empty if it is, as far as we can see."""
        self._pile = _Pile(caps)
        self._write = _chain(content_encoding, self._pile, caps)
        self._max_bytes = caps.max_bytes

    @property
    def received(self) -> int:
        """Bytes received over the network."""
        return self._pile.received

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._pile.size

    def feed(self, data: bytes) -> bool:
        """Decode these bytes; return whether more are wanted."""
        pile = self._pile
        pile.received += len(data)
        try:
            try:
                self._write(data)
            except _BROKEN:
                if pile.size or pile.received > len(data):
                    self.truncated = "unspecified"
                else:
                    # Broken from the first byte on: it never was encoded, whatever the header says.
                    self._write = pile.add
                    pile.add(data)
        except _FullError:
            self.truncated = "length"
        # Encoded bytes that decode to nothing must not come forever either.
        if not self.truncated and pile.received > self._max_bytes + _PIECE:
            self.truncated = "length"
        return not self.truncated

    def take(self) -> bytes:
        return self._pile.kept.getvalue()


def gunzip(data: bytes, caps: Caps) -> tuple[bytes, str]:
    """Unpack a gzip file such as ``sitemap.xml.gz`` under caps; return it and why it is not whole, if so."""
    body = Body("gzip", caps)
    body.feed(data)
    return body.take(), body.truncated


class _FullError(Exception):
    """No more is wanted: a cap is reached."""


class _Pile:
    """The decoded pieces. It has no reference to the layers that write to it: a cycle would keep each body
    in memory until the garbage collector runs."""

    def __init__(self, caps: Caps) -> None:
        self.kept = BytesIO()
        """Grows in place: joined from pieces, a body would be in memory twice."""
        self.size = 0
        self.received = 0
        self._caps = caps

    def add(self, piece: bytes) -> None:
        kept = piece[: self._caps.max_bytes - self.size]
        self.kept.write(kept)
        self.size += len(kept)
        too_large = len(kept) < len(piece)
        if too_large or self.size > max(_RATIO_COUNTS_FROM, self.received * self._caps.max_ratio):
            raise _FullError


def _chain(content_encoding: str, pile: _Pile, caps: Caps) -> Write:
    """Return the ``write`` of the first of the layers that undo a ``Content-Encoding``."""
    parts = (part.strip() for part in content_encoding.lower().split(","))
    names = [name for name in parts if name not in ("", "identity")]
    if len(names) > _MAX_LAYERS or any(name not in _LAYERS for name in names):
        # An unknown encoding ("utf-8" is frequent) is most often none.
        return pile.add
    write: Write = pile.add
    # They are listed in the order in which they were applied: the last one is undone first.
    for name in names:
        write = _LAYERS[name](write, caps).write
    return write


class _Layer(Protocol):
    def __init__(self, out: Write, caps: Caps) -> None: ...
    def write(self, data: bytes) -> object: ...


class _Gzip:
    """Gzip, of one member or many."""

    def __init__(self, out: Write, caps: Caps) -> None:
        self._out = out
        self._members_left = caps.max_members
        self._stream = zlib.decompressobj(wbits=31)
        self._between_members = False
        self._done = False

    def write(self, data: bytes) -> None:
        while data and not self._done:
            if self._between_members and not data.startswith(GZIP_MAGIC[: len(data)]):
                # Padding after the last member is common and harmless.
                self._done = True
                return
            _inflate(self._stream, data, self._out)
            self._between_members = self._stream.eof
            if not self._stream.eof:
                return
            self._members_left -= 1
            if self._members_left <= 0:
                raise _FullError
            data = self._stream.unused_data
            self._stream = zlib.decompressobj(wbits=31)


class _Deflate:
    """Deflate: by the standard with zlib's two bytes in front, by habit of some servers without."""

    def __init__(self, out: Write, caps: Caps) -> None:
        self._out = out
        self._stream: zlib._Decompress | None = None
        self._head = b""

    def write(self, data: bytes) -> None:
        if self._stream is None:
            data = self._head = self._head + data
            if len(data) < 2:
                return
            looks_like_zlib = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(wbits=15 if looks_like_zlib else -15)
        _inflate(self._stream, data, self._out)


class _Brotli:
    """Brotli."""

    def __init__(self, out: Write, caps: Caps) -> None:
        self._out = out
        self._stream = brotli.Decompressor()

    def write(self, data: bytes) -> None:
        if self._stream.is_finished():
            return
        piece = self._stream.process(data, output_buffer_limit=_PIECE)
        while piece:
            self._out(piece)
            piece = (
                b"" if self._stream.is_finished() else self._stream.process(b"", output_buffer_limit=_PIECE)
            )


class _Zstd:
    """Zstandard, of one frame or many."""

    def __init__(self, out: Write, caps: Caps) -> None:
        reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        pipe = cast(IO[bytes], _Pipe(out))
        self._stream = reader.stream_writer(pipe, write_size=_PIECE, closefd=False)

    def write(self, data: bytes) -> None:
        self._stream.write(data)


class _BrotliStream(Protocol):
    def is_finished(self) -> bool: ...
    def process(self, data: bytes, *, output_buffer_limit: int) -> bytes: ...


class _Pipe:
    """The part of a file that zstandard writes to."""

    def __init__(self, out: Write) -> None:
        self._out = out

    def write(self, piece: bytes) -> int:
        self._out(piece)
        return len(piece)


def _inflate(stream: zlib._Decompress, data: bytes, out: Write) -> None:
    # After its end a stream still counts what follows as input it has not consumed.
    while not stream.eof:
        piece = stream.decompress(data, _PIECE)
        if piece:
            out(piece)
        data = stream.unconsumed_tail
        # A full piece may have left output behind inside zlib even where all input is used up.
        if not data and len(piece) < _PIECE:
            return


_LAYERS: dict[str, type[_Layer]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _Zstd,
}
