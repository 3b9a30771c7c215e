"""Headers as servers like to send them: whatever they say, nothing breaks, and nothing is forged."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from homing.fetch.body import Body
from homing.fetch.settings import Caps
from homing.lab.archives.responses import read_head
from homing.lab.archives.warcs import read_warc
from homing.model import Reply
from homing.parse.media import Media, media_of
from homing.parse.page import directives
from homing.store.archive.http import read_response, response_head
from homing.store.archive.warc import Archive, file_name

LETTERS = st.one_of(st.characters(), st.sampled_from("\r\n\x00: ;,=\"'\ud8ff\udcff\t\x85\u2028"))
VALUES = st.text(LETTERS, max_size=40)
NAMES = st.one_of(
    st.sampled_from(["Content-Length", "Transfer-Encoding", "content-encoding", "Location", "Set-Cookie"]),
    st.text(st.characters(codec="ascii", exclude_characters=":"), min_size=1, max_size=15),
)
HEADERS = st.lists(st.tuples(NAMES, VALUES), max_size=6).map(tuple)


def one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ").replace("\x00", " ")


def is_sendable(headers: tuple[tuple[str, str], ...]) -> bool:
    """Could a client have read them? It hands on bytes that are no UTF-8 as halves of surrogate pairs."""
    try:
        sent = [value.encode("utf-8", "surrogateescape") for _, value in headers]
    except UnicodeEncodeError:
        return False
    return [raw.decode("utf-8", "surrogateescape") for raw in sent] == [value for _, value in headers]


@given(HEADERS.filter(is_sendable), st.integers(100, 999), st.binary(max_size=50))
def test_headers_come_back_from_the_archive_each_in_its_line(
    headers: tuple[tuple[str, str], ...], status: int, body: bytes
) -> None:
    reply = Reply(url="http://a.org/", final_url="http://a.org/", status=status, headers=headers, body=body)
    assert read_response(response_head(reply) + reply.body) == (
        status,
        tuple((one_line(name), one_line(value)) for name, value in headers),
        body,
    )


@settings(max_examples=40)
@given(HEADERS.filter(is_sendable), st.binary(max_size=50))
def test_no_header_forges_a_record(headers: tuple[tuple[str, str], ...], body: bytes) -> None:
    url = "http://a.org/"
    forged = (*headers, ("X", "\r\n\r\n\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n"))
    reply = Reply(url=url, final_url=url, status=200, headers=forged, body=body, address=forged[-1][1])
    with tempfile.TemporaryDirectory() as folder:
        archive = Archive(Path(folder), committed={}, limit=10**6, about={"software": forged[-1][1]})
        archive.write(reply, digest="sha1:", unchanged=False, about={})
        archive.flush()
        archive.close()
        notes: list[str] = []
        records = list(read_warc(Path(folder) / file_name(1), lambda _, what: notes.append(what)))
    assert notes == []
    assert [record.kind for record in records] == ["warcinfo", "response", "request", "metadata"]


@given(VALUES, st.binary(max_size=30))
def test_a_body_is_as_it_came_under_any_encoding_that_is_none(value: str, body: bytes) -> None:
    assert media_of(value, body) in Media
    decoder = Body(f"{value}, unheard-of", Caps())
    decoder.feed(body)
    assert decoder.take() == body


@given(st.lists(VALUES, max_size=4))
def test_whatever_forbids_still_forbids_beside_any_other_directive(values: list[str]) -> None:
    headers = [("X-Robots-Tag", value) for value in values]
    forbidding = [*headers, ("x-robots-tag", "homing: noindex"), ("X-Robots-Tag", "none")]
    found = directives((), forbidding, "homing")
    assert {"noindex", "nofollow"} <= found
    assert directives((), headers, "homing") <= found


@given(VALUES)
@example("x\u2028Content-Type: text/html")  # lines end where HTTP says, not where Unicode does
@example("x\x85Content-Type: text/html")
@example("x\x0cContent-Type: text/html")
def test_a_value_of_an_archived_head_is_one_value(value: str) -> None:
    plain = one_line(value).encode("utf-8", "replace")
    _, headers, body = read_head(b"HTTP/1.1 200 OK\r\nA: " + plain + b"\r\nB: b\r\n\r\nbody")
    assert headers == (("A", plain.decode().strip()), ("B", "b"))
    assert body == b"body"


@given(st.binary(max_size=80))
def test_any_head_of_an_archived_answer_is_read(block: bytes) -> None:
    status, headers, body = read_head(b"HTTP/1.1 200 OK\r\n" + block)
    assert 100 <= status <= 999
    assert block.endswith(body)
    assert all(name == name.strip() for name, _ in headers)
