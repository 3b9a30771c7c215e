"""What hosts answered, out of WARC records with heads and bodies of every kind."""

from __future__ import annotations

import gzip
import zlib

import pytest

from homing.lab.archives.responses import answers_to_get, reply_of
from homing.lab.archives.warcs import WarcRecord
from homing.model import Reply

PAGE = b"<title>Moths</title>" * 20


def read(block: bytes, kind: str = "response", url: str = "http://a.example/", **fields: str) -> Reply | None:
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    return reply_of(
        WarcRecord(fields={"warc-type": kind, "warc-target-uri": url, **named}, block=block, offset=0)
    )


def body_of(block: bytes) -> bytes:
    reply = read(block)
    assert reply is not None
    return reply.body


def chunked(body: bytes, size: int) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%X;x=y\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\nTrailer: 1\r\n\r\n"


def test_a_reply_has_status_headers_body_and_where_it_came_from() -> None:
    reply = read(
        b"HTTP/1.1 404 Not Found\r\nServer: x\r\nX-Folded: a\r\n b\r\nnonsense\r\n\r\ngone",
        url="<http://a.example/b c>",
        warc_date="2020-01-02T03:04:05Z",
        warc_ip_address="192.0.2.1",
        warc_truncated="time",
    )
    assert reply is not None
    assert (reply.url, reply.status, reply.body) == ("http://a.example/b c", 404, b"gone")
    assert reply.headers == (("Server", "x"), ("X-Folded", "a b"))
    assert (reply.requested_at, reply.address, reply.truncated) == (1577934245.0, "192.0.2.1", "time")


@pytest.mark.parametrize(
    ("block", "status", "body"),
    [
        (b"HTTP/1.0 200\n\nx", 200, b"x"),
        (b"HTTP/2 301 \r\nLocation: /\r\n\r\n", 301, b""),
        (b"ICY 200 OK\r\n\r\nmusic", 200, b"music"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx", 200, b"x"),
        (b"HTTP/1.1 200 OK\r\nServer: x", 200, b""),
        (b"HTTP/1.1 200 OK\r\nB\xe4d: \xff\xfe\r\n\r\nx", 200, b"x"),
        (b"<p>no head at all</p>", 200, b"<p>no head at all</p>"),
        (b"HTTP/1.1 twenty\r\n\r\nx", 200, b"HTTP/1.1 twenty\r\n\r\nx"),
        (b"", 200, b""),
    ],
)
def test_heads_of_every_kind_are_read(block: bytes, status: int, body: bytes) -> None:
    reply = read(block)
    assert reply is not None
    assert (reply.status, reply.body) == (status, body)


def test_chunks_are_joined_and_encodings_undone() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
    assert body_of(head + b"\r\n" + chunked(PAGE, 7)) == PAGE
    assert body_of(head + b"Content-Encoding: gzip\r\n\r\n" + chunked(gzip.compress(PAGE), 11)) == PAGE
    deflate = b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n"
    assert body_of(deflate + zlib.compress(PAGE)) == PAGE


def test_a_body_that_was_decoded_before_it_was_archived_is_left_as_it_is() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    assert body_of(head + PAGE) == PAGE
    assert body_of(head + gzip.compress(PAGE)) == PAGE


def test_of_chunks_that_break_off_what_came_is_kept() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert body_of(head + chunked(PAGE, 100)[:250]) == PAGE[:222]
    assert body_of(head + b"5\r\nmoths\r\nwhat is this\r\n") == b"moths"
    assert body_of(head + b"0\r\n\r\n") == b""


def test_a_bomb_goes_off_under_the_caps() -> None:
    reply = read(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(50_000_000)))
    assert reply is not None
    assert len(reply.body) < 11 * 1024 * 1024
    assert reply.truncated == "length"


def test_a_resource_is_a_page_without_a_head() -> None:
    reply = read(PAGE, kind="resource", content_type="text/html; charset=utf-8")
    assert reply is not None
    assert (reply.status, reply.body) == (200, PAGE)
    assert reply.header("Content-Type") == "text/html; charset=utf-8"


@pytest.mark.parametrize("url", ["dns:a.example", "file:///x.png", "urn:thumbnail:http://a.example/", ""])
def test_what_is_not_of_the_web_is_no_reply(url: str) -> None:
    assert read(PAGE, kind="resource", url=url) is None


def test_what_was_answered_to_a_form_is_left_out() -> None:
    def record(kind: str, name: str, to: str = "", block: bytes = b"") -> WarcRecord:
        fields = {"warc-type": kind, "warc-record-id": name, "warc-concurrent-to": to}
        return WarcRecord(fields=fields, block=block, offset=0)

    records = [
        record("warcinfo", "info"),
        record("response", "page"),
        record("request", "1", "page", b"GET / HTTP/1.1"),
        record("response", "sent"),
        record("request", "2", "sent", b"POST /form HTTP/1.1"),
        record("request", "3", "", b"POST /form HTTP/1.1"),
        record("response", "asked before", "3"),
        record("response", "last"),
    ]
    kept = [each["warc-record-id"] for each in answers_to_get(records) if each.kind != "request"]
    assert kept == ["info", "page", "last"]
