"""Read and unpack foreign data, at most this much of it.

A file of 430 kB can unpack to 6 GB. Whatever unpacks files, or parts of them, does it here, so that its
memory is bounded by a limit which the caller names, and its time by the ratio below. Replies from the web are
unpacked while they arrive and have caps of their own (``fetch/decode.py``).

A limit that is exceeded is a ``TooLargeError``, damage a ``ValueError``; the caller knows which file that is.
"""

from __future__ import annotations

import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import zstandard

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

MAX_RATIO = 250
"""How many times larger than its packed form anything may become, once it is large: as for replies from the
web. Text packs to a tenth of its size, pages of one template to a fiftieth."""
MAX_WINDOW = 128 * 1024 * 1024
"""Memory that unpacking itself may take: what ``zstd --long`` needs, and twice as much as ``xz -9``."""

GZIP, XZ, ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
"""First bytes of packed files."""

_PIECE = 64 * 1024
"""Bytes unpacked at a time."""
Read = Callable[[int], bytes]

_DAMAGE = (EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError, gzip.BadGzipFile)


class TooLargeError(ValueError):
    """Data is larger than anything of its kind."""


def allowance(packed: int, *, freely: int) -> int:
    """Return how many bytes so many packed ones may become: ``freely`` whatever the ratio, more within it."""
    return max(freely, packed * MAX_RATIO)


def read_at_most(path: Path, most: int) -> bytes:
    """Return the content of a file; a larger one, or a device without an end, is refused."""
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise TooLargeError(f"it is larger than {worded(most)}")
    return content


def text_at_most(path: Path, most: int) -> str:
    """Return the text of a file in UTF-8, with any byte order mark and any kind of line ends."""
    return io.StringIO(read_at_most(path, most).decode("utf-8-sig"), newline=None).read()


def inflate(packed: bytes, *, most: int) -> bytes:
    """Return what was packed by zlib.

    >>> import zlib
    >>> inflate(zlib.compress(b"moths"), most=5)
    b'moths'
    >>> inflate(zlib.compress(b"moths" * 1000), most=5)
    Traceback (most recent call last):
    homing.bounded.TooLargeError: it unpacks to more than 5 bytes
    """
    stream = zlib.decompressobj()
    try:
        unpacked = stream.decompress(packed, most + 1)
    except zlib.error as error:
        raise ValueError(f"it cannot be unpacked: {error}") from None
    if len(unpacked) > most:
        raise TooLargeError(f"it unpacks to more than {worded(most)}")
    if not stream.eof:
        raise ValueError("it cannot be unpacked: it is cut short")
    return unpacked


class Members:
    """The gzip members of a file from where it stands, one after another."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._rest = b""

    @property
    def place(self) -> int:
        """Where the next member begins."""
        return self._file.tell() - len(self._rest)

    def take(self, most: int) -> bytes:
        """Return the content of the next member; one that is damaged or cut short is a ``ValueError``."""
        content = io.BytesIO()
        stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while not stream.eof:
            packed = self._rest or self._file.read(_PIECE)
            if not packed:
                raise ValueError("it is cut short")
            try:
                content.write(stream.decompress(packed, most + 1 - content.tell()))
            except zlib.error as error:
                raise ValueError(str(error)) from None
            if content.tell() > most:
                raise TooLargeError(f"it unpacks to more than {worded(most)}")
            self._rest = stream.unused_data or stream.unconsumed_tail
        return content.getvalue()


class Unzstd:
    """Unpacks single frames of zstd, each of which says how large it is."""

    def __init__(self) -> None:
        self._decompress = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompress

    def __call__(self, packed: bytes, *, most: int) -> bytes:
        try:
            size = zstandard.frame_content_size(packed)
            if size > most:
                raise TooLargeError(f"it unpacks to more than {worded(most)}")
            # A frame that does not say its size is one of another program: it gets no more than the limit.
            return self._decompress(packed, max_output_size=most if size < 0 else 0)
        except zstandard.ZstdError as error:
            raise ValueError(f"it cannot be unpacked: {error}") from None


def lines_of(file: BinaryIO, *, longest: int, freely: int) -> Iterator[bytes]:
    """Yield the lines of a file, packed by gzip, xz, zstd or not at all, by its first bytes.

    Parameters
    ----------
    longest
        Bytes of a line.
    freely
        Bytes to which a packed file may grow whatever its ratio.
    """
    magic = file.read(len(XZ))
    packed = file.seek(0, io.SEEK_END) if file.seekable() else 0
    file.seek(0)
    read = _unpacking(file, magic)
    most = allowance(packed, freely=freely)
    lines = file if read is None else io.BufferedReader(_Measured(read, most))
    try:
        while line := lines.readline(longest + 1):
            if len(line) > longest:
                raise TooLargeError(f"a line of it is longer than {worded(longest)}")
            yield line
    except _DAMAGE as error:
        raise ValueError(str(error)) from None


def worded(size: int) -> str:
    """Return a size for people.

    >>> worded(5), worded(64 * 1024 * 1024)
    ('5 bytes', '64 MB')
    """
    return f"{size:,} bytes" if size < 2**20 else f"{size >> 20:,} MB"


def _unpacking(file: BinaryIO, magic: bytes) -> Read | None:
    """Return what reads the unpacked bytes; ``None`` if the file is not packed."""
    if magic.startswith(GZIP):
        return gzip.GzipFile(fileobj=file).read
    if magic.startswith(XZ):
        return _Xz(file).read
    if magic.startswith(ZSTD):
        reader = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
        return reader.stream_reader(file, read_across_frames=True).read
    return None


class _Xz:
    """Unpacks xz within a bounded memory: the standard library's files take as much as the header demands."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_WINDOW)

    def read(self, most: int) -> bytes:
        """Return up to so many bytes; none at the end of the file."""
        while True:
            if self._stream.eof:  # another stream may follow, behind zeros
                rest = self._stream.unused_data.lstrip(b"\x00")
                while not rest and (piece := self._file.read(_PIECE)):
                    rest = piece.lstrip(b"\x00")
                if not rest:
                    return b""
                self._stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_WINDOW)
            else:
                rest = self._file.read(_PIECE) if self._stream.needs_input else b""
                if self._stream.needs_input and not rest:
                    raise EOFError("it ends in the middle of what was packed")
            if unpacked := self._stream.decompress(rest, most):
                return unpacked


class _Measured(io.RawIOBase):
    """Unpacked bytes as a file, up to a limit."""

    def __init__(self, read: Read, most: int) -> None:
        self._read = read
        self._left = self._most = most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer).cast("B")
        piece = self._read(min(len(view), _PIECE))
        self._left -= len(piece)
        if self._left < 0:
            raise TooLargeError(f"it unpacks to more than {worded(self._most)}")
        view[: len(piece)] = piece
        return len(piece)
