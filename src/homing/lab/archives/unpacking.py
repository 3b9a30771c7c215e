"""Unpack files that may be packed, by gzip or zstd, and may be damaged.

Archives are packed a record at a time or as a whole. Either way they are unpacked into pieces in order. Where
a gzip member or a zstd frame is damaged, reading continues at the next one, found by its first bytes. A file
that was packed as a whole has no next one, and everything after the damage is lost.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from io import SEEK_END
from typing import BinaryIO, NamedTuple, Protocol

import zstandard

from homing.bounded import MAX_WINDOW, TooLargeError, Unzstd, allowance, worded

Note = Callable[[int, str], None]
"""Function called with a position in the file, in bytes, and what is wrong there."""

RECORD = b"WARC/"
"""First bytes of a record."""

_GZIP = b"\x1f\x8b\x08"
_ZSTD = b"\x28\xb5\x2f\xfd"
_DICTIONARY = b"\x5d\x2a\x4d\x18"
"""Magic number of the frame at the start of a ``.warc.zst`` file that holds the dictionary of its records."""
_BROKEN = (zlib.error, zstandard.ZstdError, ValueError)
_SLICE = 4096
"""Packed bytes that are unpacked at a time. A damaged member loses up to this many. Those of gzip become
4 MB at most, those of zstd 128 MB."""
FREELY = 1024 * 1024 * 1024
"""Bytes that any file may become. What is larger must not be more than 250 times its packed form."""
_LARGEST_DICTIONARY = 16 * 1024 * 1024
"""Bytes of the dictionary of a ``.warc.zst`` file; they have a few hundred kilobytes."""
_PIECE = 1024 * 1024


class Piece(NamedTuple):
    """A run of bytes."""

    data: bytes
    offset: int
    """Position in the file: of the bytes, or of the packed bytes that they come from."""
    packed: bool = False
    joined: bool = True
    """Whether they directly follow the piece before, without damage in between."""

    def place(self, index: int) -> int:
        """Return the position in the file of the byte with this index, as far as it is known."""
        return self.offset + (0 if self.packed else index)


class _Stream(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def pieces(file: BinaryIO, note: Note) -> Iterator[Piece]:
    """Yield the content of a file, unpacked by its first bytes; note and skip what cannot be read."""
    magic = file.read(4)
    file.seek(0)
    if magic.startswith(_GZIP):
        yield from _members(file, note, _GZIP, lambda: zlib.decompressobj(wbits=31))
    elif magic == _ZSTD:
        yield from _members(
            file, note, _ZSTD, zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompressobj
        )
    elif magic == _DICTIONARY:
        try:
            reader = zstandard.ZstdDecompressor(dict_data=_dictionary(file), max_window_size=MAX_WINDOW)
        except _BROKEN as error:
            note(0, f"the dictionary in front is damaged, and nothing can be unpacked without it ({error})")
            return
        yield from _members(file, note, _ZSTD, reader.decompressobj)
    else:
        while data := file.read(_PIECE):
            yield Piece(data, file.tell() - len(data))


def _members(file: BinaryIO, note: Note, magic: bytes, begin: Callable[[], _Stream]) -> Iterator[Piece]:
    """Unpack one member after another."""
    start, data, joined = file.tell(), b"", True
    left = most = allowance(file.seek(0, SEEK_END), freely=FREELY)
    file.seek(start)
    while data := data or file.read(_SLICE):
        if not data.startswith(magic) and not magic.startswith(data):
            found = _find(file, magic, start)
            if _holds_more_than_zeros(file, start, found):  # padding is harmless
                note(start, "what stands here is not packed as the rest is")
            if found is None:
                return
            start, data = found, b""
            file.seek(start)
            continue
        stream, at = begin(), start
        try:
            while not stream.eof:
                if not (data := data or file.read(_SLICE)):
                    raise EOFError
                unpacked = stream.decompress(data)
                left -= len(unpacked)
                if left < 0:
                    note(start, f"the rest was left out: the file unpacks to more than {worded(most)}")
                    return
                if unpacked:
                    yield Piece(unpacked, at, packed=True, joined=joined)
                    joined = True
                at += len(data)
                data = stream.unused_data
            start = at - len(data)
            continue
        except _BROKEN as error:
            note(start, f"what is packed here is damaged near byte {at} ({error}) and was left out")
        except EOFError:  # or damage in its head makes all that follows seem part of it
            note(start, "the file ends in the middle of what was packed here")
        found = _find_record(file, magic, begin, start + 1)
        if found is None:
            return
        start, data, joined = found, b"", False
        file.seek(start)


def _find_record(file: BinaryIO, magic: bytes, begin: Callable[[], _Stream], start: int) -> int | None:
    """Return the position of the next member with a record: packed bodies look like members, too."""
    while (found := _find(file, magic, start)) is not None:
        file.seek(found)
        stream, head = begin(), b""
        try:
            while not head and not stream.eof and (data := file.read(_SLICE)):
                head = stream.decompress(data)
        except _BROKEN:
            head = b""
        if head.startswith(RECORD):
            return found
        start = found + 1
    return None


def _find(file: BinaryIO, magic: bytes, start: int) -> int | None:
    """Return the next position of these bytes."""
    file.seek(start)
    kept = b""
    while data := file.read(_PIECE):
        found = (kept + data).find(magic)
        if found >= 0:
            return file.tell() - len(data) - len(kept) + found
        kept = (kept + data)[1 - len(magic) :]
    return None


def _holds_more_than_zeros(file: BinaryIO, start: int, end: int | None) -> bool:
    file.seek(start)
    between = file.read(_PIECE if end is None else min(end - start, _PIECE))
    return bool(between.strip(b"\x00\r\n"))


def _dictionary(file: BinaryIO) -> zstandard.ZstdCompressionDict:
    """Read the dictionary at the start; it may be packed itself."""
    head = file.read(8)
    size = struct.unpack("<I", head[4:])[0] if len(head) == 8 else 0
    if size > _LARGEST_DICTIONARY:
        raise TooLargeError(f"it is larger than {worded(_LARGEST_DICTIONARY)}")
    data = file.read(size)
    if data.startswith(_ZSTD):
        data = Unzstd()(data, most=_LARGEST_DICTIONARY)
    return zstandard.ZstdCompressionDict(data)
