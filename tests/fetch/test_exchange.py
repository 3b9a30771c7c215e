"""What hosts do to us over raw sockets, and that we survive it. Covers ``exchange`` and ``body``."""

import asyncio
import datetime
import ssl
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
import trustme

from homing.fetch.fetcher import HttpFetcher
from homing.model import Entry, Failure, Reply, RobotsRecord

Request = dict[str, str]
Serve = Callable[..., AbstractAsyncContextManager[tuple[int, list[Request]]]]
MakeFetcher = Callable[..., AbstractAsyncContextManager[HttpFetcher]]
MakeEntry = Callable[..., Entry]
Fetch = Callable[..., tuple[Any, list[Request]]]


def no_robots(origin: str) -> RobotsRecord:
    return RobotsRecord(origin=origin, status=404, fetched_at=time.time())


@pytest.fixture
def fetch(serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry) -> Fetch:
    """Fetch one page from a server that answers so; the outcome, and the requests it got."""

    def run(
        answer: bytes | Callable[[Request, asyncio.StreamWriter], Awaitable[None]],
        *,
        tries: int = 0,
        then: bytes = b"",
        **limits: float,
    ) -> tuple[Any, list[Request]]:
        async def speak(request: Request, writer: asyncio.StreamWriter) -> None:
            if then and request["path"] == "/then":
                writer.write(then)
            elif isinstance(answer, bytes):
                writer.write(answer)
                await writer.drain()
                if b"\r\nConnection: close" in answer or b"\r\n\r\n" not in answer:
                    writer.close()
            else:
                await answer(request, writer)

        async def go() -> tuple[Any, list[Request]]:
            async with serve(speak) as (port, requests):
                async with make_fetcher(load_robots=no_robots, limits=limits) as fetcher:
                    outcome = await fetcher.fetch(entry(f"http://127.0.0.1:{port}/", tries=tries))
                    if then:
                        await fetcher.fetch(entry(f"http://127.0.0.1:{port}/then"))
                return outcome, requests

        return asyncio.run(go())

    return run


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"

# --- time -------------------------------------------------------------------------------------


def test_a_host_that_never_answers_is_abandoned(fetch: Fetch) -> None:
    async def silence(request: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(10)

    began = time.monotonic()
    outcome, _ = fetch(silence, first_byte_seconds=0.2)
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.retry_in, outcome.rest) == ("timeout", 30.0, 30.0)
    assert time.monotonic() - began < 8


