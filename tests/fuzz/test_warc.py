"""WARC files made of anything, and whole ones that are damaged anywhere."""

from __future__ import annotations

import gzip
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.fuzz.targets import read_archive

from homing.errors import DamagedError
from homing.lab.archives.warcs import WarcRecord, read_warc
from homing.model import Reply
from homing.store.archive.reading import read_reply
from homing.store.archive.warc import Archive, file_name

PIECES = [
    "WARC/1.0\r\n", "WARC/1.1\r\n", "WARC-Type: response\r\n", "WARC-Type: request\r\n",
    "WARC-Type: metadata\r\n", "WARC-Target-URI: http://a.org/\r\n", "WARC-Target-URI: <http://a.org/>\r\n",
    "WARC-Date: 2020-01-01T00:00:00Z\r\n", "WARC-Date: 0001-01-01\r\n", "WARC-Date: then\r\n",
    "Content-Length: 0\r\n", "Content-Length: 19\r\n", "Content-Length: 99999\r\n", "Content-Length: ²\r\n",
    "Content-Length: ٣\r\n", "\r\n", "\n", "\r\n\r\n", " folded\r\n", "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 ² OK\r\n", "Content-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n", "5\r\nabcde\r\n",
    "0\r\n\r\n", '{"url": "x", "took": 1}', "[]", '{"url": 1}', "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\n",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(PIECES), max_size=25).map(lambda pieces: "".join(pieces).encode())


def response(*lines: str, block: str = "") -> bytes:
    head = ["WARC/1.1", "WARC-Type: response", "WARC-Target-URI: http://a.org/", *lines]
    return "\r\n".join([*head, f"Content-Length: {len(block)}", "", block, "", ""]).encode()


DATE = "WARC-Date: 2020-01-01T00:00:00Z"
METADATA = "WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n"


@settings(max_examples=80)
@given(st.one_of(SOUP, st.binary(max_size=200)), st.integers(0, 3))
@example(response(), 0)  # no date
@example(response("WARC-Date: 0001-01-01"), 0)  # before there was a calendar
@example(response(DATE) + METADATA.format(2, "[]").encode(), 1)
@example(response(DATE) + METADATA.format(10, '{"url": 1}').encode(), 1)
@example(response(DATE, f"Content-Length: {'9' * 5_000}"), 0)  # longer than Python reads
def test_no_archive_makes_a_reader_stumble(data: bytes, packing: int) -> None:
    read_archive(bytes([packing]) + data)


@cache
def archived() -> tuple[bytes, tuple[int, ...]]:
    """A file as we write it, and where its responses begin."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Archive(Path(folder), committed={}, limit=10**6, about={"software": "homing"})
        places = []
        for number in range(3):
            url = f"http://a.org/{number}"
            reply = Reply(url=url, final_url=url, status=200, body=url.encode() * 20)
            places.append(archive.write(reply, digest="sha1:", unchanged=False, about={}).offset)
        archive.flush()
        archive.close()
        return (Path(folder) / file_name(1)).read_bytes(), tuple(places)


def records_of(data: bytes) -> list[WarcRecord]:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return list(read_warc(Path(file.name), lambda place, what: None))


@settings(max_examples=60)
@given(st.integers(0, 4_000))
def test_of_a_file_that_is_cut_every_whole_record_is_there(cut: int) -> None:
    data, _ = archived()
    whole = records_of(data)
    found = records_of(data[:cut])
    assert found == whole[: len(found)]
    assert len(found) >= sum(1 for record in whole[1:] if record.offset <= cut)


@settings(max_examples=60)
@given(st.integers(3, 4_000), st.binary(min_size=1, max_size=8))  # the first three say how all is packed
@example(3, b"\x04")  # a head that says: what follows belongs to me
def test_bytes_put_in_between_cost_one_record_at_most(place: int, junk: bytes) -> None:
    data, _ = archived()
    place = min(place, len(data))
    whole = {record["warc-record-id"] for record in records_of(data)}
    found = {record["warc-record-id"] for record in records_of(data[:place] + junk + data[place:])}
    assert len(whole - found) <= 1


@settings(max_examples=60)
@given(st.integers(0, 4_000), st.binary(min_size=1, max_size=3))
def test_a_reply_that_is_read_from_a_damaged_place_is_the_one_that_was_written(
    place: int, other: bytes
) -> None:
    data, places = archived()
    place = min(place, len(data) - len(other))
    with tempfile.NamedTemporaryFile() as file:
        file.write(data[:place] + other + data[place + len(other) :])
        file.flush()
        for number, offset in enumerate(places):
            try:
                reply = read_reply(Path(file.name), offset)
            except DamagedError:
                assert data[place : place + len(other)] != other
                continue
            assert reply.body == f"http://a.org/{number}".encode() * 20


@settings(max_examples=60)
@given(st.binary(max_size=60).filter(lambda junk: b"WARC/" not in junk), st.booleans())
def test_a_record_behind_junk_is_found(junk: bytes, packed: bool) -> None:
    record = response(DATE, block="HTTP/1.1 200 OK\r\n\r\nx")
    data = junk + b"\r\n" + record
    found = records_of(gzip.compress(data) if packed else data)
    if packed or not junk.startswith((b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18")):
        assert [each.url for each in found] == ["http://a.org/"]
