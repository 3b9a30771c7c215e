"""Wrong charsets, and text from outside where it could do harm: in names of files, in WARC, in the log.

Expected: WHATWG's order (byte order mark, header, meta, guess), invalid bytes replaced, UTF-7 unknown. Names
of files come from counters only; line breaks cannot forge a header or a line. One by one:
tests/parse/test_charset.py and tests/store/archive/test_warc.py; html5lib's cases: tests/suites.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecord
from tests.hazards.hosts import Hosts, http, page

NAME = "Größe ж"
LIES: dict[str, tuple[bytes, str, str]] = {
    "a mark against the header": (b"\xef\xbb\xbf" + NAME.encode(), "koi8-r", NAME),
    "UTF-16 by its mark": (b"\xff\xfe" + f"<title>{NAME}".encode("utf-16-le"), "utf-8", NAME),
    "the header against meta": (b"<meta charset=koi8-r><title>" + NAME.encode(), "utf-8", NAME),
    "UTF-16 in meta": (b"<meta charset=utf-16><title>" + NAME.encode(), "", NAME),
    "UTF-7": (b"<title>+ADw-script+AD4-", "utf-7", "+ADw-script+AD4-"),
    "no such charset": (b"<title>" + NAME.encode(), "martian", NAME),
    "bytes without meaning": (b"<title>a\xff\xfeb", "utf-8", "a\ufffd\ufffdb"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_title_is_read_whatever_is_said_of_its_charset(hosts: Hosts, name: str) -> None:
    body, charset, title = LIES[name]
    if b"<title>" not in body and not body.startswith(b"\xff\xfe"):
        body = body[:3] + b"<title>" + body[3:]
    hosts["http://a.example/"] = http(body, kind=f"text/html; charset={charset}" if charset else "text/html")
    hosts.crawl("http://a.example/")
    assert hosts.pages()["http://a.example/"].title == title


HOSTILE = [
    "http://a.example/../../../../tmp/evil",
    "http://a.example/..%2f..%2f..%2ftmp%2fevil",
    "http://a.example/%00/evil.warc",
    "http://a.example/%0d%0aWARC/1.0%0d%0aWARC-Type:%20response",
    "http://a.example/?x=%0a%7b%22event%22%3a%22forged%22%7d",
]


def test_hostile_urls_and_headers_forge_neither_names_nor_records_nor_lines(hosts: Hosts) -> None:
    before = {path.name for path in hosts.folder.parent.iterdir()}
    hosts["http://a.example/"] = page(*HOSTILE, title='x\r\nWARC/1.0\r\n{"event":"forged"}')
    hosts["a.example"] = http(
        "WARC/1.0\r\nWARC-Type: response\r\n\r\n", X="a\r\n\tWARC/1.0", kind="text/plain;\x0bname=../../evil"
    )
    assert hosts.crawl("http://a.example/") == "frontier empty"
    assert len(hosts.requested()) == 1 + len(HOSTILE)
    assert {path.name for path in hosts.folder.parent.iterdir()} - before == {hosts.folder.name}
    names = {path.name for path in hosts.folder.rglob("*") if path.is_file()}
    assert not [name for name in names if "evil" in name]
    kinds = [record.headers["WARC-Type"] for record in _records(hosts.folder)]
    pages = 1 + len(HOSTILE)
    assert [kinds.count(kind) for kind in ("response", "request", "metadata")] == [pages] * 3
    lines = [json.loads(line) for line in (hosts.folder / "crawl.log").read_text().splitlines()]
    assert "forged" not in {line["event"] for line in lines}


def _records(folder: Path) -> Iterator[WarcRecord]:
    for path in folder.rglob("*.warc.gz"):
        with path.open("rb") as file:
            yield from ArchiveIterator(file, parse_http=False)