def test_dripping_headers_do_not_hold_us(fetch: Fetch) -> None:
    async def drip(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(1_000):
            writer.write(b"X-%d: y\r\n" % number)
            await writer.drain()
            await asyncio.sleep(0.02)

    outcome, _ = fetch(drip, first_byte_seconds=0.3)
    assert outcome.kind == "timeout"


def test_informational_answers_without_end_do_not_hold_us(fetch: Fetch) -> None:
    async def promise(request: Request, writer: asyncio.StreamWriter) -> None:
        for _ in range(1_000):
            writer.write(b"HTTP/1.1 102 Processing\r\n\r\n")
            await writer.drain()
            await asyncio.sleep(0.02)

    outcome, _ = fetch(promise, first_byte_seconds=0.3)
    assert outcome.kind == "timeout"


async def trickle(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(1_000):
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)


def test_a_byte_now_and_then_is_too_slow(fetch: Fetch) -> None:
    outcome, _ = fetch(trickle, min_bytes_per_second=1_000, grace_seconds=0.2)
    assert isinstance(outcome, Failure)
    assert outcome.kind == "slow"


def test_a_body_that_stalls_is_too_slow(fetch: Fetch) -> None:
    async def stall(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + bytes(100))
        await asyncio.sleep(10)

    outcome, _ = fetch(stall, min_bytes_per_second=1_000, grace_seconds=0.2)
    assert outcome.kind == "slow"


def test_the_total_time_counts_even_if_the_rate_is_kept(fetch: Fetch) -> None:
    outcome, _ = fetch(trickle, min_bytes_per_second=0, total_seconds=0.3)
    assert (outcome.kind, outcome.detail) == ("timeout", "not complete within 0.3 s")


def test_a_slow_host_does_not_slow_the_others(
    serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    async def say_ok(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(OK)

    async def go() -> Any:
        async with (
            serve(trickle) as (slow_port, _),
            serve(say_ok) as (port, _),
            make_fetcher(load_robots=no_robots, limits={"total_seconds": 2.0}) as fetcher,
        ):
            slow = asyncio.create_task(fetcher.fetch(entry(f"http://127.0.0.1:{slow_port}/")))
            await asyncio.sleep(0.05)
            for _ in range(20):
                assert isinstance(await fetcher.fetch(entry(f"http://localhost:{port}/")), Reply)
            assert not slow.done()
            return await slow

    assert isinstance(asyncio.run(go()), Failure)


# --- size -------------------------------------------------------------------------------------


async def flood(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while not writer.is_closing():
        writer.write(bytes(65_536))
        await writer.drain()


async def flood_in_chunks(request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"10000\r\n" + bytes(65_536) + b"\r\n")
        await writer.drain()


@pytest.mark.parametrize("endless", [flood, flood_in_chunks])
def test_an_endless_body_is_cut_and_kept(fetch: Fetch, endless: Any) -> None:
    outcome, requests = fetch(endless, max_bytes=300_000, then=OK)
    assert isinstance(outcome, Reply)
    assert (outcome.status, len(outcome.body), outcome.truncated) == (200, 300_000, "length")
    assert requests[0]["connection-number"] != requests[1]["connection-number"]


def test_endless_chunks_of_one_byte_are_cut_and_kept(fetch: Fetch) -> None:
    async def crumbs(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"1\r\nx\r\n" * 10_000)
            await writer.drain()

    outcome, _ = fetch(crumbs)
    assert outcome.truncated == "length"
    assert 10_000 <= len(outcome.body) < 20_000, "no page has that many: it is an attack"


def test_a_body_of_just_the_limit_is_whole(fetch: Fetch) -> None:
    page = b"x" * 1_024
    outcome, _ = fetch(b"HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n" + page, max_bytes=1_024)
    assert (outcome.body, outcome.truncated) == (page, "")


# --- HTTP as it is spoken -----------------------------------------------------------------------

BROKEN = {
    "no status line": b"<html>hello</html>",
    "nothing at all": b"",
    "binary": bytes(range(256)),
    "a bad status": b"HTTP/1.1 abc OK\r\n\r\n",
    "a huge status": b"HTTP/1.1 99999 OK\r\nContent-Length: 0\r\n\r\n",
    "a huge header": b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
    "ten thousand cookies": b"HTTP/1.1 200 OK\r\n" + b"Set-Cookie: a=b\r\n" * 10_000 + b"\r\n",
    "a bad length": b"HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\npage",
    "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\npage",
    "a monstrous length": b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 40 + b"\r\n\r\npage",
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\npage!",
    "a NUL in a header": b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 4\r\n\r\npage",
    "a NUL in a name": b"HTTP/1.1 200 OK\r\nX\0: a\r\nContent-Length: 4\r\n\r\npage",
    "a header without a colon": b"HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 4\r\n\r\npage",
    "a bad chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\npage\r\n0\r\n\r\n",
    "a switched protocol": b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\npage",
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
def test_broken_http_is_a_failure_and_its_connection_is_not_used_again(fetch: Fetch, answer: bytes) -> None:
    outcome, requests = fetch(answer, then=OK)
    assert isinstance(outcome, Failure)
    assert outcome.kind in ("protocol", "connect")
    assert [request["path"] for request in requests] == ["/", "/then"]
    assert requests[0]["connection-number"] != requests[1]["connection-number"]


ODD = {
    "folded headers": b"HTTP/1.1 200 OK\r\nX: a\r\n  b\r\nContent-Length: 4\r\n\r\npage",
    "length and chunks": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"4\r\npage\r\n0\r\n\r\n",
    "a body after the body": OK + b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad",
    "bytes after the body": OK + b"garbage",
    "line feeds only": b"HTTP/1.1 200 OK\nContent-Length: 4\n\npage",
    "HTTP/1.0": b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\npage",
    "no reason": b"HTTP/1.1 200\r\nContent-Length: 4\r\n\r\npage",
}


@pytest.mark.parametrize("answer", ODD.values(), ids=ODD)
def test_odd_http_is_read_or_a_failure_and_never_mixed_up_with_the_next(fetch: Fetch, answer: bytes) -> None:
    outcome, requests = fetch(answer, then=OK)
    if isinstance(outcome, Reply):
        assert (outcome.status, outcome.body) == (200, b"page")
    else:
        assert outcome.kind == "protocol"
    if answer.startswith(OK):
        assert requests[0]["connection-number"] != requests[1]["connection-number"]


def test_bytes_in_headers_become_text_that_can_be_stored(fetch: Fetch) -> None:
    outcome, _ = fetch(b"HTTP/1.1 200 OK\r\nA: caf\xc3\xa9\r\nB: caf\xe9\r\nContent-Length: 0\r\n\r\n")
    assert (outcome.header("a"), outcome.header("b")) == ("café", "café")


def test_a_request_whose_connection_is_dropped_is_sent_once_and_not_repeated_at_once(fetch: Fetch) -> None:
    async def hang_up(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.close()

    outcome, requests = fetch(hang_up)
    assert (outcome.kind, outcome.retry_in) == ("connect", 30.0)
    assert len(requests) == 1


HALF = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\nhalf a page"


def test_half_a_page_is_tried_again_and_the_second_time_taken(fetch: Fetch) -> None:
    first, _ = fetch(HALF)
    assert (first.kind, first.retry_in) == ("protocol", 30.0)
    second, _ = fetch(HALF, tries=1)
    assert (second.body, second.truncated) == (b"half a page", "disconnect")


def test_a_port_without_a_server_is_a_failure_to_connect(make_fetcher: MakeFetcher, entry: MakeEntry) -> None:
    async def go() -> Any:
        server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        async with make_fetcher() as fetcher:
            return await fetcher.fetch(entry(f"http://127.0.0.1:{port}/"))

    outcome = asyncio.run(go())
    assert (outcome.kind, outcome.retry_in, outcome.rest) == ("connect", 30.0, 30.0)


# --- TLS --------------------------------------------------------------------------------------


def certificate(kind: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """The context of a server, and that of a client who trusts its authority (or another one)."""
    authority = trustme.CA()
    names = {"another host": "elsewhere.example"}
    ends = {"expired": datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)}
    issued = authority.issue_cert(names.get(kind, "127.0.0.1"), not_after=ends.get(kind))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    issued.configure_cert(server)
    client = ssl.create_default_context()
    (trustme.CA() if kind == "unknown authority" else authority).configure_trust(client)
    return server, client


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("expired", "expired"), ("another host", "mismatch"), ("unknown authority", "issuer")],
)
def test_a_bad_certificate_is_a_failure_with_its_reason(
    kind: str, reason: str, serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    server, client = certificate(kind)

    async def go() -> Any:
        async def unheard(request: Request, writer: asyncio.StreamWriter) -> None:
            raise AssertionError("a request got through")

        async with serve(unheard, ssl=server) as (port, _), make_fetcher(tls=client) as fetcher:
            return await fetcher.fetch(entry(f"https://127.0.0.1:{port}/"))

    outcome = asyncio.run(go())
    assert (outcome.kind, outcome.retry_in) == ("tls", None)
    assert reason in outcome.detail


def test_a_good_certificate_gives_the_page(serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry) -> None:
    server, client = certificate("good")

    async def go() -> Any:
        async def say_ok(request: Request, writer: asyncio.StreamWriter) -> None:
            writer.write(OK)

        async with (
            serve(say_ok, ssl=server) as (port, _),
            make_fetcher(tls=client, load_robots=no_robots) as fetcher,
        ):
            return await fetcher.fetch(entry(f"https://127.0.0.1:{port}/"))

    outcome = asyncio.run(go())
    assert (outcome.status, outcome.body, outcome.address) == (200, b"page", "127.0.0.1")


def test_plain_http_on_a_tls_port_is_a_failure(
    serve: Serve, make_fetcher: MakeFetcher, entry: MakeEntry
) -> None:
    async def go() -> Any:
        async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(100)
            writer.write(OK)
            writer.close()

        server = await asyncio.start_server(plain, "127.0.0.1", 0)
        async with make_fetcher() as fetcher:
            outcome = await fetcher.fetch(entry(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"))
        server.close()
        return outcome

    assert asyncio.run(go()).kind == "tls"
