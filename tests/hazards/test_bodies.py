"""Bodies that grow without bound, or never end.

Expected: streaming decode with caps on output, ratio and members; what is cut says so in the catalog and as
``WARC-Truncated``. Memory rises by less than 50 MB for the decoder (tests/fetch/test_decode.py) and by less
than eight times the largest body for the crawl around it, whatever the bomb holds. Limits on bytes, first
byte, total time and minimum rate; the slot is freed, the host rests, and other hosts are not slowed. Caps one
by one: tests/fetch/test_decode.py; limits one by one: tests/fetch/test_exchange.py.
"""

import asyncio
import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest
import zstandard
from fastwarc.warc import ArchiveIterator, WarcRecordType
from tests.hazards.hosts import Hosts, http, page

MIB = 1024 * 1024
ZEROS = bytes(100 * MIB)


def _nested() -> bytes:
    return gzip.compress(gzip.compress(ZEROS, 1), 9)


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "gzip": ("gzip", lambda: gzip.compress(ZEROS, 1)),
    "deflate": ("deflate", lambda: zlib.compress(ZEROS, 1)),
    "brotli": ("br", lambda: bytes(brotli.compress(ZEROS, quality=1))),
    "zstd": ("zstd", lambda: zstandard.ZstdCompressor(1).compress(ZEROS)),
    "nested": ("gzip, gzip", _nested),
    "members": ("gzip", lambda: gzip.compress(b"") * 100_000),
}


def peak_memory() -> int:
    """Bytes of memory in use at most since ``forget_peak``."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def truncated(folder: Path) -> dict[str, str]:
    """What the archive says of replies that were cut."""
    said = {}
    for path in sorted(folder.glob("**/*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                if reason := record.headers.get("WARC-Truncated"):
                    said[str(record.headers["WARC-Target-URI"])] = reason
    return said


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured by Linux")
def test_bombs_are_cut_say_so_and_cost_little_memory(hosts: Hosts) -> None:
    for name, (encoding, make) in BOMBS.items():
        hosts[f"http://{name}.example/"] = http(make(), Content_Encoding=encoding)
    hosts["http://good.example/"] = page()
    bombs = [f"http://{name}.example/" for name in BOMBS]
    hosts.crawl("http://good.example/")  # whatever any crawl needs is loaded
    forget_peak()
    before = peak_memory()
    hosts.crawl(*bombs, "http://good.example/", fetch={"concurrency": 1})
    assert peak_memory() - before < 8 * 10 * MIB
    assert hosts.pages().keys() == {*bombs, "http://good.example/"}
    assert truncated(hosts.folder) == dict.fromkeys(bombs, "length")
    assert max(len(hosts.body(url)) for url in bombs) <= 10 * MIB
    assert hosts.longest_stall < 0.1


async def endless_body(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x" * 65_536)
        await writer.drain()


async def endless_chunks(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"1\r\nx\r\n" * 1_000)
        await writer.drain()


async def dripping_body(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def dripping_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while not writer.is_closing():
        writer.write(b"X: y\r\n")
        await writer.drain()
        await asyncio.sleep(0.05)


async def silence(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


ENDLESS = {
    "endless-body": (endless_body, ""),
    "endless-chunks": (endless_chunks, ""),
    "dripping-body": (dripping_body, "timeout"),
    "dripping-headers": (dripping_headers, "timeout"),
    "silent": (silence, "timeout"),
}


def test_hosts_without_end_free_their_slots_rest_and_do_not_slow_the_others(hosts: Hosts) -> None:
    for name, (answer, _) in ENDLESS.items():
        hosts[f"http://{name}.example/robots.txt"] = http(status=404)
        hosts[f"{name}.example"] = answer
    for number in range(40):
        hosts[f"http://good.example/{number}"] = page(f"/{number + 1}")
    bad = {name: [f"http://{name}.example/{number}" for number in range(2)] for name in ENDLESS}
    seeds = [url for urls in bad.values() for url in urls]
    limits = {"max_bytes": 100_000, "first_byte_seconds": 1.5, "total_seconds": 1.5, "concurrency": 6}
    hosts.crawl(*seeds, "http://good.example/0", scope={"max_depth": 39}, fetch=limits)
    for name, (_, kind) in ENDLESS.items():
        assert [hosts.kind(url) for url in bad[name]] == [kind, kind]
        first, second = (
            request.began for request in hosts.requests(f"{name}.example") if request.url in bad[name]
        )
        assert kind == "" or second - first >= 1.54  # its time, and the rest after a failure
    good = [request.began for request in hosts.requests("good.example")]
    assert len(good) == 41
    assert max(good) - min(good) < 1.5, "all of it came while the others were still being waited for"
    cut = [url for name in ("endless-body", "endless-chunks") for url in bad[name]]
    assert truncated(hosts.folder) == dict.fromkeys(cut, "length")
    assert {len(hosts.body(url)) for url in cut} == {100_000}
