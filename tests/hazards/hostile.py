"""Replies that never end, or grow without bound: hostile hosts for tests and benchmarks."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import zstandard

MIB = 1024 * 1024
_ZEROS = bytes(100 * MIB)
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "gzip": ("gzip", lambda: gzip.compress(_ZEROS, 1)),
    "deflate": ("deflate", lambda: zlib.compress(_ZEROS, 1)),
    "brotli": ("br", lambda: bytes(brotli.compress(_ZEROS, quality=1))),
    "zstd": ("zstd", lambda: zstandard.ZstdCompressor(1).compress(_ZEROS)),
    "nested": ("gzip, gzip", lambda: gzip.compress(gzip.compress(_ZEROS, 1), 9)),
    "members": ("gzip", lambda: gzip.compress(b"") * 100_000),
}
"""Content encoding and body."""


async def endless_body(writer: asyncio.StreamWriter) -> None:
    writer.write(_OK + b"\r\n")
    await _repeat(writer, b"x" * 65_536)


async def endless_chunks(writer: asyncio.StreamWriter) -> None:
    writer.write(_OK + b"Transfer-Encoding: chunked\r\n\r\n")
    await _repeat(writer, b"1\r\nx\r\n" * 1_000)


async def endless_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(_OK)
    await _repeat(writer, b"X-Again: and again\r\n" * 100)


async def dripping_body(writer: asyncio.StreamWriter, every: float = 0.05) -> None:
    writer.write(_OK + b"Content-Length: 100000\r\n\r\n")
    await _repeat(writer, b"x", every)


async def dripping_headers(writer: asyncio.StreamWriter, every: float = 0.05) -> None:
    writer.write(_OK)
    await _repeat(writer, b"X: y\r\n", every)


async def silence(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3_600)


async def _repeat(writer: asyncio.StreamWriter, data: bytes, every: float = 0.0) -> None:
    while not writer.is_closing():
        writer.write(data)
        await writer.drain()
        await asyncio.sleep(every)
