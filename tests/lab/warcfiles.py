"""WARC files made by hand, whole and damaged."""

from __future__ import annotations

import gzip
from random import Random

import zstandard


def warc_record(kind: str, url: str, block: bytes, *fields: str, length: int | None = None) -> bytes:
    """A record; ``length`` is what it says of itself if that is not true."""
    lines = ["WARC/1.0", f"WARC-Type: {kind}", "WARC-Date: 2020-01-02T03:04:05Z", *fields]
    if url:
        lines.append(f"WARC-Target-URI: {url}")
    lines.append(f"Content-Length: {len(block) if length is None else length}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def response(url: str, body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """A record of what a host answered."""
    return warc_record("response", url, http(body, *headers, status=status))


def http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def pages(count: int) -> list[bytes]:
    """Records of small pages, /0 and on, that cannot be packed much."""
    return [
        response(
            f"http://a.example/{number}", b"<title>%d</title>" % number + Random(number).randbytes(3_000)
        )
        for number in range(count)
    ]


def gzipped(records: list[bytes]) -> list[bytes]:
    """Each record a gzip member."""
    return [gzip.compress(record, 9, mtime=0) for record in records]


def zstd(record: bytes) -> bytes:
    """A frame that notices damage."""
    return zstandard.ZstdCompressor(write_checksum=True).compress(record)


def zstd_with_dictionary(records: list[bytes]) -> bytes:
    """As archive teams do it: the dictionary in a frame of its own in front."""
    data = records[0]
    dictionary = zstandard.ZstdCompressionDict(data, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
    pack = zstandard.ZstdCompressor(dict_data=dictionary, write_checksum=True).compress
    return b"\x5d\x2a\x4d\x18" + len(data).to_bytes(4, "little") + data + b"".join(map(pack, records))
